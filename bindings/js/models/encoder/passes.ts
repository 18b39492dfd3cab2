/** Texts through an encoder, some at a time. */
import type { HostSignal } from '../../errors/host_types.ts';
import { FEW_ROWS } from '../../nn/encoder_layer.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import type { TokenizedText } from '../text/tokens.ts';
import { nextTurn } from '../turn.ts';
import type { EncoderModel } from './encoder_model.ts';

/** Rows of one pass, unless one text alone has more: more gain nothing, and take memory. */
const MOST_ROWS = 2048;

/** A text that takes a pass beyond these, so that a short text has the same bits alone and among others. Nobody reads its states. */
const FILLER: TokenizedText = { ids: Array(FEW_ROWS + 1).fill(0), types: Array(FEW_ROWS + 1).fill(0), truncated: false };

/** One text of a pass. */
export interface EncodedText {
  readonly states: Float32Array;
  readonly weights: ReadonlyMap<number, NDArray>;
}

/** Encodes texts in parts of MOST_ROWS; between two parts the event loop runs. `take` gets each text in order. */
export async function encodeInParts(
  model: EncoderModel,
  fn: string,
  texts: readonly TokenizedText[],
  layers: readonly number[],
  signal: HostSignal | undefined,
  take: (n: number, encoded: EncodedText) => void,
): Promise<void> {
  const { width } = model;
  for (let from = 0; from < texts.length;) {
    if (from > 0) await nextTurn();
    signal?.throwIfAborted();
    let to = from;
    let rows = 0;
    for (; to < texts.length && (to === from || rows + texts[to]!.ids.length <= MOST_ROWS); to++) rows += texts[to]!.ids.length;
    const filler = model.roundsByRows && rows <= FEW_ROWS ? [FILLER] : [];
    const { states, weights } = model.encode(fn, [...texts.slice(from, to), ...filler], layers);
    let first = 0;
    for (let n = from; n < to; n++) {
      const last = first + texts[n]!.ids.length * width;
      const own = new Map([...weights].map(([layer, list]) => [layer, list[n - from]!]));
      take(n, { states: states.data.subarray(first, last), weights: own });
      first = last;
    }
    from = to;
  }
}

import type { Fovea } from 'fovea';
import { kvCache } from 'fovea/cache';
import type { Matrix } from '../../../figures/matrix.ts';
import { at, nested, row } from '../../../figures/matrix.ts';
import { embed } from '../../../text/vectors.ts';
import * as texts from '../../../../build/generated/texts/learn_masks.ts';
import { choicesOf, fill } from '../../../shell/localized.ts';
import { MASKED_SENTENCE } from '../sentences.ts';
import type { Step } from '../step.ts';

/** Words that are not filler. */
const LENGTH = 5;
export const SIZE = MASKED_SENTENCE.en.length;
const X = nested(embed(MASKED_SENTENCE.en, true).X);
const WIDTH = X[0]!.length;
/** Weak scores: no row puts everything on one word. */
const SCALE = 0.25;

export interface Masks {
  readonly causal: boolean;
  readonly padding: boolean;
}

/** 1 where a pair may not attend. */
export function masked({ causal, padding }: Masks): Matrix {
  const data = Float32Array.from({ length: SIZE * SIZE }, (_, pair) => {
    const [query, key] = [Math.floor(pair / SIZE), pair % SIZE];
    return Number((causal && key > query) || (padding && key >= LENGTH));
  });
  return { data, rows: SIZE, cols: SIZE };
}

/** All rows in one call. */
export function atOnce(fovea: Fovea, { causal, padding }: Masks): Matrix {
  const mask = { data: Uint8Array.from(MASKED_SENTENCE.en, (_, key) => Number(!padding || key < LENGTH)), shape: [1, SIZE] };
  const { weights } = fovea.attention(X, X, X, { scale: SCALE, causal, mask, returnWeights: true });
  return { data: Float32Array.from(weights.data), rows: SIZE, cols: SIZE };
}

/** A call a word: its key and value join the cache, its query reads the cache. Rows of words not yet written are zero. */
export function wordByWord(fovea: Fovea, written: number): Matrix {
  const cache = kvCache(fovea, { kvHeads: 1, width: WIDTH, capacity: SIZE });
  const data = new Float32Array(SIZE * SIZE);
  try {
    for (let word = 0; word < written; word++) {
      const x = { data: Float32Array.from(X[word]!), shape: [1, 1, WIDTH] };
      cache.append(x, x);
      const { weights } = fovea.attention(x, cache, { scale: SCALE, returnWeights: true });
      data.set(weights.data, word * SIZE);
    }
  } finally {
    cache.dispose();
  }
  return { data, rows: SIZE, cols: SIZE };
}

/** 1 in rows that are not yet written, and after the word itself. */
export function unwritten(written: number): Matrix {
  const data = Float32Array.from({ length: SIZE * SIZE }, (_, pair) => {
    const [query, key] = [Math.floor(pair / SIZE), pair % SIZE];
    return Number(query >= written || key > query);
  });
  return { data, rows: SIZE, cols: SIZE };
}

/** The largest difference in the rows written so far. */
export function apart(a: Matrix, b: Matrix, written: number): number {
  return Math.max(
    ...Array.from({ length: written }, (_, i) => Math.max(...row(a, i).map((x, j) => Math.abs(x - at(b, i, j))))),
  );
}

const step: Step = {
  title: texts.title,
  body: texts.body,
  doThis: texts.doThis,
  check: {
    id: 'whole_row_masked',
    question: texts.whole_row_masked.question,
    choices: choicesOf(texts.whole_row_masked),
    reveal: (fovea) => {
      const mask = { data: new Uint8Array(SIZE), shape: [1, SIZE] };
      const { weights, output } = fovea.attention(X, X, X, { scale: SCALE, mask, returnWeights: true });
      const [most, out] = [weights, output].map(({ data }) => Math.max(...Array.from(data as Float32Array, Math.abs))) as [
        number,
        number,
      ];
      return {
        right: most === 0 ? 1 : 0,
        shown: fill(texts.whole_row_masked.shown, { most, output: out }),
      };
    },
  },
  further: [{ path: 'transformer-generate', text: texts.further.transformer_generate }],
};
export default step;

/** The tokens of one generation, one after another. */
import { fail } from '../../errors/errors.ts';
import type { CausalDecoder } from '../../nn/causal_decoder.ts';
import { drawIndex } from '../../ops/sample.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import { promptIds, type PromptReader } from '../text/prompt.ts';
import { nextTurn } from '../turn.ts';
import type { ContextOptions, DecoderInfo, GeneratedToken, GenerateOptions, Prompt } from '../types/index.ts';
import { resume, type HeldTokens } from './context.ts';
import { readGenerateOptions } from './generate_options.ts';
import type { Tokens } from './generation.ts';
import { TextStream } from './text_stream.ts';

/** The parts of a decoder. */
export interface DecoderParts extends PromptReader {
  readonly model: CausalDecoder;
  readonly info: DecoderInfo;
}

/** The memory of a generation. */
export interface Memory {
  /** The context's caches; null where the generation has its own. */
  readonly own: HeldTokens | null;
  readonly hold: (capacity: number, dtype: ContextOptions['dtype']) => HeldTokens;
  readonly free: (held: HeldTokens) => void;
}

/** @param note - is told how many tokens the prompt has */
export async function* generateTokens(
  fn: string,
  parts: DecoderParts,
  prompt: Prompt,
  options: GenerateOptions | undefined,
  { own, hold, free }: Memory,
  note: (promptTokens: number) => void,
): Tokens {
  const { model, tokenizer, info } = parts;
  const of = { layers: model.layers.length, hasTokenizer: tokenizer !== null };
  const known = readGenerateOptions(fn, options, of);
  const { maxTokens, repetitionPenalty, stop, change, sampling, layers, cacheDtype, signal } = known;
  if (own !== null && cacheDtype !== undefined)
    fail('option', fn, 'cacheDtype is the dtype of the context, got it for generate');
  const capacity = own?.capacity ?? info.maxTokens;
  signal?.throwIfAborted();

  const ids = await promptIds(fn, prompt, parts);
  const room = capacity - ids.length;
  if (room < 1) fail('value', fn, `the prompt must leave room for a token, got ${ids.length} of ${capacity} tokens`);
  const most = Math.min(maxTokens, room);
  const held = own ?? hold(ids.length + most, cacheDtype);
  const stream = tokenizer === null ? null : new TextStream(tokenizer, stop, ids);
  const promptTokens = ids.length;
  note(promptTokens);
  let tokens = 0;
  try {
    let pending = resume(held, ids);
    for (;;) {
      const weights = layers.length === 0 ? null : model.nextWithWeights(pending, { caches: held.caches, layers });
      const { data } = weights?.logits ?? model.next(pending, { caches: held.caches });
      held.ids.push(...pending);
      if (repetitionPenalty !== 1) penalize(data, ids, repetitionPenalty);
      change?.(data, ids);
      const id = drawIndex(model.fovea, fn, data, sampling, tokens);
      tokens++;
      ids.push(id);
      const ends = info.endTokens.includes(id);
      const isLast = ends || tokens === most;
      let text = ends ? '' : (stream?.push(id) ?? '');
      if (isLast) text += stream?.end() ?? '';
      const stopped = stream?.stopped ?? false;
      const token: GeneratedToken = {
        id,
        text,
        ...(weights && { attentions: lastRows(weights.weights, layers, model.layers.length) }),
      };
      yield token;
      if (stopped) return { reason: 'stop', promptTokens, tokens };
      if (isLast) return { reason: ends ? 'end' : 'length', promptTokens, tokens };
      await nextTurn();
      signal?.throwIfAborted();
      // Another generation of a context may have read other tokens meanwhile.
      pending = own === null ? [id] : resume(own, ids);
    }
  } finally {
    if (own === null) free(held);
  }
}

function penalize(logits: Float32Array, ids: readonly number[], penalty: number): void {
  for (const id of new Set(ids)) logits[id] = logits[id]! > 0 ? logits[id]! / penalty : logits[id]! * penalty;
}

/** The rows of the last token, [H, S], of weights [H, T, S], by layer. */
function lastRows(weights: readonly NDArray[], layers: readonly number[], count: number): (NDArray | null)[] {
  return Array.from({ length: count }, (_, layer) => {
    const found = weights[layers.indexOf(layer)];
    if (found === undefined) return null;
    const [heads, rows, keys] = found.shape as [number, number, number];
    const data = new Float32Array(heads * keys);
    for (let head = 0; head < heads; head++) {
      const from = ((head + 1) * rows - 1) * keys;
      data.set(found.data.subarray(from, from + keys), head * keys);
    }
    return { data, shape: [heads, keys] };
  });
}

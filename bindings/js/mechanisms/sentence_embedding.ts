/** Sentences as rows, without attention: the last state, means, maxima and n-grams. */
import { fail } from '../errors/errors.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { concat, conv1d, divide, sum, transpose } from '../ops/index.ts';
import type { IntegerArray } from '../ops/index.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { TraceStage } from '../trace/stages.ts';
import { activate, recurrent } from './system/layers.ts';
import { Lengths, type LengthsOption } from './system/lengths.ts';
import { booleanOption } from './system/option_values.ts';
import type { ParamInput } from './system/params.ts';
import { maxOverTokens, weightedSum } from './system/pooling.ts';
import { zeros } from './system/steps.ts';
import { Integers, runSystem, type Declaration, type System } from './system/system.ts';

const DECLARATION = {
  fn: 'sentenceEmbedding',
  inputs: { 'H?': 'T D', 'x?': 'T E' },
  oneOf: [['H', 'x']],
  groups: ['lstm.', 'gru.'],
  numbered: (given) =>
    Object.fromEntries(
      sizesOf(given).flatMap((m) => [
        [`ngram.${m}.W`, `${m}D K`],
        [`ngram.${m}.b`, 'K'],
      ]),
    ) as Record<string, string>,
  options: ['bidirectional', 'activation', 'lengths'],
} as const satisfies Declaration;

/** Exactly one of the two. */
export interface SentenceEmbeddingInputs<A extends ArrayInput = ArrayInput> {
  /** [T, D] or [B, T, D]: states. */
  readonly H?: A | undefined;
  /** [T, E] or [B, T, E]: embedded words, whose states an LSTM or a GRU makes. */
  readonly x?: A | undefined;
}

export interface SentenceEmbeddingOptions {
  /** Whether the second half of a given H is of a backward direction; default false. */
  readonly bidirectional?: boolean | undefined;
  /** After the product of an n-gram; default 'relu'. */
  readonly activation?: 'relu' | 'tanh' | 'none' | undefined;
  /** Tokens of each sentence; default all. */
  readonly lengths?: LengthsOption;
  /** Whether to return every named intermediate. */
  readonly trace?: boolean | undefined;
}

/** Without the axis B where the inputs have none. All rows of a sentence without tokens are 0. */
export interface SentenceEmbeddingResult<A> {
  /** [B, T, D]. */
  H: A;
  /** [B, D]: each direction's own last state. */
  last: A;
  /** [B, D]. */
  mean: A;
  /** [B, D]. */
  max: A;
  /** [B, D]: the token that has the maximum, the first of several; -1 of a sentence without tokens. */
  maxIndex: IntegerArray;
  /** [B, sizes · K]: with n-gram params, the sizes ascending. */
  ngrams?: A;
  trace?: TraceStage[];
}

/**
 * Sentence embeddings without attention.
 *
 *     H = LSTM(x) or GRU(x),   last = H[n - 1], of a backward half H[0],   mean = Σ_t H[t] / n,   max[d] = max_t H[t, d]
 *     best_m = max_t act([H_t; …; H_{t+m-1}] W + b),   ngrams = [best_m, for each size m]
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param inputs `H` or `x`.
 * @param params with x `lstm.…` or `gru.…`, PyTorch's state dict of one direction or two; for any sizes m `ngram.m.W` [m·D, K] and
 *   `ngram.m.b` [K].
 * @param options `bidirectional` (of H), `activation`, `lengths`, `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * An n-gram longer than the sentence is 0. Source: as compared in Lin et al. 2017, arXiv:1703.03130; n-grams: Kim 2014, arXiv:1408.5882.
 * @example
 * import { sentenceEmbedding } from 'fovea/mechanisms';
 * const { last, mean, max } = sentenceEmbedding(fovea, { H: [[1, 5], [3, 3]] });
 * toNested(mean); // [2, 4]
 */
export function sentenceEmbedding<A extends ArrayInput>(
  fovea: Fovea,
  inputs: SentenceEmbeddingInputs<A>,
  params?: ParamInput,
  options?: SentenceEmbeddingOptions,
): SentenceEmbeddingResult<ResultArray<A>> {
  return runSystem(DECLARATION, fovea, inputs, params, options, (system) => {
    const lengths = system.lengths('lengths', system.size('T'));
    const activation = system.choice('activation', ['relu', 'tanh', 'none']);
    const { H, isBidirectional } = readStates(system, lengths);
    system.record('H', 'H', ['token', 'feature'], H);

    const D = H.shape[2]!;
    const counts = lengths.list.map((length) => Math.max(1, length));
    const { max, index } = maxOverTokens(system, H, lengths);
    const results = {
      H,
      last: system.record('last', 'H_{n-1}', ['feature'], lastOf(system, H, lengths, isBidirectional)),
      mean: system.record(
        'mean',
        '\\textstyle\\sum_t H_t / n',
        ['feature'],
        divide(fovea, sum(fovea, H, { axis: 1 }), { data: counts, shape: [system.batch, 1] }),
      ),
      max: system.record('max', '\\max_t H_t', ['feature'], max),
      maxIndex: new Integers(index, [system.batch, D]),
    };
    const sizes = sizesOf(Object.keys(system.params));
    const best = sizes.map((m) => bestNgrams(system, H, m, activation, lengths));
    const [first, ...rest] = best;
    if (first === undefined) return results;
    const formula = '\\max_t \\operatorname{act}([H_t; \\dots; H_{t+m-1}] W + b)';
    return { ...results, ngrams: system.record('ngrams', formula, ['feature'], concat(fovea, [first, ...rest])) };
  }) as unknown as SentenceEmbeddingResult<ResultArray<A>>;
}

/** The sizes of n-grams that params are named for, ascending. */
function sizesOf(names: readonly string[]): number[] {
  const sizes = names.map((name) => Number(/^ngram\.([1-9]\d{0,8})\.[Wb]$/.exec(name)?.[1] ?? 0));
  return [...new Set(sizes)].filter((size) => size > 0).sort((a, b) => a - b);
}

function readStates(system: System, lengths: Lengths): { H: Tensor; isBidirectional: boolean } {
  const { fn, options } = system;
  const isBidirectional = booleanOption(system, 'bidirectional');
  if (system.has('H')) {
    const H = system.input('H');
    if (isBidirectional && H.shape[2]! % 2 !== 0) fail('shape', fn, `H must have an even width, got ${H.shape[2]}`);
    return { H: lengths.areWhole ? H.clone() : lengths.masked(H), isBidirectional };
  }
  if (options['bidirectional'] !== undefined)
    fail('option', fn, 'bidirectional goes with H: the directions over x are those of the params');
  const layers = (['lstm', 'gru'] as const).filter((name) => Object.keys(system.group(`${name}.`)).length > 0);
  const [layer] = layers;
  if (layer === undefined || layers.length > 1)
    return fail('value', fn, `params must have either lstm or gru with x, got ${layer === undefined ? 'neither' : 'both'}`);
  const x = lengths.masked(system.input('x'));
  const names = Object.keys(system.group(`${layer}.`));
  return {
    H: recurrent(system, layer, x, `${layer}.`, lengths),
    isBidirectional: names.some((name) => name.endsWith('_reverse')),
  };
}

/** The last state of each direction: that of the backward half is at the first token. */
function lastOf(system: System, H: Tensor, { list, size }: Lengths, isBidirectional: boolean): Tensor {
  const rowAt = (place: (length: number) => number): Tensor => {
    const ones = Float32Array.from({ length: list.length * size }, (_, n) => {
      const length = list[Math.floor(n / size)]!;
      return Number(length > 0 && n % size === place(length));
    });
    return weightedSum(system, system.fovea.tensor(ones, [list.length, size]), H);
  };
  const last = rowAt((length) => length - 1);
  if (!isBidirectional) return last;
  const half = H.shape[2]! / 2;
  return concat(system.fovea, [last.slice(1, 0, half), rowAt(() => 0).slice(1, half)]);
}

/** [B, K]: the maximum over the windows of m tokens, 0 where there is none. */
function bestNgrams(system: System, H: Tensor, m: number, activation: 'relu' | 'tanh' | 'none', lengths: Lengths): Tensor {
  const { fovea, batch, params } = system;
  const [W, bias] = [params[`ngram.${m}.W`]!, params[`ngram.${m}.b`]!];
  const [T, D] = [H.shape[1]!, H.shape[2]!];
  const K = bias.shape[0]!;
  if (T < m) return zeros(fovea, [batch, K]);
  const weight = transpose(fovea, W.reshape([m, D, K]), [2, 1, 0]);
  const windows = activate(fovea, activation, conv1d(fovea, H, weight, { bias, layout: 'btd' }));
  const counts = new Lengths(
    lengths.list.map((length) => Math.max(0, length - m + 1)),
    T - m + 1,
  );
  return maxOverTokens(system, windows, counts).max;
}

import type { Fovea, Tensor } from 'fovea';
import { linearAttention, linformer } from 'fovea/linear-attention';
import type { XformerKinds } from 'fovea/mechanisms';
import { pattern } from 'fovea/pattern';

/** The kinds of attention that are measured: how each is called, and how its work is counted. */

export const WIDTH = 64;

/** A call for n tokens: attention with or without a pattern, linear attention with its options, or Linformer. */
export type Call =
  | { readonly name: 'attention'; readonly pattern?: PatternCall }
  | { readonly name: 'linearAttention'; readonly options: LinearOptions }
  | { readonly name: 'linformer' };
type PatternName = 'local' | 'strided' | 'longformer' | 'bigBird' | 'lsh';
type PatternCall = { readonly [Name in PatternName]: { readonly name: Name; readonly argument: Argument<Name> } }[PatternName];
type Argument<Name extends PatternName> = Parameters<(typeof pattern)[Name]>[0];
type LinearOptions = NonNullable<Parameters<typeof linearAttention>[4]>;

export interface Method {
  /** The kind's name in `xformerCost`. */
  readonly id:
    'full' | 'local' | 'sparse' | 'longformer' | 'bigBird' | 'reformer' | 'linformer' | 'linear' | 'efficient' | 'performer';
  /** Parameters of its kind for n tokens, a power of two. */
  readonly countsOf: (n: number) => XformerKinds[keyof XformerKinds];
  /** Whether a token sees only those before it: then the exact one is causal, too. */
  readonly isCausal?: true;
  readonly callOf: (n: number) => Call;
}

const [RADIUS, WINDOW, RANK, FEATURES, BLOCK, CHUNK] = [32, 64, 64, 128, 16, 64];
/** The stride of the Sparse Transformer is the root of the length: n√n pairs. */
const strideOf = (n: number): number => 2 ** Math.round(Math.log2(n) / 2);
/** About CHUNK tokens share a bucket. */
const bucketsOf = (n: number): number => Math.max(2, n / CHUNK);

const sparse = (pattern: PatternCall): Call => ({ name: 'attention', pattern });
const linear =
  (options: LinearOptions): Method['callOf'] =>
  () => ({ name: 'linearAttention', options });

export const METHODS: readonly Method[] = [
  { id: 'full', countsOf: () => ({}), callOf: () => ({ name: 'attention' }) },
  { id: 'local', countsOf: () => ({ k: RADIUS }), callOf: () => sparse({ name: 'local', argument: RADIUS }) },
  {
    id: 'sparse',
    isCausal: true,
    countsOf: (n) => ({ k: strideOf(n), causal: true }),
    callOf: (n) => sparse({ name: 'strided', argument: strideOf(n) }),
  },
  {
    id: 'longformer',
    countsOf: () => ({ window: WINDOW, global: 1 }),
    callOf: () => sparse({ name: 'longformer', argument: { window: WINDOW, globalTokens: [0] } }),
  },
  {
    id: 'bigBird',
    countsOf: () => ({ block: BLOCK, window: 3, global: 1, random: 2 }),
    callOf: () => sparse({ name: 'bigBird', argument: { block: BLOCK, window: 3, global: 1, random: 2, seed: 1 } }),
  },
  {
    id: 'reformer',
    countsOf: (n) => ({ rounds: 2, chunk: CHUNK, buckets: bucketsOf(n) }),
    callOf: (n) => sparse({ name: 'lsh', argument: { buckets: bucketsOf(n), rounds: 2, seed: 1 } }),
  },
  { id: 'linformer', countsOf: () => ({ rank: RANK }), callOf: () => ({ name: 'linformer' }) },
  { id: 'linear', countsOf: () => ({}), callOf: linear({ featureMap: 'elu1' }) },
  { id: 'efficient', countsOf: () => ({}), callOf: linear({ featureMap: 'softmax' }) },
  {
    id: 'performer',
    countsOf: () => ({ features: FEATURES }),
    callOf: linear({ featureMap: 'favor+', features: FEATURES, seed: 1 }),
  },
];

/**
 * Readies what is not part of a call, Tensors handed to `keep`; the result computes the output of queries and keys x and values v.
 */
export function ready(
  fovea: Fovea,
  method: Method,
  n: number,
  keep: (tensor: Tensor) => Tensor,
): (x: Tensor, v: Tensor) => Tensor {
  const call = method.callOf(n);
  if (call.name === 'linearAttention') return (x, v) => linearAttention(fovea, x, x, v, call.options).output;
  if (call.name === 'linformer') {
    const E = keep(fovea.tensor(mixtures(n)));
    return (x, v) => linformer(fovea, x, x, v, { E }).output;
  }
  if (!call.pattern) return (x, v) => fovea.attention(x, x, v).output;
  if (call.pattern.name === 'lsh') {
    // The hashes are part of the call: other inputs, other buckets.
    const hashes = pattern.lsh(call.pattern.argument);
    return (x, v) => fovea.attention(x, x, v, { pattern: hashes.bind(fovea, x, x) }).output;
  }
  const kept = pattern[call.pattern.name](call.pattern.argument as never);
  return (x, v) => fovea.attention(x, x, v, { pattern: kept }).output;
}

export const methodOf = (id: string): Method => {
  const method = METHODS.find((one) => one.id === id);
  if (!method) throw new Error(`there is no method "${id}"`);
  return method;
};

/** Seeded numbers from −½ to ½. */
function uniforms(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

/** Random mixtures of n keys, each number of variance 1/RANK. */
export function mixtures(n: number): { data: Float32Array; shape: [number, number] } {
  const uniform = uniforms(2);
  return { data: Float32Array.from({ length: RANK * n }, () => uniform() * Math.sqrt(12 / RANK)), shape: [RANK, n] };
}

/** Each token is much like the one before it, and now and then one of early ones comes again: far keys count, too. */
export function tokens(n: number, seed = 1): Float32Array {
  const uniform = uniforms(seed);
  const [CARRIED, FRESH, AGAIN, SIZE] = [0.9, 0.44, 32, 3.2];
  const x = new Float32Array(n * WIDTH);
  for (let t = 0; t < n; t++)
    for (let d = 0; d < WIDTH; d++) {
      const before = t === 0 ? 0 : x[(t - 1) * WIDTH + d]!;
      const isAgain = t > AGAIN && t % AGAIN === 0;
      x[t * WIDTH + d] = isAgain ? x[(t % (AGAIN * 4)) * WIDTH + d]! : CARRIED * before + FRESH * SIZE * uniform();
    }
  return x;
}

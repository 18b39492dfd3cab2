import type { Fovea, Tensor } from 'fovea';
import { linearAttention, linformer } from 'fovea/linear-attention';
import type { XformerKinds } from 'fovea/mechanisms';
import { pattern } from 'fovea/pattern';

/** The kinds of attention that are measured: how each is called, and how its work is counted. */

export const WIDTH = 64;

export interface Method {
  /** The kind's name in `xformerCost`. */
  readonly id:
    'full' | 'local' | 'sparse' | 'longformer' | 'bigBird' | 'reformer' | 'linformer' | 'linear' | 'efficient' | 'performer';
  /** Parameters of its kind for n tokens, a power of two. */
  readonly countsOf: (n: number) => XformerKinds[keyof XformerKinds];
  /** Whether a token sees only those before it: then the exact one is causal, too. */
  readonly isCausal?: true;
  /**
   * Readies what is not part of a call, Tensors handed to `keep`; the result computes the output of queries and keys x and values v.
   */
  readonly ready: (fovea: Fovea, n: number, keep: (tensor: Tensor) => Tensor) => (x: Tensor, v: Tensor) => Tensor;
}

const [RADIUS, WINDOW, RANK, FEATURES, BLOCK, CHUNK] = [32, 64, 64, 128, 16, 64];
/** The stride of the Sparse Transformer is the root of the length: n√n pairs. */
const strideOf = (n: number): number => 2 ** Math.round(Math.log2(n) / 2);
/** About CHUNK tokens share a bucket. */
const bucketsOf = (n: number): number => Math.max(2, n / CHUNK);

type PatternOf = (n: number) => ReturnType<typeof pattern.local>;
const sparse =
  (patternOf: PatternOf): Method['ready'] =>
  (fovea, n) => {
    const kept = patternOf(n);
    return (x, v) => fovea.attention(x, x, v, { pattern: kept }).output;
  };

export const METHODS: readonly Method[] = [
  { id: 'full', countsOf: () => ({}), ready: (fovea) => (x, v) => fovea.attention(x, x, v).output },
  { id: 'local', countsOf: () => ({ k: RADIUS }), ready: sparse(() => pattern.local(RADIUS)) },
  {
    id: 'sparse',
    isCausal: true,
    countsOf: (n) => ({ k: strideOf(n), causal: true }),
    ready: sparse((n) => pattern.strided(strideOf(n))),
  },
  {
    id: 'longformer',
    countsOf: () => ({ window: WINDOW, global: 1 }),
    ready: sparse(() => pattern.longformer({ window: WINDOW, globalTokens: [0] })),
  },
  {
    id: 'bigBird',
    countsOf: () => ({ block: BLOCK, window: 3, global: 1, random: 2 }),
    ready: sparse(() => pattern.bigBird({ block: BLOCK, window: 3, global: 1, random: 2, seed: 1 })),
  },
  {
    id: 'reformer',
    countsOf: (n) => ({ rounds: 2, chunk: CHUNK, buckets: bucketsOf(n) }),
    // The hashes are part of the call: other inputs, other buckets.
    ready: (fovea, n) => {
      const hashes = pattern.lsh({ buckets: bucketsOf(n), rounds: 2, seed: 1 });
      return (x, v) => fovea.attention(x, x, v, { pattern: hashes.bind(fovea, x, x) }).output;
    },
  },
  {
    id: 'linformer',
    countsOf: () => ({ rank: RANK }),
    ready: (fovea, n, keep) => {
      const E = keep(fovea.tensor({ data: mixtures(n), shape: [RANK, n] }));
      return (x, v) => linformer(fovea, x, x, v, { E }).output;
    },
  },
  {
    id: 'linear',
    countsOf: () => ({}),
    ready: (fovea) => (x, v) => linearAttention(fovea, x, x, v, { featureMap: 'elu1' }).output,
  },
  {
    id: 'efficient',
    countsOf: () => ({}),
    ready: (fovea) => (x, v) => linearAttention(fovea, x, x, v, { featureMap: 'softmax' }).output,
  },
  {
    id: 'performer',
    countsOf: () => ({ features: FEATURES }),
    ready: (fovea) => (x, v) => linearAttention(fovea, x, x, v, { featureMap: 'favor+', features: FEATURES, seed: 1 }).output,
  },
];

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
function mixtures(n: number): Float32Array {
  const uniform = uniforms(2);
  return Float32Array.from({ length: RANK * n }, () => uniform() * Math.sqrt(12 / RANK));
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

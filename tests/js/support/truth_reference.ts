/**
 * Attention by its definition (DESIGN: score, scale, cap, bias, float mask, forbid, softmax), in plain loops, in double or in
 * float32 with every operation rounded. Written from the definition and not from the kernel; it is the oracle of the property tests.
 *   s[i,j]   = Cap(scale * q[i] · k[j]) - slope[h] |p(i) - j| + mask[i,j]         p(i) = i + offset[b]
 *   w[i,j]   = exp(s[i,j]) / (Σ exp(s[i,j]) + exp(sink)) over the allowed j        out[i] = Σ_j w[i,j] v[j]
 *   With a weight scale w[i,j] is multiplied by its factor after the division, 0 staying 0.
 * q [B, H, Tq, D], k [B, Hkv, Tk, D], v [B, Hkv, Tk, Dv]; options as the public API names them.
 */
import { sizeOf } from './truth_random.ts';

export interface Values {
  readonly data: ArrayLike<number>;
  readonly shape: readonly number[];
}

export interface ReferenceOptions {
  readonly scale?: number | undefined;
  readonly causal?: boolean | undefined;
  readonly causalAlign?: 'top-left' | 'bottom-right' | undefined;
  readonly causalOffset?: number | ArrayLike<number> | undefined;
  readonly window?: readonly [number, number] | undefined;
  /** A Uint8Array forbids where 0; anything else is added, -Infinity forbids. Any shape that broadcasts to [B, H, Tq, Tk]. */
  readonly mask?: Values | undefined;
  readonly keyLengths?: ArrayLike<number> | undefined;
  readonly softcap?: number | undefined;
  readonly alibi?: ArrayLike<number> | undefined;
  readonly sinks?: number | ArrayLike<number> | undefined;
  /** The weight scale of head h and key j. */
  readonly factor?: ((h: number, j: number, round: (x: number) => number) => number) | undefined;
}

export interface Arithmetic {
  /** The result of every operation is rounded to float32. */
  readonly single: boolean;
  /** Sums run over descending indices: a second sample of the rounding errors of a float32 loop. */
  readonly descending: boolean;
  /** scale multiplies the query instead of the sum: equal in exact arithmetic, another sample again. */
  readonly scaleFirst: boolean;
}

export const DOUBLE: Arithmetic = { single: false, descending: false, scaleFirst: false };
export const SINGLES: readonly Arithmetic[] = [
  { single: true, descending: false, scaleFirst: false },
  { single: true, descending: true, scaleFirst: false },
  { single: true, descending: false, scaleFirst: true },
];

export interface Reference {
  readonly output: Float64Array;
  readonly weights: Float64Array;
  /** The weights before the weight scale. */
  readonly alignment: Float64Array;
  readonly lse: Float64Array;
  readonly raw: Float64Array;
  readonly capped: Float64Array;
  readonly biased: Float64Array;
  /** [B, H, Tq, Tk]: 1 where the pair is allowed. */
  readonly allowed: Uint8Array;
  /** Σ_j w[i,j] |v[j]|, as output: how large the terms of an output are that may cancel. */
  readonly spread: Float64Array;
  /** [B, H, Tq, Tk]: scale times the largest running sum of q·k, from either end: what its roundings are relative to. */
  readonly reach: Float64Array;
}

export function referenceAttention(
  q: Values,
  k: Values,
  v: Values,
  options: ReferenceOptions,
  { single, descending, scaleFirst }: Arithmetic = DOUBLE,
): Reference {
  const round = single ? Math.fround : (x: number): number => x;
  const [B, H, Tq, D] = q.shape as [number, number, number, number];
  const [, Hkv, Tk] = k.shape as [number, number, number, number];
  const Dv = v.shape[3] as number;
  const scale = round(options.scale ?? 1 / Math.sqrt(D));
  const [before, after] = scaleFirst ? [scale, 1] : [1, scale];
  const cap = round(options.softcap ?? 0);
  const maskStrides = broadcastStrides(options.mask?.shape, [B, H, Tq, Tk]);
  const forbids = options.mask?.data instanceof Uint8Array;
  const pairs = B * H * Tq * Tk;
  const result = {
    output: new Float64Array(B * H * Tq * Dv),
    weights: new Float64Array(pairs),
    alignment: new Float64Array(pairs),
    lse: new Float64Array(B * H * Tq),
    raw: new Float64Array(pairs),
    capped: new Float64Array(pairs),
    biased: new Float64Array(pairs),
    allowed: new Uint8Array(pairs),
    spread: new Float64Array(B * H * Tq * Dv),
    reach: new Float64Array(pairs),
  };
  const at = (n: number, count: number) => (descending ? count - 1 - n : n);
  // The inner loops read arrays of one kind, and choose their rounding without a call: they are most of what the tests compute.
  const [queries, keys, values] = [q, k, v].map(({ data }) => Float64Array.from(data)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const query = new Float64Array(D);

  for (let b = 0; b < B; b++) {
    const length = options.keyLengths?.[b] ?? Tk;
    const offset = positionOffset(options, b, length, Tq);
    for (let h = 0; h < H; h++) {
      const kv = (k.shape[0] === 1 ? 0 : b * Hkv) + Math.floor(h / (H / Hkv));
      const sink = numberOf(options.sinks, h);
      for (let i = 0; i < Tq; i++) {
        const row = (b * H + h) * Tq + i;
        const p = i + offset;
        for (let d = 0; d < D; d++) query[d] = round(before * queries[row * D + d]!);
        for (let j = 0; j < Tk; j++) {
          let s = 0;
          let [lowest, highest] = [0, 0];
          for (let n = 0; n < D; n++) {
            const d = descending ? D - 1 - n : n;
            const term = query[d]! * keys[(kv * Tk + j) * D + d]!;
            s = single ? Math.fround(s + Math.fround(term)) : s + term;
            if (s < lowest) lowest = s;
            if (s > highest) highest = s;
          }
          result.reach[row * Tk + j] = Math.abs(after) * Math.max(highest, -lowest, s - lowest, highest - s);
          s = round(after * s);
          result.raw[row * Tk + j] = s;
          if (cap > 0) s = round(cap * round(Math.tanh(round(s / cap))));
          result.capped[row * Tk + j] = s;
          if (options.alibi !== undefined) s = round(s - round(round(options.alibi[h] as number) * Math.abs(p - j)));
          let allowed = j < length;
          if (options.causal === true) allowed &&= j <= p;
          if (options.window !== undefined) {
            const [left, right] = options.window;
            if (left >= 0) allowed &&= j >= p - left;
            if (right >= 0) allowed &&= j <= p + right;
          }
          if (options.mask !== undefined) {
            const m = options.mask.data[
              b * maskStrides[0] + h * maskStrides[1] + i * maskStrides[2] + j * maskStrides[3]
            ] as number;
            if (forbids ? m === 0 : m === -Infinity) allowed = false;
            else if (!forbids) s = round(s + m);
          }
          result.allowed[row * Tk + j] = allowed ? 1 : 0;
          result.biased[row * Tk + j] = allowed ? s : -Infinity;
        }
        normalizeRow(result, row, Tk, sink, round, at);
        for (let n = row * Tk; n < (row + 1) * Tk; n++) {
          const w = (result.alignment[n] = result.weights[n]!);
          if (options.factor !== undefined && w !== 0) result.weights[n] = round(w * options.factor(h, n - row * Tk, round));
        }
        for (let n = 0; n < Tk; n++) {
          const j = at(n, Tk);
          if (result.allowed[row * Tk + j] === 0) continue;
          const w = result.weights[row * Tk + j]!;
          for (let d = 0; d < Dv; d++) {
            const product = w * values[(kv * Tk + j) * Dv + d]!;
            const term = single ? Math.fround(product) : product;
            const sum = result.output[row * Dv + d]! + term;
            result.output[row * Dv + d] = single ? Math.fround(sum) : sum;
            result.spread[row * Dv + d]! += Math.abs(term);
          }
        }
        if (Number.isNaN(result.lse[row])) result.output.fill(NaN, row * Dv, (row + 1) * Dv);
      }
    }
  }
  return result;
}

/** weights, lse <- softmax of the row of `biased`; a NaN or +Infinity logit makes the row NaN, no allowed key makes it empty. */
function normalizeRow(
  result: Reference,
  row: number,
  Tk: number,
  sink: number | undefined,
  round: (x: number) => number,
  at: (n: number, count: number) => number,
): void {
  const logits = result.biased.subarray(row * Tk, (row + 1) * Tk);
  let largest = -Infinity;
  let broken = false;
  for (const s of logits) {
    if (Number.isNaN(s) || s === Infinity) broken = true;
    largest = Math.max(largest, s);
  }
  if (broken) {
    result.weights.fill(NaN, row * Tk, (row + 1) * Tk);
    result.lse[row] = NaN;
    return;
  }
  if (largest === -Infinity) {
    result.lse[row] = -Infinity;
    return;
  }
  const exponentials = (from: number): Float64Array => logits.map((s) => round(Math.exp(round(s - from))));
  const total = (terms: Float64Array, first: number): number => {
    let sum = first;
    for (let n = 0; n < Tk; n++) sum = round(sum + terms[at(n, Tk)]!);
    return sum;
  };
  const terms = exponentials(largest);
  result.lse[row] = round(largest + round(Math.log(total(terms, 0))));
  // With a sink above the row's maximum, exp is taken relative to the sink.
  const top = Math.max(largest, sink ?? -Infinity);
  const shares = top === largest ? terms : exponentials(top);
  const sum = total(shares, sink === undefined ? 0 : round(Math.exp(round(sink - top))));
  for (let j = 0; j < Tk; j++) result.weights[row * Tk + j] = round(shares[j]! / sum);
}

function positionOffset(options: ReferenceOptions, b: number, length: number, Tq: number): number {
  if (options.causalOffset !== undefined) return numberOf(options.causalOffset, b) as number;
  return options.causalAlign === 'bottom-right' ? length - Tq : 0;
}

function numberOf(x: number | ArrayLike<number> | undefined, n: number): number | undefined {
  return typeof x === 'number' || x === undefined ? x : x[n];
}

/** Strides that read an array of `shape` as one of `full` by NumPy's rule: 0 where it has one element or no axis. */
export function broadcastStrides(
  shape: readonly number[] | undefined,
  full: readonly number[],
): [number, number, number, number] {
  const strides: [number, number, number, number] = [0, 0, 0, 0];
  if (shape === undefined) return strides;
  for (let axis = 0; axis < shape.length; axis++) {
    const n = shape[axis] as number;
    const target = axis + full.length - shape.length;
    if (n !== 1 && n !== full[target]) throw new Error(`[${shape}] does not broadcast to [${full}]`);
    if (n !== 1) strides[target] = sizeOf(shape.slice(axis + 1));
  }
  return strides;
}

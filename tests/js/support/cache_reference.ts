/** A KvCache in plain arrays: all tokens ever appended, and which of them a query sees. */
import type { NDArray } from 'fovea';

export interface Shape {
  readonly batch: number;
  readonly heads: number;
  readonly width: number;
  readonly valueWidth: number;
}

export interface CacheRule {
  readonly window?: number;
  readonly sinkTokens?: number;
}

/** Tokens [from, to) of [B, H, T, D]. */
export function tokens({ data, shape }: NDArray, from: number, to: number): NDArray {
  const [batch, heads, all, width] = shape as [number, number, number, number];
  const part = new Float32Array(batch * heads * (to - from) * width);
  for (let head = 0; head < batch * heads; head++) {
    const first = head * all * width;
    part.set(data.subarray(first + from * width, first + to * width), head * (to - from) * width);
  }
  return { data: part, shape: [batch, heads, to - from, width] };
}

/** Whether the query at p sees token j, causality apart: one token at a time, the older ones would have been evicted. */
export function sees(p: number, j: number, { window = Infinity, sinkTokens = 0 }: CacheRule): boolean {
  return j < sinkTokens || j > p - window;
}

/** The rule for the last `queries` of `length` tokens, [Tq, Tk]. */
export function seenMask(queries: number, length: number, rule: CacheRule): { data: Uint8Array; shape: number[] } {
  const data = new Uint8Array(queries * length);
  for (let i = 0; i < queries; i++)
    for (let j = 0; j < length; j++) data[i * length + j] = Number(sees(length - queries + i, j, rule));
  return { data, shape: [queries, length] };
}

/** The nearest IEEE half float, ties to even: a multiple of the step at its size. */
export function toHalf(x: number): number {
  const size = Math.abs(x);
  if (size >= 65520) return Math.sign(x) * Infinity;
  let step = 2 ** -24;
  while (size >= 2048 * step) step *= 2;
  const low = Math.floor(size / step);
  const rest = size / step - low;
  return Math.sign(x) * (rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low) * step;
}

export function halves({ data, shape }: NDArray): NDArray {
  return { data: data.map(toHalf), shape };
}

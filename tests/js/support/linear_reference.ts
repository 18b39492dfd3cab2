/** Linear attention by its definition, in double: a loop over tokens, for tests. */
import type { LinearOptions } from 'fovea/linear-attention';

/** [B, H, T, width]. */
export interface Heads {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

export interface ReferenceRule {
  readonly features: (row: number[], isKey: boolean) => number[];
  readonly rule?: LinearOptions['updateRule'];
  readonly normalize: boolean;
  readonly causal: boolean;
  readonly outputScale?: number;
  readonly eps?: number;
  readonly keyLengths?: readonly number[] | undefined;
  /** The decay of (b, kv head, token, feature). */
  readonly decay?: (b: number, h: number, t: number, f: number) => number;
  readonly beta?: (b: number, h: number, t: number) => number;
}

export interface ReferenceResult {
  readonly output: Float64Array;
  readonly s: Float64Array;
  readonly z: Float64Array;
}

function rowOf({ data, shape }: Heads, b: number, h: number, t: number): number[] {
  const [B, H, T, D] = shape as [number, number, number, number];
  const at = (((B === 1 ? 0 : b) * H + h) * T + t) * D;
  return Array.from(data.subarray(at, at + D));
}

export function referenceLinear(q: Heads, k: Heads, v: Heads, rule: ReferenceRule): ReferenceResult {
  const [B, H, Tq] = q.shape as [number, number, number];
  const [, Hkv, Tk] = k.shape as [number, number, number];
  const Dv = v.shape[3]!;
  const F = rule.features(rowOf(q, 0, 0, 0), false).length;
  const output = new Float64Array(B * H * Tq * Dv);
  const s = new Float64Array(B * Hkv * F * Dv);
  const z = new Float64Array(B * Hkv * F);
  for (let b = 0; b < B; b++) {
    for (let g = 0; g < Hkv; g++) {
      const S = s.subarray((b * Hkv + g) * F * Dv, (b * Hkv + g + 1) * F * Dv);
      const Z = z.subarray((b * Hkv + g) * F, (b * Hkv + g + 1) * F);
      const take = (t: number): void => {
        if (t >= (rule.keyLengths?.[b] ?? Tk)) return;
        const phi = rule.features(rowOf(k, b, g, t), true);
        step(S, phi, rowOf(v, b, g, t), Dv, rule, b, g, t);
        step(Z, phi, [1], 1, rule, b, g, t);
      };
      const read = (h: number, i: number): void => {
        const phi = rule.features(rowOf(q, b, h, i), false);
        let d = rule.eps ?? 0;
        phi.forEach((x, f) => (d += x * Z[f]!));
        for (let c = 0; c < Dv; c++) {
          let sum = 0;
          phi.forEach((x, f) => (sum += x * S[f * Dv + c]!));
          const seen = (rule.keyLengths?.[b] ?? Tk) > 0;
          output[((b * H + h) * Tq + i) * Dv + c] = !seen ? 0 : rule.normalize ? sum / d : (rule.outputScale ?? 1) * sum;
        }
      };
      const heads = Array.from({ length: H / Hkv }, (_, n) => (g * H) / Hkv + n);
      if (rule.causal) for (let t = 0; t < Tk; t++) (take(t), heads.forEach((h) => read(h, t)));
      else {
        for (let t = 0; t < Tk; t++) take(t);
        for (let i = 0; i < Tq; i++) heads.forEach((h) => read(h, i));
      }
    }
  }
  return { output, s, z };
}

/** One token's change of S [F, width]. */
function step(
  S: Float64Array,
  phi: number[],
  v: number[],
  width: number,
  { rule = 'linear', decay, beta }: ReferenceRule,
  b: number,
  g: number,
  t: number,
): void {
  const isGated = rule === 'gated' || rule === 'gatedDelta';
  const isDelta = rule === 'delta' || rule === 'gatedDelta';
  if (isGated) phi.forEach((_, f) => v.forEach((_x, c) => (S[f * width + c]! *= Math.exp(decay!(b, g, t, f)))));
  const added = v.map((x, c) => {
    if (!isDelta) return x;
    let expected = 0;
    phi.forEach((y, f) => (expected += y * S[f * width + c]!));
    return beta!(b, g, t) * (x - expected);
  });
  phi.forEach((y, f) => added.forEach((x, c) => (S[f * width + c]! += y * x)));
}

/** φ in double, as the papers write it. */
export const FEATURES: Record<string, (row: number[]) => number[]> = {
  identity: (x) => x,
  elu1: (x) => x.map((a) => (a > 0 ? a + 1 : Math.exp(a))),
  relu: (x) => x.map((a) => Math.max(a, 0)),
  squaredRelu: (x) => x.map((a) => Math.max(a, 0) ** 2),
  exp: (x) => x.map((a) => Math.exp(a)),
  taylor: (x) => [1, ...x, ...x.flatMap((a) => x.map((b) => (a * b) / Math.SQRT2))],
};

/** FAVOR+ with these w [F, D]. */
export function favorFeatures({ data, shape }: { data: Float32Array; shape: number[] }): (row: number[]) => number[] {
  const [F, D] = shape as [number, number];
  return (x) => {
    const half = x.reduce((sum, a) => sum + a * a, 0) / 2;
    return Array.from({ length: F }, (_, f) => {
      const dot = x.reduce((sum, a, d) => sum + a * data[f * D + d]!, 0);
      return Math.exp(dot - half) / Math.sqrt(F);
    });
  };
}

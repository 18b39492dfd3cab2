/** imageSelfAttention in double, from Wang et al. 2018, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { columns, dot, mix, plus, scaled, softmax, times, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'softmax over queries' | 'patches by columns' | 'channel first in a patch' | 'gamma left out';
export type Image = Matrix[];

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, { patch = 1, heads = 1, scale, residual = false }) => {
    const { image } = inputs as { image: Image };
    const { E, positions, Wq, Wk, Wv, Wo, gamma } = params as Record<string, Matrix> & { gamma?: number };
    const [s, H] = [patch as number, heads as number];
    const [down, across] = [image.length / s, image[0]!.length / s];
    const places = Array.from({ length: down * across }, (_, n) =>
      wrong === 'patches by columns' ? [n % down, Math.floor(n / down)] : [Math.floor(n / across), n % across],
    ) as [number, number][];
    const flatten = (y: number, x: number): Row => {
      const pixels = Array.from({ length: s * s }, (_, n) => image[y * s + Math.floor(n / s)]![x * s + (n % s)]!);
      return wrong === 'channel first in a patch' ? columns(pixels).flat() : pixels.flat();
    };
    let X = places.map(([y, x]) => flatten(y, x));
    if (E) X = X.map((row) => times(row, E));
    if (positions) X = X.map((row, n) => plus(row, positions[n]!));
    const [q, k, v] = [Wq, Wk, Wv].map((W) => X.map((row) => times(row, W!))) as [Matrix, Matrix, Matrix];
    const part = (row: Row, h: number): Row => row.slice((h * row.length) / H, ((h + 1) * row.length) / H);
    const factor = (scale as number | undefined) ?? 1 / Math.sqrt(q[0]!.length / H);
    const weights = Array.from({ length: H }, (_, h) => {
      const scores = q.map((a) => k.map((b) => factor * dot(part(a, h), part(b, h))));
      return wrong === 'softmax over queries'
        ? columns(columns(scores).map((row) => softmax(row)))
        : scores.map((row) => softmax(row));
    });
    const outputTokens = X.map((x, n) => {
      const heads = weights.flatMap((rows, h) =>
        mix(
          rows[n]!,
          v.map((row) => part(row, h)),
          v[0]!.length / H,
        ),
      );
      const projected = Wo ? times(heads, Wo) : heads;
      const gated = gamma === undefined || wrong === 'gamma left out' ? projected : scaled(projected, gamma);
      return residual ? plus(x, gated) : gated;
    });
    const depth = outputTokens[0]!.length / s ** 2;
    const output: Image = image.map((row) => row.map(() => []));
    places.forEach(([y, x], n) => {
      for (let at = 0; at < s * s; at++)
        output[y * s + Math.floor(at / s)]![x * s + (at % s)] = outputTokens[n]!.slice(at * depth, (at + 1) * depth);
    });
    return { tokens: X, weights, outputTokens, output };
  };

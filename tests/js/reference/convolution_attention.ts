/** convolutionAttention in double, from Cordonnier, Loukas and Jaggi 2020, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { mix, plus, softmax, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'no border' | 'kernel turned' | 'distance not squared' | 'softmax over queries';
export type Image = Matrix[];
export type Kernel = Matrix[][];

/** The convolution by its definition: PyTorch's cross-correlation with zeros outside. */
export function convolve(image: Image, W: Kernel, b: Row, isTurned = false): Image {
  const [kh, kw] = [W.length, W[0]!.length];
  return image.map((row, y) =>
    row.map((_, x) => {
      let sum = b;
      W.forEach((taps, a) =>
        taps.forEach((matrix, c) => {
          const sign = isTurned ? -1 : 1;
          const pixel = image[y + sign * (a - (kh - 1) / 2)]?.[x + sign * (c - (kw - 1) / 2)];
          if (pixel) sum = plus(sum, times(pixel, matrix));
        }),
      );
      return sum;
    }),
  );
}

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, { alpha = 50 }) => {
    const { image } = inputs as { image: Image };
    const { W, b } = params as { W: Kernel; b?: Row };
    const [kh, kw, height, width] = [W.length, W[0]!.length, image.length, image[0]!.length];
    const [down, across] = wrong === 'no border' ? [0, 0] : [(kh - 1) / 2, (kw - 1) / 2];
    const keys: { y: number; x: number; value: Row }[] = [];
    for (let y = -down; y < height + down; y++)
      for (let x = -across; x < width + across; x++) keys.push({ y, x, value: image[y]?.[x] ?? zeros(image[0]![0]!.length) });
    const pixels = image.flatMap((row, y) => row.map((_, x) => ({ y, x })));
    const taps = W.flatMap((row, a) => row.map((matrix, c) => ({ a: a - (kh - 1) / 2, c: c - (kw - 1) / 2, matrix })));
    const sign = wrong === 'kernel turned' ? -1 : 1;
    const weights = taps.map(({ a, c }) => {
      const scores = pixels.map((q) =>
        keys.map((k) => {
          const squared = (k.y - q.y - sign * a) ** 2 + (k.x - q.x - sign * c) ** 2;
          return -(alpha as number) * (wrong === 'distance not squared' ? Math.sqrt(squared) : squared);
        }),
      );
      if (wrong !== 'softmax over queries') return scores.map((row) => softmax(row));
      const columns = keys.map((_, k) => softmax(scores.map((row) => row[k]!)));
      return pixels.map((_, q) => columns.map((column) => column[q]!));
    });
    const bias = b ?? zeros(W[0]![0]![0]!.length);
    const rows = pixels.map((_, q) =>
      plus(
        bias,
        ...taps.map(({ matrix }, h) =>
          times(
            mix(
              weights[h]![q]!,
              keys.map(({ value }) => value),
              matrix.length,
            ),
            matrix,
          ),
        ),
      ),
    );
    const output = image.map((row, y) => row.map((_, x) => rows[y * width + x]!));
    return { output, weights, convolution: convolve(image, W, bias, wrong === 'kernel turned') };
  };

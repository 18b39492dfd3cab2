/** speechSelfAttention in double, from Yeh et al. 2019, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { dot, hadamard, mix, plus, softmax, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'left and right swapped' | 'left exclusive' | 'last frame padded' | 'window left out';

export const reference =
  (wrong: Wrong | ''): Run =>
  (
    inputs,
    params,
    { sampleRate = 16000, frameLength = 25, frameShift = 10, left = -1, right = -1, heads = 1, scale, lengths },
  ) => {
    const whole = inputs['signal'] as Row;
    const signal = whole.slice(0, (lengths as number | undefined) ?? Infinity);
    const { Wf, bf, window, Wq, Wk, Wv, Wo } = params as Record<string, Matrix> & { bf?: Row; window?: Row };
    const [L, S] = [frameLength, frameShift].map((ms) => Math.floor(((sampleRate as number) * (ms as number)) / 1000)) as [
      number,
      number,
    ];
    const count = (samples: number): number => {
      const rest = samples - L;
      return wrong === 'last frame padded' ? 1 + Math.ceil(rest / S) : rest < 0 ? 0 : 1 + Math.floor(rest / S);
    };
    const n = count(signal.length);
    const frames = Array.from({ length: count(whole.length) }, (_, t) => {
      const frame = Array.from({ length: L }, (_, at) => (t < n ? (signal[t * S + at] ?? 0) : 0));
      return window && wrong !== 'window left out' ? hadamard(frame, window) : frame;
    });
    const features = frames.map((frame, t) => {
      const F = Wf![0]!.length;
      return t < n ? plus(times(frame, Wf!), bf ?? zeros(F)) : zeros(F);
    });
    const [q, k, v] = [Wq, Wk, Wv].map((W) => features.map((row) => times(row, W!))) as [Matrix, Matrix, Matrix];
    const H = heads as number;
    const part = (row: Row, h: number): Row => row.slice((h * row.length) / H, ((h + 1) * row.length) / H);
    const [before, after] = (wrong === 'left and right swapped' ? [right, left] : [left, right]) as [number, number];
    const isSeen = (t: number, j: number): boolean =>
      t < n && j < n && (before < 0 || j >= t - before + Number(wrong === 'left exclusive')) && (after < 0 || j <= t + after);
    const weights = Array.from({ length: H }, (_, h) =>
      q.map((a, t) => {
        const factor = (scale as number | undefined) ?? 1 / Math.sqrt(a.length / H);
        return softmax(
          k.map((b) => factor * dot(part(a, h), part(b, h))),
          (j) => isSeen(t, j),
        );
      }),
    );
    const output = features.map((_, t) => {
      const all = weights.flatMap((rows, h) =>
        mix(
          rows[t]!,
          v.map((row) => part(row, h)),
          Wv![0]!.length / H,
        ),
      );
      return Wo ? times(all, Wo) : all;
    });
    return { frames, features, weights, output };
  };

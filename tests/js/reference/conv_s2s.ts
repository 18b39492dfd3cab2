/** convS2s in double, from Gehring et al. 2017, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { dot, hadamard, mix, plus, scaled, sigmoid, softmax, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'a centered kernel'
  | 'softmax over the padding'
  | 'the score with z + e'
  | 'values z'
  | 'σ(A) ⊗ B'
  | 'no g in d'
  | 'state lost';

export type Block = Record<'bias' | 'bd', Row> & { readonly weight: Matrix[]; readonly Wd: Matrix };

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { g, z, e } = inputs as { g: Matrix; z: Matrix; e: Matrix };
    const { blocks, Wo, bo } = params as { blocks: Record<string, Block>; Wo?: Matrix; bo?: Row };
    const d = g[0]!.length;
    const m = Number(options['sourceLengths'] ?? z.length);
    const half = options['normalization'] === true ? Math.sqrt(0.5) : 1;
    const initial = (options['initialState'] as { h?: Matrix[] } | undefined)?.h ?? [];
    const values = wrong === 'values z' ? z : z.map((row, j) => plus(row, e[j]!));
    const keys = wrong === 'the score with z + e' ? z.map((row, j) => plus(row, e[j]!)) : z;
    let h = g;
    const results = Object.values(blocks).map(({ weight, bias, Wd, bd }, l) => {
      const k = weight[0]![0]!.length;
      const zerosOf = (rows: number): Matrix => Array.from({ length: rows }, () => zeros(d));
      const read = [...(initial[l] ?? zerosOf(k - 1)), ...h];
      const ahead = wrong === 'a centered kernel' ? Math.floor(k / 2) : 0;
      const window = [...read, ...zerosOf(ahead)];
      h = h.map((row, i) => {
        const all = weight.map(
          (kernel, o) =>
            bias[o]! +
            kernel.reduce((sum, taps, c) => sum + taps.reduce((sum, tap, n) => sum + tap * window[i + n + ahead]![c]!, 0), 0),
        );
        const [A, B] = [all.slice(0, d), all.slice(d)];
        const v = wrong === 'σ(A) ⊗ B' ? hadamard(sigmoid(A), B) : hadamard(A, sigmoid(B));
        return scaled(plus(v, row), half);
      });
      const weights = h.map((row, i) => {
        const query = plus(times(row, Wd), bd, wrong === 'no g in d' ? zeros(d) : g[i]!);
        return softmax(
          keys.map((key) => dot(query, key)),
          (j) => j < (wrong === 'softmax over the padding' ? z.length : m),
        );
      });
      const context = weights.map((row) => scaled(mix(row, values, d), half === 1 ? 1 : Math.sqrt(m)));
      h = h.map((row, i) => plus(row, context[i]!));
      const kept = read.slice(read.length - (k - 1));
      return { weights, context, state: wrong === 'state lost' ? zerosOf(k - 1) : kept };
    });
    return {
      h,
      weights: results.map(({ weights }) => weights),
      context: results.map(({ context }) => context),
      ...(Wo && { probability: h.map((row) => softmax(plus(times(row, Wo), bo ?? zeros(Wo[0]!.length)))) }),
      state: { h: results.map(({ state }) => state) },
    };
  };

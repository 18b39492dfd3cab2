/** fullyConnected in double, from Sejnowski and Rosenberg 1987, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { plus, relu, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'order reversed' | 'padding seen';
interface Options {
  context?: number;
  border?: string;
  activation?: 'relu' | 'tanh' | 'none';
  lengths?: number;
}

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { x } = inputs as { x: Matrix };
    const { W1, b1, W2, b2 } = params as { W1: Matrix; b1: Row; W2?: Matrix; b2?: Row };
    const { context = 0, border = 'zero', activation = 'relu', lengths = x.length } = options as Options;
    const last = (wrong === 'padding seen' ? x.length : lengths) - 1;
    const at = (t: number): Row => {
      const inside = border === 'repeat' ? Math.max(0, Math.min(t, last)) : t;
      return (inside <= last ? x[inside] : undefined) ?? zeros(x[0]!.length);
    };
    const windows = x.map((_, t) => {
      const rows = Array.from({ length: 2 * context + 1 }, (_, n) => at(t + n - context));
      return t < lengths ? (wrong === 'order reversed' ? rows.reverse() : rows).flat() : zeros(W1.length);
    });
    const act = { relu, tanh, none: (row: Row): Row => row }[activation];
    const existing = (rows: Matrix): Matrix => rows.map((row, t) => (t < lengths ? row : zeros(row.length)));
    const hidden = existing(windows.map((row) => act(plus(times(row, W1), b1))));
    const output = W2 === undefined ? hidden : existing(hidden.map((row) => plus(times(row, W2), b2!)));
    const label = output.map((row, t) => (t < lengths ? row.indexOf(Math.max(...row)) : -1));
    return { windows, hidden, output, label };
  };

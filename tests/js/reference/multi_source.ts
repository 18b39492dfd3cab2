/** multiSource in double, from Zoph and Knight 2016, and its wrong variants by name. */
import { decode, luongReadout, luongScores } from './equations/luong_decoder.ts';
import type { Run } from '../support/mechanism_properties.ts';
import { dot, hadamard, mix, plus, sigmoid, softmax, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'c = tanh([c1; c2] Wc)'
  | 'one forget gate from both'
  | 'attention1 used twice'
  | '[c1; c2; h]'
  | 'h starts at 0'
  | 'state.attentional lost';

function combine(
  inputs: Record<string, Row>,
  p: Record<string, Matrix>,
  childSum: boolean,
  wrong: Wrong | '',
): { h: Row; c: Row } {
  const { h1, c1, h2, c2 } = inputs as Record<'h1' | 'c1' | 'h2' | 'c2', Row>;
  const own = (state: Row, name: string): Row => times(state, p[name]!);
  if (!childSum) {
    const c = wrong === 'c = tanh([c1; c2] Wc)' ? tanh(own([...c1, ...c2], 'Wc')) : plus(c1, c2);
    return { h: tanh(own([...h1, ...h2], 'Wc')), c };
  }
  const both = (gate: string): Row => plus(own(h1, `W1${gate}`), own(h2, `W2${gate}`));
  const forget = (one: Row): Row => (wrong === 'one forget gate from both' ? sigmoid(both('f')) : sigmoid(one));
  const [f1, f2] = [forget(own(h1, 'W1f')), forget(own(h2, 'W2f'))];
  const c = plus(hadamard(sigmoid(both('i')), tanh(both('u'))), hadamard(f1, c1), hadamard(f2, c2));
  return { h: hadamard(sigmoid(both('o')), tanh(c)), c };
}

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const p = params as Record<string, Record<string, Matrix>>;
    const { D = 10, combination } = options as { D?: number; combination?: string };
    const { sigma = D / 2 } = options as { sigma?: number };
    const combined =
      inputs['h1'] === undefined ? undefined : combine(inputs as never, p['combine']!, combination === 'childSum', wrong);
    const attendTo = (n: 1 | 2, h: Row) => {
      const own = p[`attention${wrong === 'attention1 used twice' ? 1 : n}`]!;
      const source = inputs[`source${n}`] as Matrix;
      const length = Number(options[`source${n}Lengths`] ?? source.length);
      const position = length * sigmoid([dot(own['vp'] as never, tanh(times(h, own['Wp']!)))])[0]!;
      const alignment = softmax(luongScores(h, source, own, 'general'), (s) => s < length && Math.abs(s - position) <= D);
      const weights = alignment.map((weight, s) => weight * Math.exp(-((s - position) ** 2) / (2 * sigma ** 2)));
      return { position, alignment, weights, context: mix(weights, source, source[0]!.length) };
    };
    const attend = (h: Row) => {
      const [one, two] = [attendTo(1, h), attendTo(2, h)];
      const parts = wrong === '[c1; c2; h]' ? [one.context, two.context, h] : [h, one.context, two.context];
      const named = (n: number, results: object) =>
        Object.fromEntries(Object.entries(results).map(([name, one]) => [name + n, one]));
      return { ...named(1, one), ...named(2, two), ...luongReadout(parts, params) } as never;
    };
    const start = combined && { h: [wrong === 'h starts at 0' ? zeros(combined.h.length) : combined.h], c: [combined.c] };
    const initialState = { ...start, ...(options['initialState'] as object | undefined) };
    const results = decode(inputs, params, { ...options, initialState }, attend, wrong !== 'state.attentional lost');
    return { ...combined, ...results };
  };

/** disan in double, from Shen et al. 2018, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { columns, elu, hadamard, plus, sigmoid, softmax, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'one softmax for all features'
  | 'diagonal allowed'
  | 'directions swapped'
  | 'W1 and W2 swapped'
  | 'no scale c'
  | 'gate swapped'
  | 'source softmax over features';
export type Letters = Record<'Wh' | 'W1' | 'W2' | 'Wf1' | 'Wf2', Matrix> & Record<'bh' | 'b1' | 'bf', Row>;
export type Source = Record<'W1' | 'W', Matrix> & Record<'b1' | 'b', Row>;

const blend = (gate: Row, a: Row, b: Row): Row => gate.map((f, d) => f * a[d]! + (1 - f) * b[d]!);

function attend(
  x: Matrix,
  p: Letters,
  forward: boolean,
  c: number,
  wrong: Wrong | '',
): { weights: Matrix[]; gate: Matrix; u: Matrix } {
  const h = x.map((row) => elu(plus(times(row, p.Wh), p.bh)));
  const [W1, W2] = wrong === 'W1 and W2 swapped' ? [p.W2, p.W1] : [p.W1, p.W2];
  const scale = wrong === 'no scale c' ? 1 : c;
  const before = forward !== (wrong === 'directions swapped');
  const weights = h.map((head, j) => {
    const scores = h.map((key) => plus(times(key, W1), times(head, W2), p.b1).map((s) => scale * Math.tanh(s / scale)));
    const allowed = (i: number): boolean => (i === j ? wrong === 'diagonal allowed' : before ? i < j : i > j);
    if (wrong !== 'one softmax for all features') return columns(columns(scores).map((feature) => softmax(feature, allowed)));
    const width = scores[0]!.length;
    const all = softmax(scores.flat(), (n) => allowed(Math.floor(n / width)));
    return scores.map((row, i) => row.map((_, d) => all[i * width + d]!));
  });
  const s = weights.map((rows) => rows.reduce((sum, row, i) => plus(sum, hadamard(row, h[i]!)), zeros(p.bh.length)));
  const gate = h.map((row, j) => sigmoid(plus(times(s[j]!, p.Wf1), times(row, p.Wf2), p.bf)));
  const u = gate.map((F, j) => (wrong === 'gate swapped' ? blend(F, s[j]!, h[j]!) : blend(F, h[j]!, s[j]!)));
  return { weights, gate, u };
}

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const all = inputs['x'] as Matrix;
    const x = all.slice(0, options['lengths'] as number | undefined);
    const { forward, backward, source2token } = params as { forward: Letters; backward: Letters; source2token: Source };
    const c = (options['c'] as number | undefined) ?? 5;
    const [fw, bw] = [attend(x, forward, true, c, wrong), attend(x, backward, false, c, wrong)];
    const output = fw.u.map((row, j) => [...row, ...bw.u[j]!]);
    const { W1, b1, W, b } = source2token;
    const scores = output.map((u) => plus(times(elu(plus(times(u, W1), b1)), W), b));
    const sourceWeights =
      wrong === 'source softmax over features'
        ? scores.map((row) => softmax(row))
        : columns(columns(scores).map((feature) => softmax(feature)));
    const sentence = output.map((u, i) => hadamard(u, sourceWeights[i]!)).reduce((sum, row) => plus(sum, row));
    const padded = (rows: Matrix): Matrix => all.map((_, t) => rows[t] ?? zeros(rows[0]!.length));
    const wider = (weights: Matrix[]): Matrix[] =>
      all.map((_, j) => padded(weights[j] ?? weights[0]!.map((row) => zeros(row.length))));
    const directed = { forwardWeights: wider(fw.weights), backwardWeights: wider(bw.weights) };
    const gates = { forwardGate: padded(fw.gate), backwardGate: padded(bw.gate) };
    return { ...directed, ...gates, output: padded(output), sourceWeights: padded(sourceWeights), sentence };
  };

/** resa in double, from Shen et al. 2018, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import {
  columns,
  dot,
  elu,
  hadamard,
  plus,
  relu,
  scaled,
  sigmoid,
  softmax,
  tanh,
  times,
  zeros,
  type Matrix,
  type Row,
} from './equations/rows.ts';

export type Wrong =
  | 'i = j allowed'
  | 'roles swapped'
  | '[s; x]'
  | 'gate swapped'
  | 'order of f'
  | 'mean over padding'
  | 'no scale c'
  | 'one softmax for all features';
export type Sampler = { WR: Matrix; bR: Row; w: Row; b: number };
export type Params = { head: Sampler; dependent: Sampler; W1: Matrix; W2: Matrix; b1: Row; Wf: Matrix; bf: Row };

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const all = inputs as { x: Matrix; head: Row; dependent: Row };
    const p = params as Params;
    const {
      c = 5,
      lengths = all.x.length,
      activation = 'elu',
    } = options as { c?: number; lengths?: number; activation?: 'elu' };
    const x = all.x.slice(0, lengths);
    const meant = wrong === 'mean over padding' ? all.x : x;
    const mean = scaled(plus(zeros(all.x[0]!.length), ...meant), 1 / Math.max(1, meant.length));
    const f = x.map((row) => [...(wrong === 'order of f' ? [mean, row] : [row, mean]), hadamard(row, mean)].flat());
    const role = (name: 'head' | 'dependent') => {
      const { WR, bR, w, b } = p[name];
      const logits = f.map((row) => dot({ elu, relu, tanh }[activation](plus(times(row, WR), bR)), w) + b);
      return { probability: sigmoid(logits), log: logits.map((a, i) => -Math.log1p(Math.exp(all[name][i] === 1 ? -a : a))) };
    };
    const [head, dependent] = [role('head'), role('dependent')];
    const [asks, asked] = wrong === 'roles swapped' ? [all.dependent, all.head] : [all.head, all.dependent];
    const scale = wrong === 'no scale c' ? 1 : c;
    const weights = x.map((query, j) => {
      const scores = x.map((key) => plus(times(key, p.W1), times(query, p.W2), p.b1).map((s) => scale * Math.tanh(s / scale)));
      const allowed = (i: number): boolean => asks[j] === 1 && asked[i] === 1 && (i !== j || wrong === 'i = j allowed');
      if (wrong !== 'one softmax for all features') return columns(columns(scores).map((feature) => softmax(feature, allowed)));
      const width = query.length;
      const flat = softmax(scores.flat(), (n) => allowed(Math.floor(n / width)));
      return scores.map((row, i) => row.map((_, d) => flat[i * width + d]!));
    });
    const s = weights.map((rows) => rows.reduce((sum, row, i) => plus(sum, hadamard(row, x[i]!)), zeros(x[0]!.length)));
    const joined = x.map((row, j) => (wrong === '[s; x]' ? [...s[j]!, ...row] : [...row, ...s[j]!]));
    const gate = joined.map((row) => sigmoid(plus(times(row, p.Wf), p.bf)));
    const u = gate.map((F, j) => F.map((g, d) => (wrong === 'gate swapped' ? 1 - g : g) * (x[j]![d]! - s[j]![d]!) + s[j]![d]!));
    const logProbability = [...head.log, ...dependent.log].reduce((sum, log) => sum + log, 0);
    const empty = zeros(all.x[0]!.length);
    const whole = <One>(list: One[], none: One): One[] => all.x.map((_, t) => list[t] ?? none);
    const pairs = weights.map((rows) => whole(rows, empty));
    return {
      ...{ headProbability: whole(head.probability, 0), headLogProbability: whole(head.log, 0) },
      ...{ dependentProbability: whole(dependent.probability, 0), dependentLogProbability: whole(dependent.log, 0) },
      ...{ head: whole(all.head.slice(0, lengths), -1), dependent: whole(all.dependent.slice(0, lengths), -1), logProbability },
      weights: whole(pairs, whole([], empty)),
      ...{ s: whole(s, empty), gate: whole(gate, empty), u: whole(u, empty) },
    };
  };

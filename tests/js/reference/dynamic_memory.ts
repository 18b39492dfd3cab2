/** dynamicMemory in double, from Kumar et al. 2016, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { gruOf, stepOf } from './equations/recurrent_layers.ts';
import { dot, hadamard, plus, scaled, sigmoid, softmax, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'm starts from 0' | 'g and 1 - g exchanged' | 'one word early' | '[c, q, m]' | 'GRU(m, e)' | '[q; y]';

interface Params {
  readonly embedding: Matrix;
  readonly Wb: Matrix;
  readonly W1: Matrix;
  readonly b1: Row;
  readonly W2: Row;
  readonly b2: number;
  readonly Wa: Matrix;
}

/** z(c, m, q), in the order of the paper unless told. */
export function features(c: Row, m: Row, q: Row, Wb: Matrix, wrong?: boolean): Row {
  const [first, second] = wrong ? [q, m] : [m, q];
  const apart = (one: Row): Row => c.map((x, n) => Math.abs(x - one[n]!));
  const bilinear = (one: Row): number => dot(times(c, Wb), one);
  return [...c, ...first, ...second, ...hadamard(c, q), ...hadamard(c, m), ...apart(q), ...apart(m), bilinear(q), bilinear(m)];
}

export const gateOf = (z: Row, p: Params): number => sigmoid([dot(tanh(plus(times(z, p.W1), p.b1)), p.W2) + p.b2])[0]!;

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { story, question, sentenceEnds, targets } = inputs as Record<string, Row>;
    const p = params as Record<string, unknown> & Params;
    const { passes = 3, steps = 1, feedback } = options as { passes?: number; steps?: number; feedback?: string };
    const { questionLengths, targetLengths } = options as Record<string, number | undefined>;
    const embedded = (ids: Row): Matrix => ids.map((id) => p.embedding[id]!);
    const states = gruOf(p, 'input', embedded(story!));
    const ends = sentenceEnds ?? story!.map((_, t) => t);
    const facts = ends.map((end) => states[wrong === 'one word early' ? Math.max(0, end - 1) : end]!);
    const H = p.Wb.length;
    const q = gruOf(p, 'question', embedded(question!.slice(0, questionLengths))).at(-1) ?? zeros(H);
    const memories = [wrong === 'm starts from 0' ? zeros(H) : q];
    const [episodes, gates]: Matrix[] = [[], []];
    for (let pass = 0; pass < passes; pass++) {
      const m = memories[pass]!;
      const g = facts.map((c) => gateOf(features(c, m, q, p.Wb, wrong === '[c, q, m]'), p));
      const e = facts.reduce((h, c, s) => {
        const gate = wrong === 'g and 1 - g exchanged' ? 1 - g[s]! : g[s]!;
        return plus(scaled(stepOf(p, 'episode', c, h), gate), scaled(h, 1 - gate));
      }, zeros(H));
      gates!.push(g);
      episodes!.push(e);
      memories.push(wrong === 'GRU(m, e)' ? stepOf(p, 'memory', m, e) : stepOf(p, 'memory', e, m));
    }
    let [a, y] = [memories.at(-1)!, zeros(p.embedding.length)];
    const oneHot = (id: number): Row => y.map((_, n) => Number(n === id));
    const [answerStates, probability]: Matrix[] = [[], []];
    for (let t = 0; t < (targets?.length ?? steps); t++) {
      a = stepOf(p, 'answer', wrong === '[q; y]' ? [...q, ...y] : [...y, ...q], a);
      const row = softmax(times(a, p.Wa));
      y = targets ? oneHot(targets[t]!) : feedback === 'argmax' ? oneHot(row.indexOf(Math.max(...row))) : row;
      answerStates!.push(a);
      probability!.push(row);
    }
    const losses = targets?.slice(0, targetLengths).map((target, t) => -Math.log(probability![t]![target]!));
    const loss = losses && losses.reduce((sum, one) => sum + one, 0) / Math.max(1, losses.length);
    return { gates, facts, questionState: q, episodes, memories, answerStates, probability, ...(losses && { loss }) };
  };

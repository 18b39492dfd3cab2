/** pointerNetwork in double, from Vinyals, Fortunato and Jaitly 2015, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { layerOf } from './equations/recurrent_layers.ts';
import { dot, lstmStep, plus, softmax, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'padding counts' | 'asks with the state before' | 'reads e_j' | 'state.input is start';

export type State = { h: Matrix; c: Matrix; input: Row };

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { points, encoder, decoder, targets } = inputs as Record<string, Matrix> & { targets?: Row };
    const p = params as { W1: Matrix; W2: Matrix; v: Row; start: Row };
    const {
      sourceLengths: length = Infinity,
      targetLengths = Infinity,
      steps,
      initialState: initial = {},
    } = options as { sourceLengths?: number; targetLengths?: number; steps?: number; initialState?: Partial<State> };
    const gates = (prefix: string): Parameters<typeof lstmStep>[3] =>
      [...layerOf(params, prefix), ...['ih', 'hh'].map((name) => params[`${prefix}.bias_${name}_l0`])] as Parameters<
        typeof lstmStep
      >[3];
    const ask = (e: Matrix, d: Row): Row =>
      softmax(
        e.map((row) => dot(p.v, tanh(plus(times(row, p.W1), times(d, p.W2))))),
        (j) => wrong === 'padding counts' || j < length,
      );
    const largest = (row: Row): number => (length === 0 || row.length === 0 ? -1 : row.indexOf(Math.max(...row)));
    const lossOf = (all: Matrix): object => {
      const weights = all.slice(0, targetLengths);
      return targets
        ? { loss: weights.reduce((sum, row, t) => sum - Math.log(row[targets[t]!]!), 0) / Math.max(1, weights.length) }
        : {};
    };
    if (!points) {
      const weights = decoder!.map((d) => ask(encoder!, d));
      return { weights, indices: weights.map(largest), ...lossOf(weights) };
    }
    const H = p.W1.length;
    let [h, c] = [zeros(H), zeros(H)];
    const e = points.map((x, j) => {
      if (j >= length) return zeros(H);
      ({ h, c } = lstmStep(x, h, c, gates('encoder')));
      return h;
    });
    [h, c] = [initial.h?.[0] ?? h, initial.c?.[0] ?? c];
    let input = initial.input ?? p.start;
    const results = { weights: [] as Matrix, indices: [] as Row, decoder: [] as Matrix };
    for (let t = 0; t < (targets?.length ?? steps ?? points.length); t++) {
      const before = h;
      ({ h, c } = lstmStep(input, h, c, gates('decoder')));
      const row = ask(e, wrong === 'asks with the state before' ? before : h);
      const index = targets && length > 0 ? targets[t]! : largest(row);
      input = (wrong === 'reads e_j' ? e.map((one) => one.slice(0, p.start.length)) : points)[index] ?? zeros(p.start.length);
      results.weights.push(row);
      results.indices.push(largest(row));
      results.decoder.push(h);
    }
    const state = { h: [h], c: [c], input: wrong === 'state.input is start' ? p.start : input };
    return { ...results, encoder: e, state, ...lossOf(results.weights) };
  };

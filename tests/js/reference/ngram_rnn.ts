/** ngramRnn in double, from Daniluk et al. 2017, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { lstmStep, plus, softmax, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong = 'parts in reverse order' | 'state.hidden is zeros' | 'no tanh';

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { WN, Wstar, b } = params as { WN: Matrix; Wstar?: Matrix; b?: Row };
    const initial = (options['initialState'] ?? {}) as { hidden?: Matrix; h?: Matrix; c?: Matrix };
    const [W, k] = [WN.length, WN[0]!.length];
    const parts = W / k;
    let [h, c] = [initial.h?.[0] ?? zeros(W), initial.c?.[0] ?? zeros(W)];
    const { weight_ih_l0: ih, weight_hh_l0: hh } = (params['rnn'] ?? {}) as Record<string, Matrix>;
    const hidden =
      (inputs['hidden'] as Matrix | undefined) ??
      (inputs['embeddings'] as Matrix).map((x) => (({ h, c } = lstmStep(x, h, c, [ih!, hh!])), h));
    const all = [...(initial.hidden ?? new Array<Row>(parts - 1).fill(zeros(W))), ...hidden];
    const hStar = hidden.map((_, t) => {
      const read = Array.from({ length: parts }, (__, m) => {
        const part = wrong === 'parts in reverse order' ? parts - 1 - m : m;
        return all[t + parts - 1 - m]!.slice(part * k, (part + 1) * k);
      });
      const product = times(read.flat(), WN);
      return wrong === 'no tanh' ? product : tanh(product);
    });
    const kept = all.slice(all.length - (parts - 1), all.length);
    return {
      hStar,
      ...(Wstar && { probability: hStar.map((row) => softmax(plus(times(row, Wstar), b ?? zeros(Wstar[0]!.length)))) }),
      state: {
        hidden: wrong === 'state.hidden is zeros' ? kept.map((row) => zeros(row.length)) : kept,
        ...(inputs['embeddings'] !== undefined && { h: [h], c: [c] }),
      },
    };
  };

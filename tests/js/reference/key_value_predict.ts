/** keyValuePredict in double, from Daniluk et al. 2017, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { dot, lstmStep, mix, plus, softmax, tanh, times, zeros, type Matrix, type Row } from './equations/rows.ts';

export type Wrong =
  | 'the query is p_t'
  | 'keys and values exchanged'
  | 'the current token included'
  | 'a window of L - 1'
  | 'v_t for p_t'
  | 'the state keeps L - 1 rows';

export const PARTS: Record<string, number> = { keyValuePredict: 3, keyValue: 2, attention: 1 };

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { WY, Wh, w, Wr, Wx, Wstar, b } = params as Record<string, Matrix> & { w: Row; b?: Row };
    const {
      variant = 'keyValuePredict',
      L = 5,
      initialState = {},
    } = options as { variant?: string; L?: number; initialState?: object };
    const old = initialState as { keys?: Matrix; values?: Matrix; h?: Matrix; c?: Matrix };
    const parts = PARTS[variant]!;
    const k = WY!.length;
    let [h, c] = [old.h?.[0] ?? zeros(parts * k), old.c?.[0] ?? zeros(parts * k)];
    const { weight_ih_l0: ih, weight_hh_l0: hh } = (params['rnn'] ?? {}) as Record<string, Matrix>;
    const hidden =
      (inputs['hidden'] as Matrix | undefined) ??
      (inputs['embeddings'] as Matrix).map((x) => (({ h, c } = lstmStep(x, h, c, [ih!, hh!])), h));
    const part = (n: number) => hidden.map((row) => row.slice(n * k, (n + 1) * k));
    const [key, value, predict] = [part(0), part(Math.min(1, parts - 1)), part(parts - 1)];
    const swaps = wrong === 'keys and values exchanged';
    const keys = [...(old.keys ?? []), ...(swaps ? value : key)];
    const values = [...(old.values ?? []), ...(swaps ? key : value)];
    const P = old.keys?.length ?? 0;
    const steps = hidden.map((_, t) => {
      const query = times(wrong === 'the query is p_t' ? predict[t]! : key[t]!, Wh!);
      const scores = keys.map((row) => dot(w, tanh(plus(times(row, WY!), query))));
      const [from, to] = [
        P + t - (wrong === 'a window of L - 1' ? L - 1 : L),
        P + t - (wrong === 'the current token included' ? 0 : 1),
      ];
      const weights = softmax(scores, (j) => j >= from && j <= to);
      const context = mix(weights, values, k);
      const hStar = tanh(plus(times(context, Wr!), times(wrong === 'v_t for p_t' ? value[t]! : predict[t]!, Wx!)));
      return {
        weights,
        context,
        hStar,
        ...(Wstar && { probability: softmax(plus(times(hStar, Wstar), b ?? zeros(Wstar[0]!.length))) }),
      };
    });
    const rows = Object.fromEntries(
      Object.keys(steps[0]!).map((name) => [name, steps.map((step) => (step as Record<string, Row>)[name])]),
    );
    const kept = Math.min(wrong === 'the state keeps L - 1 rows' ? L - 1 : L, keys.length);
    const last = (list: Matrix) => list.slice(list.length - kept);
    return {
      ...rows,
      state: { keys: last(keys), values: last(values), ...(inputs['embeddings'] !== undefined && { h: [h], c: [c] }) },
    };
  };

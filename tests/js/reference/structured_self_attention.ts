/** structuredSelfAttention in double, from Lin et al. 2017, and its wrong variants by name. */
import type { Run } from '../support/mechanism_properties.ts';
import { layerOf } from './equations/recurrent_layers.ts';
import { columns, dot, lstmStep, mix, softmax, tanh, times, zeros, type Matrix } from './equations/rows.ts';

export type Wrong = 'softmax over hops' | 'padding attended' | 'norm not squared' | 'AtA';

/** ‖X Xᵀ - I‖²_F. */
function distanceToIdentity(X: Matrix): number {
  return X.flatMap((a, i) => X.map((b, j) => dot(a, b) - Number(i === j))).reduce((sum, x) => sum + x * x, 0);
}

/** The states of an LSTM of one direction or two. */
function lstmOf(params: Record<string, unknown>, S: Matrix): Matrix {
  const run = (way: string, rows: Matrix): Matrix => {
    const layer = layerOf(params, 'lstm', way);
    const width = layer[1][0]!.length;
    let state = { h: zeros(width), c: zeros(width) };
    return rows.map((x) => (state = lstmStep(x, state.h, state.c, layer)).h);
  };
  const forward = run('', S);
  if (!params['lstm.weight_hh_l0_reverse']) return forward;
  const backward = run('_reverse', [...S].reverse()).reverse();
  return forward.map((h, t) => [...h, ...backward[t]!]);
}

export const reference =
  (wrong: Wrong | ''): Run =>
  (inputs, params, options) => {
    const { H: given, S } = inputs as { H?: Matrix; S?: Matrix };
    const { Ws1, Ws2 } = params as { Ws1: Matrix; Ws2: Matrix };
    const T = (given ?? S!).length;
    const tokens = (options['lengths'] as number | undefined) ?? T;
    const states = given?.slice(0, tokens) ?? lstmOf(params, S!.slice(0, tokens));
    const H = Array.from({ length: T }, (_, t) => states[t] ?? zeros(Ws1.length));
    const length = wrong === 'padding attended' ? T : tokens;
    const scores = H.map((h) => times(tanh(times(h, Ws1)), Ws2));
    const A =
      wrong === 'softmax over hops'
        ? columns(scores.map((row) => softmax(row)))
        : columns(scores).map((hop) => softmax(hop, (t) => t < length));
    const M = A.map((weights) => mix(weights, H, H[0]!.length));
    const squared = distanceToIdentity(wrong === 'AtA' ? columns(A) : A);
    return { H, A, M, penalty: wrong === 'norm not squared' ? Math.sqrt(squared) : squared };
  };

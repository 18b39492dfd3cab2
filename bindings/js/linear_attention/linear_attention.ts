/** `linearAttention`: attention in time and room that grow with the tokens, not with their pairs. */
import { instanceOf } from '../runtime/instances.ts';
import { fail } from '../errors/errors.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import { CALL_OPTIONS, readLinearAttention } from './linear_attention_call.ts';
import { NO_STATE, bindLinearAttention, planRun } from './run.ts';
import { planState, readState } from './states.ts';
import { planTrace } from './trace.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { LinearOptions, RequestedLinearResult } from './types.ts';
import { Outputs, readTargets } from '../call/outputs.ts';
import { finish, plan } from '../call/call.ts';
import { isTensor } from '../tensor/tensor.ts';
import { outputLayout } from '../attention/options/layout.ts';

/**
 * Linear attention: the similarity of a query and a key is a product of features, φ(q)·φ(k), so that keys and values are summed
 * into a state S of constant size, which each query reads.
 *
 *     output[i] = φ(q[i])·S / (φ(q[i])·z + eps),   S = Σ φ(k[j])⊗v[j],   z = Σ φ(k[j])
 *
 * over all keys, or with `causal` those up to i. With an `updateRule` the output is scale·q[i]·S[i], where token t makes
 *
 *     linear       S[t] = S[t-1] + k⊗v
 *     gated        S[t] = e^g S[t-1] + k⊗v
 *     delta        S[t] = S[t-1] + β k⊗(v - S[t-1]ᵀk)
 *     gatedDelta   S[t] = e^g S[t-1] + β k⊗(v - (e^g S[t-1])ᵀk)
 *
 * for g = `decay` and β = `beta`. The delta rules do not normalize k: `qkNormalize: 'l2'` does; where β|k|² > 2 the state may
 * grow without bound, and nothing clamps it.
 *
 * A row that no key comes before is 0. A denominator that is 0 otherwise, or negative as it may be with signed features
 * ('identity', 'precomputed'), is divided by as it is: 'relu' without a common positive feature gives NaN.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param q [Tq, D], [H, Tq, D] or [B, H, Tq, D]; other layouts by the options `layout` and `heads`.
 * @param k [..., Tk, D]; Hkv equals or divides H; batch sizes equal or 1.
 * @param v [..., Tk, Dv].
 * @param options `featureMap` and how it is normalized, or `updateRule` with its gates; `initialState` and `returnState` to go on
 *   where another call ended: parts of a sequence give what the whole gives.
 * @returns `output` with q's rank and layout and width Dv; `state` where asked for; `trace`. Tensors where q is one.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * The stages of a trace: query, key, value, queryFeatures, keyFeatures, similarity (with the gates in it), state (after each token
 * where causal), normalizer, numerator, denominator, weights, output. 'exp' and 'favor+' show features divided by the highest.
 *
 * Accuracy: at most twice the error of the float32 definition plus 8 eps. Bits depend neither on threads nor on other heads.
 * Source: Katharopoulos et al. 2020, arXiv:2006.16236 §3.2, §3.3; ONNX LinearAttention (opset 27) for the update rules.
 * @example
 * import { linearAttention } from 'fovea/linear-attention';
 * const x = [[1, 0], [0, 1], [1, 1]];
 * const { output } = linearAttention(fovea, x, x, x, { featureMap: 'elu1', causal: true });
 */
export function linearAttention<
  Q extends ArrayInput,
  const S extends boolean | undefined = undefined,
  const T extends boolean | undefined = undefined,
>(
  fovea: Fovea,
  q: Q,
  k: ArrayInput,
  v: ArrayInput,
  options?: LinearOptions<S, T>,
): RequestedLinearResult<ResultArray<Q>, S, T> {
  const fn = 'linearAttention';
  const instance = instanceOf(fn, fovea);
  const known = readOptions(fn, options, CALL_OPTIONS, translate);
  checkBoolean(fn, 'returnState', known.returnState);
  checkBoolean(fn, 'trace', known.trace);
  const returns = known.returnState ?? false;
  const hasState = returns || known.initialState !== undefined;
  const call = readLinearAttention(instance, fn, { q, k, v }, known, hasState);
  const { sizes, axes, choice } = call;
  const stateSizes = { ...sizes, axes, features: call.features, normalize: call.normalize };
  const initial =
    known.initialState === undefined ? null : readState(instance, fn, 'initialState', known.initialState, stateSizes);
  if (known.trace === true && call.features.stabilized) refuseTrace(fn, call, initial !== null);
  const targets = readTargets(fn, known.out, ['output']);

  const planned = plan(instance, fn, (arena) => {
    const operands = [call.q.operand, call.k.operand, call.v.operand, ...(initial ?? [])];
    const outputs = new Outputs(arena, targets, isTensor(q), () => operands);
    const { shape, ...strides } = outputLayout(axes, choice, sizes);
    const output = outputs.reserve('output', shape);
    const state = hasState ? planState(arena, stateSizes, initial, returns ? outputs : null) : null;
    const placed = bindLinearAttention(arena, call);
    const place = { ptr: output.ptr, batch: sizes.batch, ...strides };
    planRun(arena, placed, place, state?.ptrs ?? NO_STATE);
    const trace = known.trace === true ? planTrace(arena, placed, place, initial) : null;
    return () => ({
      output: output.finish(),
      ...(returns ? { state: state!.finish() } : {}),
      ...(trace === null ? {} : { trace }),
    });
  });
  return finish(planned) as RequestedLinearResult<ResultArray<Q>, S, T>;
}

/** Features that are divided by the highest of their row do not show what is not divided with them. */
function refuseTrace(
  fn: string,
  { normalize, eps, rule, features }: ReturnType<typeof readLinearAttention>,
  hasState: boolean,
): void {
  if (normalize && eps === 0 && !hasState && (rule === 'linear' || rule === 'gated')) return;
  fail(
    'option',
    fn,
    `a trace with featureMap '${features.name}' needs normalize: true, eps 0, no initialState and no delta rule`,
  );
}

/** The stages of linear attention, in the order of the definition. */
import type { StridedPtr } from '../call/strided_ptr.ts';
import type { CallArena } from '../call/call_arena.ts';
import { withoutMissing } from '../attention/options/layout.ts';
import { TraceRecorder, type Stage } from '../trace/recorder.ts';
import type { Operand } from '../tensor/operands.ts';
import type { Shape } from '../tensor/shapes.ts';
import type { TraceAxis, TraceStage } from '../trace/stages.ts';
import { FeatureSpace, type Values } from './feature_space.ts';
import { planOneHot } from './one_hot.ts';
import type { BoundLinearAttention } from './run.ts';
import { featureFormula, similarityFormula, stateFormula } from './trace_formulas.ts';

/** Plans the stages behind the steps of the call itself, which fill them. */
export function planTrace(
  arena: CallArena,
  placed: BoundLinearAttention,
  output: StridedPtr,
  initial: readonly Operand[] | null,
): TraceStage[] {
  const { call } = placed;
  const { axes, sizes, causal, normalize, outputScale, eps } = call;
  const { batch, heads, kvHeads, queries, keys, width, valueWidth } = sizes;
  const F = call.features.count;
  const recorder = new TraceRecorder(arena, axes);
  addRows('query', 'Q', placed.q, heads, queries, width, 'query');
  addRows('key', 'K', placed.k, kvHeads, keys, width, 'key');
  addRows('value', 'V', placed.v, kvHeads, keys, valueWidth, 'key');

  const space = new FeatureSpace(arena, placed);
  addRows('queryFeatures', featureFormula(call, 'Q'), space.q, heads, queries, F, 'query');
  addRows('keyFeatures', featureFormula(call, 'K'), space.k, kvHeads, keys, F, 'key');
  const values: Values = { v: placed.v, width: valueWidth, initial: initial?.[0] ?? null };
  const ones: Values = { v: { ...planOneHot(arena, 1), tokenStride: 0 }, width: 1, initial: initial?.[1] ?? null };
  const oneHot: Values = { v: planOneHot(arena, keys), width: keys, initial: null };

  const similarity = addRows('similarity', similarityFormula(call), space.read(oneHot), heads, queries, keys, 'query', 'key');
  addHistory('state', stateFormula(call), values, [F, valueWidth], ['feature', 'valueFeature']);
  if (normalize)
    addHistory('normalizer', causal ? 'z_t = z_{t-1} + \\phi(k_t)' : 'z = \\sum_j \\phi(k_j)', ones, [F], ['feature']);
  addRows('numerator', 'N = \\phi(Q) \\, S', space.read(values), heads, queries, valueWidth, 'query');
  const denominator = normalize ? addDenominator() : null;
  const weights = normalize ? 'A_{ij} = \\frac{P_{ij}}{d_i}' : outputScale === 1 ? 'A = P' : `A = ${outputScale} \\, P`;
  add('weights', weights, heads, [queries, keys], ['query', 'key'], (target) => {
    target.forEach((_, n) => (target[n] = weight(similarity.data[n]!, denominator?.data[Math.floor(n / keys)])));
  });
  addRows('output', normalize ? 'O_i = \\frac{N_i}{d_i}' : 'O = A V', output, heads, queries, valueWidth, 'query');
  recorder.checkSize();
  return recorder.finish();

  /** [B, heads, ...rest] less the axes that q lacks. */
  function add(
    name: string,
    formula: string,
    rowHeads: number,
    rest: Shape,
    names: readonly TraceAxis[],
    fill: (target: Float32Array) => void,
  ): Stage {
    return recorder.add(name, formula, withoutMissing(axes, { batch, heads: rowHeads }, rest), names, fill);
  }

  function addRows(
    name: string,
    formula: string,
    from: StridedPtr,
    rowHeads: number,
    tokens: number,
    rowWidth: number,
    axis: TraceAxis,
    last: TraceAxis = 'feature',
  ): Stage {
    const strides = [from.batchStride, from.headStride, from.tokenStride, 1];
    const shown = withoutMissing(axes, { batch, heads: rowHeads }, [tokens, rowWidth]);
    return recorder.addArray(name, formula, [axis, last], from.ptr, [batch, rowHeads, tokens, rowWidth], strides, shown);
  }

  function weight(p: number, d: number | undefined): number {
    if (d === undefined) return outputScale * p;
    return p === 0 && d === 0 ? 0 : p / d;
  }

  function addDenominator(): Stage {
    const rows = space.read(ones);
    const formula = `d = \\phi(Q) \\, z${eps === 0 ? '' : ` + ${eps}`}`;
    return add('denominator', formula, heads, [queries], ['query'], (target) => {
      target.set(arena.heap.floats(rows.ptr.address, target.length));
      if (eps !== 0) target.forEach((d, i) => (target[i] = d + eps));
    });
  }

  /** A stage of [B, Hkv, ...] after each token: the axis of tokens follows the heads. */
  function addHistory(name: string, formula: string, of: Values, shape: readonly number[], names: readonly TraceAxis[]): void {
    const size = F * of.width;
    const tokens = causal ? keys : 1;
    let whole = new Float32Array(0);
    space.history(of, (state, t) => {
      if (t === 0) whole = new Float32Array(batch * kvHeads * tokens * size);
      for (let n = 0; n < batch * kvHeads; n++) whole.set(state.subarray(n * size, (n + 1) * size), (n * tokens + t) * size);
    });
    const [all, named] = causal
      ? [
          [keys, ...shape],
          ['token' as const, ...names],
        ]
      : [shape, names];
    add(name, formula, kvHeads, all, named, (target) => target.set(whole));
  }
}

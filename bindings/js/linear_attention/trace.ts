/** The stages of linear attention, in the order of the definition. */
import type { Frame } from '../frame.ts';
import type { Operand } from '../operands.ts';
import type { TraceStage } from '../types.ts';
import { FeatureSpace, type Values } from './feature_space.ts';
import { planOneHot, type Placed } from './places.ts';
import type { PlacedProblem } from './run.ts';
import type { Tools } from './tools.ts';
import { featureFormula, similarityFormula, stateFormula } from './trace_formulas.ts';
import { Stages, type Stage } from './trace_stages.ts';

/** Plans the stages behind the steps of the call itself, which fill them. */
export function planTrace(
  frame: Frame,
  tools: Tools,
  placed: PlacedProblem,
  output: Placed,
  initial: readonly Operand[] | null,
): TraceStage[] {
  const { problem } = placed;
  const { axes, sizes, causal, normalize, outputScale, eps } = problem;
  const { batch, heads, kvHeads, queries, keys, width, valueWidth } = sizes;
  const F = problem.features.count;
  const stages = new Stages(frame, tools, axes, batch);
  stages.addRows('query', 'Q', placed.q, heads, queries, width);
  stages.addRows('key', 'K', placed.k, kvHeads, keys, width);
  stages.addRows('value', 'V', placed.v, kvHeads, keys, valueWidth);

  const space = new FeatureSpace(frame, tools, placed);
  stages.addRows('queryFeatures', featureFormula(problem, 'Q'), space.q, heads, queries, F);
  stages.addRows('keyFeatures', featureFormula(problem, 'K'), space.k, kvHeads, keys, F);
  const values: Values = { v: placed.v, width: valueWidth, initial: initial?.[0] ?? null };
  const ones: Values = { v: { ...planOneHot(frame, 1), tokenStride: 0 }, width: 1, initial: initial?.[1] ?? null };
  const oneHot: Values = { v: planOneHot(frame, keys), width: keys, initial: null };

  const similarity = stages.addRows('similarity', similarityFormula(problem), space.read(oneHot), heads, queries, keys);
  addHistory('state', stateFormula(problem), values, [F, valueWidth]);
  if (normalize) addHistory('normalizer', causal ? 'z_t = z_{t-1} + \\phi(k_t)' : 'z = \\sum_j \\phi(k_j)', ones, [F]);
  stages.addRows('numerator', 'N = \\phi(Q) \\, S', space.read(values), heads, queries, valueWidth);
  const denominator = normalize ? addDenominator() : null;
  const weights = normalize ? 'A_{ij} = \\frac{P_{ij}}{d_i}' : outputScale === 1 ? 'A = P' : `A = ${outputScale} \\, P`;
  stages.add('weights', weights, heads, [queries, keys], (target) => {
    target.forEach((_, n) => (target[n] = weight(similarity.data[n]!, denominator?.data[Math.floor(n / keys)])));
  });
  stages.addRows('output', normalize ? 'O_i = \\frac{N_i}{d_i}' : 'O = A V', output, heads, queries, valueWidth);
  stages.checkSize();
  return stages.list;

  function weight(p: number, d: number | undefined): number {
    if (d === undefined) return outputScale * p;
    return p === 0 && d === 0 ? 0 : p / d;
  }

  function addDenominator(): Stage {
    const rows = space.read(ones);
    const formula = `d = \\phi(Q) \\, z${eps === 0 ? '' : ` + ${eps}`}`;
    return stages.add('denominator', formula, heads, [queries], (target) => {
      target.set(frame.heap.floats(rows.span.address, target.length));
      if (eps !== 0) target.forEach((d, i) => (target[i] = d + eps));
    });
  }

  /** Of [B, Hkv, ...] after each token, the tokens' axis comes behind the heads. */
  function addHistory(name: string, formula: string, of: Values, shape: readonly number[]): void {
    const size = F * of.width;
    const tokens = causal ? keys : 1;
    let whole = new Float32Array(0);
    space.history(of, (state, t) => {
      if (t === 0) whole = new Float32Array(batch * kvHeads * tokens * size);
      for (let n = 0; n < batch * kvHeads; n++) whole.set(state.subarray(n * size, (n + 1) * size), (n * tokens + t) * size);
    });
    stages.add(name, formula, kvHeads, [...(causal ? [keys] : []), ...shape], (target) => target.set(whole));
  }
}

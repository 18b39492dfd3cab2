/** `multiDimensionalAttention`: one softmax for each feature of the values. */
import { BLOCKS, FEATURE_SCORES, MULTI_DIMENSIONAL_FIELDS } from './abi.ts';
import type { Fovea } from '../fovea.ts';
import type { Placed } from '../dense.ts';
import { describe, fail } from '../errors.ts';
import type { Frame } from '../frame.ts';
import type { HeadsShape } from '../layout.ts';
import type { Operand } from '../operands.ts';
import { checkBoolean, readOptions } from '../options.ts';
import { knownAs, type Tools } from '../programs.ts';
import { sizeOf } from '../shapes.ts';
import type { ArrayInput, ResultArray } from '../types.ts';
import { readFeatures, type Features } from './features.ts';
import { contiguous, placed, planProducts } from './matrices.ts';
import { Stages } from './stages.ts';
import type { MultiDimensionalOptions, MultiDimensionalParams, MultiDimensionalResult } from './types.ts';

const RULES = ['causal', 'causalAlign', 'causalOffset', 'window', 'mask', 'keyLengths'] as const;
const OPTIONS = [
  ...RULES,
  'c',
  'activation',
  'weightLayout',
  'returnWeights',
  'trace',
  'out',
  'layout',
  'heads',
  'kvHeads',
] as const satisfies readonly (keyof MultiDimensionalOptions)[];

/**
 * Multi-dimensional attention: each feature d of the values has a softmax over the keys of its own, by
 *
 *     s[i,j,d] = c·tanh((q[i]·Wq + k[j]·Wk + bias)[d] / c)                without W: bounded by c, DiSAN's token2token
 *     s[i,j,:] = σ(q[i]·Wq + k[j]·Wk + bias)·W + b                        with W: the general form, σ = `activation`
 *     output[i,d] = Σ_j softmax_j(s[i,j,d] + mask[i,j])·v[j,d]
 *
 * With q = null the score is of the key alone, Tq = 1: source2token, which makes one row of a sequence. A directional mask is a
 * boolean mask that forbids the diagonal too. Nothing of Tq × Tk × D is stored, unless `returnWeights` asks for it.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param q [Tq, Dq], [H, Tq, Dq] or [B, H, Tq, Dq]; other layouts by `layout` and `heads`; or null.
 * @param k [..., Tk, Dk]; Hkv equals or divides H; batch sizes equal or 1.
 * @param v [..., Tk, Dv].
 * @param params Wq [Dq, E], Wk [Dk, E], or [H, Dq, E] and [Hkv, Dk, E]; bias [E] or [H, E]; W [E, Dv] and b [Dv]. Without W,
 *   E = Dv. Without q no Wq. With `weightLayout: 'outIn'` each matrix is [out, in].
 * @param options rules of place and masks as for `attention`; `c` (default 5), `activation` ('tanh' by default).
 * @returns `output` with q's rank and layout (k's, without q) and width Dv; `weights` [B, H, Tq, Tk, Dv] less the axes that it lacks,
 *   where asked for; `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `load` | `internal`.
 *
 * A query without an allowed key gives 0. A NaN or +Infinity score of an allowed pair makes its feature of its row NaN. The stages of
 * a trace: query, key, value, projectedQuery, projectedKey, weights, output; without q no query, and bias as projectedQuery.
 *
 * Accuracy: at most twice the error of the float32 definition plus 8 eps, after float32 projections. A row's bits do not depend on
 * threads. Source: Shen et al. 2018, arXiv:1709.04696 §3.1, §3.2, §4.2.
 * @example
 * import { multiDimensionalAttention } from 'fovea/score';
 * const x = [[1, 0], [0, 1], [1, 1]];
 * const identity = [[1, 0], [0, 1]];
 * const { output } = multiDimensionalAttention(fovea, x, x, x, { Wq: identity, Wk: identity }); // [3, 2]
 * const sentence = multiDimensionalAttention(fovea, null, x, x, { Wk: identity, W: identity }).output; // [1, 2]
 */
export function multiDimensionalAttention<Q extends ArrayInput | null, K extends ArrayInput>(
  fovea: Fovea,
  q: Q,
  k: K,
  v: ArrayInput,
  params: MultiDimensionalParams,
  options?: MultiDimensionalOptions,
): MultiDimensionalResult<ResultArray<Q extends null ? K : Q>> {
  const fn = 'multiDimensionalAttention';
  const tools = toolsFor(fn, fovea);
  const known = readOptions(fn, options, OPTIONS);
  checkBoolean(fn, 'returnWeights', known.returnWeights);
  checkBoolean(fn, 'trace', known.trace);
  const choice = tools.readLayout(fn, known);
  const read = (name: string, value: unknown, heads: number): { operand: Operand; heads: HeadsShape } => {
    const operand = tools.readOperand(tools.instance, fn, name, value);
    return { operand, heads: tools.readHeads(fn, operand, choice, heads) };
  };
  const key = read('k', k, choice.kvHeads);
  const value = read('v', v, choice.kvHeads);
  const query = q === null ? null : read('q', q, choice.heads);
  const features = readFeatures(tools, fn, params, known, query?.heads ?? null, key.heads, value.heads);
  const first = query ?? key;
  const { width } = features;
  const sizes = tools.matchSizes(
    fn,
    { q: first.operand, k: key.operand, v: value.operand },
    { ...first.heads, tokens: query?.heads.tokens ?? 1, width },
    { ...key.heads, width },
    value.heads,
  );
  const axes = tools.axesOf(first.operand, choice);
  if (!axes.batch && sizes.batch !== 1) fail('shape', fn, `q must have a batch axis when k or v have one`);
  const rules = tools.readRules(tools.instance, fn, known, sizes);
  const targets = tools.readTargets(fn, known.out, ['output', 'weights']);
  const { batch, heads, kvHeads, queries, keys, valueWidth } = sizes;
  const wantsWeights = (known.returnWeights ?? false) || targets.weights !== undefined;

  const call = tools.plan(tools.instance, fn, (frame) => {
    const holders = [features.wq, features.wk, features.bias, features.w, rules.mask, rules.floatMask];
    const parameters = holders.flatMap((one) => (one === null ? [] : [one.operand]));
    const inputs = [first.operand, key.operand, value.operand, ...parameters, ...(features.b ? [features.b] : [])];
    const outputs = new tools.Outputs(frame, targets, tools.isTensor(q ?? k), inputs);
    const { shape, ...strides } = tools.outputLayout(axes, choice, sizes);
    const output = outputs.reserve('output', shape);
    const leading = [...(axes.batch ? [batch] : []), ...(axes.heads ? [heads] : []), queries];
    const weightsShape = [...leading, keys, valueWidth];
    const weights = wantsWeights ? outputs.reserve('weights', weightsShape) : null;
    const traced = known.trace === true ? (weights?.span ?? frame.reserveFloats(sizeOf(weightsShape))) : weights?.span;

    const own = { q: query && placed(frame, query), k: placed(frame, key), v: placed(frame, value) };
    const projected = {
      q: planQueries(frame, own.q, features, heads, queries),
      k: planProducts(frame, own.k, { heads: kvHeads, tokens: keys }, features.wk),
    };
    const result: Placed = { span: output.span, batch, ...strides };
    if (batch * heads * queries * valueWidth > 0)
      planRun(frame, tools, tools.planDense(frame, sizes, projected.q, projected.k, own.v, rules), features, result, traced);
    const stages = known.trace === true ? new Stages(frame, tools, axes) : null;
    if (own.q !== null) stages?.add('query', 'Q', own.q, heads, queries, query!.heads.width);
    stages?.add('key', 'K', own.k, kvHeads, keys, key.heads.width);
    stages?.add('value', 'V', own.v, kvHeads, keys, valueWidth);
    stages?.add(
      'projectedQuery',
      QUERY[Number(own.q !== null)]![Number(features.bias !== null)]!,
      projected.q,
      heads,
      queries,
      width,
    );
    stages?.add('projectedKey', '\\tilde K = K W_k', projected.k, kvHeads, keys, width);
    if (traced !== undefined) stages?.addArray('weights', weightsFormula(features), traced, weightsShape);
    stages?.add('output', 'O_{id} = \\sum_j A_{ijd} V_{jd}', result, heads, queries, valueWidth);
    return () => ({
      output: output.finish(),
      ...(weights === null ? {} : { weights: weights.finish() }),
      ...(stages === null ? {} : { trace: stages.finish() }),
    });
  });
  return tools.finish(call) as MultiDimensionalResult<ResultArray<Q extends null ? K : Q>>;
}

/** Formulas of projected queries: without and with q, without and with bias. */
const QUERY = [
  ['0', 'b_1'],
  ['\\tilde Q = Q W_q', '\\tilde Q = Q W_q + b_1'],
];

function weightsFormula({ score, bound, b }: Features): string {
  const sum = '\\tilde Q_{i} + \\tilde K_{j}';
  const logits =
    score === 'bounded'
      ? `${bound} \\tanh\\!\\left(\\frac{${sum}}{${bound}}\\right)`
      : `\\operatorname{${score}}(${sum}) W${b === null ? '' : ' + b'}`;
  return `A_{ijd} = \\operatorname{softmax}_j \\left(${logits}\\right)_d`;
}

/** q·Wq + bias; without queries the bias alone, as the one query of every head. */
function planQueries(frame: Frame, q: Placed | null, { wq, bias, width }: Features, heads: number, queries: number): Placed {
  if (q !== null && wq !== null) return planProducts(frame, q, { heads, tokens: queries }, wq, bias);
  if (bias !== null) return { ...contiguous(frame.place(bias.operand), 1, 1, 1, width), headStride: bias.headStride };
  const span = frame.reserveFloats(width);
  frame.steps.push({ operation: null, run: () => void frame.heap.floats(span.address, width).fill(0) });
  return contiguous(span, 1, 1, 1, width);
}

function planRun(
  frame: Frame,
  tools: Tools,
  { fields }: ReturnType<Tools['planDense']>,
  { score, bound, w, b }: Features,
  output: Placed,
  weights: { readonly address: number } | undefined,
): void {
  const attention = frame.placeBlock(tools.ATTENTION_FIELDS, () => ({
    ...fields(),
    output: output.span.address,
    outputBatch: output.batchStride,
    outputHead: output.headStride,
    outputToken: output.tokenStride,
    weights: weights?.address ?? 0,
  }));
  const [matrix, bias] = [w === null ? null : frame.place(w.operand), b === null ? null : frame.place(b)];
  const run = (): void =>
    frame.run('multiDimensionalAttention', MULTI_DIMENSIONAL_FIELDS, {
      attention: attention.address,
      score: FEATURE_SCORES.indexOf(score),
      bound,
      w: matrix?.address ?? 0,
      wRow: w?.row ?? 0,
      wColumn: w?.column ?? 0,
      bias: bias?.address ?? 0,
    });
  frame.steps.push({ operation: null, run });
}

/** Those whose module is known to read the block that is written here. */
const matching = new WeakSet<Tools>();

function toolsFor(fn: string, fovea: unknown): Tools {
  const tools = knownAs(fovea)?.tools;
  if (tools === undefined)
    return fail('value', fn, `fovea must be what load() returned, on this thread, got ${describe(fovea)}`);
  const core = tools.instance.engine.check(fn);
  if (!matching.has(tools) && core.scoreAbiHash() >>> 0 !== tools.abiHash(BLOCKS))
    fail('load', fn, 'the .wasm file is of another version than fovea/score; take both from one package');
  matching.add(tools);
  return tools;
}

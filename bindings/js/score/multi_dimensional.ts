/** `multiDimensionalAttention`: one softmax for each feature of the values. */
import { instanceOf } from '../runtime/instances.ts';
import type { Fovea } from '../fovea/fovea.ts';
import { prepareAttention } from '../attention/request/attention_request.ts';
import {
  axesOf,
  type HeadsShape,
  matchSizes,
  outputLayout,
  readHeads,
  readLayout,
  withoutMissing,
} from '../attention/options/layout.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkBoolean, readOptions } from '../errors/options.ts';
import { rowMajor, sizeOf } from '../tensor/shapes.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import { planFeatures, planQueries, QUERY, weightsFormula } from './feature_steps.ts';
import { readFeatures } from './features.ts';
import { planProducts } from './matrices.ts';
import { TraceRecorder } from '../trace/recorder.ts';
import { stridedPtr, type StridedPtr } from '../call/strided_ptr.ts';
import type { MultiDimensionalOptions, MultiDimensionalParams, RequestedMultiDimensionalResult } from './types.ts';
import { Outputs, readTargets } from '../call/outputs.ts';
import { finish, plan } from '../call/call.ts';
import { isTensor } from '../tensor/tensor.ts';
import { readAttentionSpec } from '../attention/options/attention_spec.ts';

const RULES = ['causal', 'causalAlign', 'causalOffset', 'window', 'mask', 'keyLengths', 'pattern'] as const;
const OPTIONS = [
  ...RULES,
  'c',
  'activation',
  'weightLayout',
  'returnWeights',
  'returnLse',
  'trace',
  'out',
  'layout',
  'heads',
  'kvHeads',
] as const satisfies readonly (keyof MultiDimensionalOptions)[];

/** The argument that has the rows of the result: k where q is null, which without strictNullChecks is inferred as any. */
type RowsOf<Q, K> = 0 extends 1 & Q ? K : Q extends null ? K : Q;

/**
 * Multi-dimensional attention: each feature d of the values has a softmax over the keys of its own, by
 *
 *     s[i,j,d] = c·tanh((q[i]·Wq + k[j]·Wk + bias)[d] / c)                without W: bounded by c, DiSAN's token2token
 *     s[i,j,:] = σ(q[i]·Wq + k[j]·Wk + bias)·W + b                        with W: the general form, σ = `activation`
 *     output[i,d] = Σ_j softmax_j(s[i,j,d] + mask[i,j])·v[j,d],   lse[i,d] = ln Σ_j exp(s[i,j,d] + mask[i,j])
 *
 * With q = null the score is of the key alone, Tq = 1: source2token, which makes one row of a sequence. A directional mask is a
 * boolean mask that forbids the diagonal too. Nothing of Tq × Tk × D is stored, unless `returnWeights` asks for it. Pairs outside
 * `pattern` are not computed: time follows its pairs. A bias of its pairs is added to all features.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param q [Tq, Dq], [H, Tq, Dq] or [B, H, Tq, Dq]; other layouts by `layout` and `heads`; or null.
 * @param k [..., Tk, Dk]; Hkv equals or divides H; batch sizes equal or 1.
 * @param v [..., Tk, Dv].
 * @param params Wq [Dq, E], Wk [Dk, E], or [H, Dq, E] and [Hkv, Dk, E]; bias [E] or [H, E]; W [E, Dv] and b [Dv]. Without W,
 *   E = Dv. Without q no Wq. With `weightLayout: 'outIn'` each matrix is [out, in].
 * @param options positional masks, masks and `pattern` as for `attention`; `c` (default 5), `activation` ('tanh' by default).
 * @returns `output` with q's rank and layout (k's, without q) and width Dv; `weights` [B, H, Tq, Tk, Dv], an array with a pattern, too,
 *   and `lse` [B, H, Tq, Dv], less the axes that it lacks, where asked for; `trace`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `load` | `internal`.
 *
 * A query without an allowed key gives 0, and an lse of -Infinity. A NaN or +Infinity score of an allowed pair makes its feature of its row NaN. The stages of
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
export function multiDimensionalAttention<
  Q extends ArrayInput | null,
  K extends ArrayInput,
  const W extends boolean | undefined = undefined,
  const T extends boolean | undefined = undefined,
  const L extends boolean | undefined = undefined,
>(
  fovea: Fovea,
  q: Q,
  k: K,
  v: ArrayInput,
  params: MultiDimensionalParams,
  options?: MultiDimensionalOptions<W, T, L>,
): RequestedMultiDimensionalResult<ResultArray<RowsOf<Q, K>>, W, T, L> {
  const fn = 'multiDimensionalAttention';
  const instance = instanceOf(fn, fovea);
  const known = readOptions(fn, options, OPTIONS, translate);
  checkBoolean(fn, 'returnWeights', known.returnWeights);
  checkBoolean(fn, 'returnLse', known.returnLse);
  checkBoolean(fn, 'trace', known.trace);
  const choice = readLayout(fn, known);
  const read = (name: string, value: unknown, heads: number): { operand: Operand; heads: HeadsShape } => {
    const operand = readOperand(instance, fn, name, value);
    return { operand, heads: readHeads(fn, operand, choice, heads) };
  };
  const key = read('k', k, choice.kvHeads);
  const value = read('v', v, choice.kvHeads);
  const query = q === null ? null : read('q', q, choice.heads);
  const features = readFeatures(instance, fn, params, known, query?.heads ?? null, key.heads, value.heads);
  const first = query ?? key;
  const { width } = features;
  const axes = axesOf(first.operand, choice);
  const sizes = matchSizes(
    fn,
    { q: first.operand, k: key.operand, v: value.operand },
    { ...first.heads, tokens: query?.heads.tokens ?? 1, width },
    { ...key.heads, width },
    value.heads,
    axes.batch,
    query === null ? undefined : choice,
  );
  const spec = readAttentionSpec(instance, fn, known, sizes);
  const targets = readTargets(fn, known.out, ['output', 'weights', 'lse']);
  const { batch, heads, kvHeads, queries, keys, valueWidth } = sizes;
  const wantsWeights = (known.returnWeights ?? false) || targets.weights !== undefined;
  const wantsLse = (known.returnLse ?? false) || targets.lse !== undefined;

  const call = plan(instance, fn, (arena) => {
    const holders = [
      features.wq,
      features.wk,
      features.bias,
      features.w,
      spec.mask,
      spec.floatMask,
      spec.keyMask,
      spec.keyFloatMask,
    ];
    const parameters = holders.flatMap((one) => (one === null ? [] : [one.operand]));
    const inputs = [first.operand, key.operand, value.operand, ...parameters, ...(features.b ? [features.b] : [])];
    const outputs = new Outputs(arena, targets, isTensor(q ?? k), () => inputs);
    const { shape, ...strides } = outputLayout(axes, choice, sizes);
    const output = outputs.reserve('output', shape);
    const leading = [...(axes.batch ? [batch] : []), ...(axes.heads ? [heads] : []), queries];
    const weightsShape = [...leading, keys, valueWidth];
    const weights = wantsWeights ? outputs.reserve('weights', weightsShape) : null;
    const lse = wantsLse ? outputs.reserve('lse', [...leading, valueWidth]) : null;
    const traced = known.trace === true ? (weights?.ptr ?? arena.reserveFloats(sizeOf(weightsShape))) : (weights?.ptr ?? null);

    const bind = ({ operand, heads: shape }: { readonly operand: Operand; readonly heads: HeadsShape }): StridedPtr =>
      stridedPtr(arena.place(operand), shape);
    const own = { q: query && bind(query), k: bind(key), v: bind(value) };
    const projected = {
      q: planQueries(arena, own.q, features, heads, queries),
      k: planProducts(arena, own.k, { heads: kvHeads, tokens: keys }, features.wk),
    };
    const result: StridedPtr = { ptr: output.ptr, batch, ...strides };
    if (batch * heads * queries * valueWidth > 0) {
      const request = prepareAttention(arena, sizes, projected.q, projected.k, own.v, spec);
      planFeatures(request, features, { output: result, weights: traced, lse: lse?.ptr ?? null });
    }
    const stages = known.trace === true ? new TraceRecorder(arena, axes) : null;
    const add = (name: string, formula: string, from: StridedPtr, axis: 'query' | 'key', rowWidth: number): void => {
      const [rowHeads, tokens] = axis === 'query' ? [heads, queries] : [kvHeads, keys];
      const shown = withoutMissing(axes, { batch: from.batch, heads: rowHeads }, [tokens, rowWidth]);
      const strides = [from.batchStride, from.headStride, from.tokenStride, 1];
      stages?.addArray(name, formula, [axis, 'feature'], from.ptr, [from.batch, rowHeads, tokens, rowWidth], strides, shown);
    };
    if (own.q !== null) add('query', 'Q', own.q, 'query', query!.heads.width);
    add('key', 'K', own.k, 'key', key.heads.width);
    add('value', 'V', own.v, 'key', valueWidth);
    add('projectedQuery', QUERY[Number(own.q !== null)]![Number(features.bias !== null)]!, projected.q, 'query', width);
    add('projectedKey', '\\tilde K = K W_k', projected.k, 'key', width);
    if (traced !== null)
      stages?.addArray(
        'weights',
        weightsFormula(features, spec.pattern !== null),
        ['query', 'key', 'feature'],
        traced,
        weightsShape,
        rowMajor(weightsShape),
      );
    add('output', 'O_{id} = \\sum_j A_{ijd} V_{jd}', result, 'query', valueWidth);
    stages?.checkSize();
    return () => ({
      output: output.finish(),
      ...(weights === null ? {} : { weights: weights.finish() }),
      ...(lse === null ? {} : { lse: lse.finish() }),
      ...(stages === null ? {} : { trace: stages.finish() }),
    });
  });
  return finish(call) as RequestedMultiDimensionalResult<ResultArray<RowsOf<Q, K>>, W, T, L>;
}

import type { Fovea, TraceStage } from 'fovea';
import type { LinearOptions } from 'fovea/linear-attention';
import { linearAttention } from 'fovea/linear-attention';
import type { Pattern } from 'fovea/pattern';
import type { Arguments } from 'fovea/catalog';
import type { Matrix } from '../../../../figures/matrix.ts';

/** One head of self-attention, computed by the package. The page draws the stages of its trace and computes nothing itself. */

export interface Call {
  /** Divide the scores by √d; otherwise their scale is 1. */
  readonly scaled: boolean;
  readonly causal: boolean;
  /** The pairs that attend; null = all. */
  readonly sparse: { readonly pattern: Pattern; readonly mask: Matrix } | null;
  /** Linear attention on the same queries, keys and values. */
  readonly linear: LinearOptions | null;
}

type Trace = readonly TraceStage[];

/** Softmax attention over all pairs; with a pattern over those that it keeps. */
export function softmaxTrace(fovea: Fovea, inputs: Arguments, params: Arguments, call: Call, pattern: Pattern | null): Trace {
  const rules = { causal: call.causal, ...(pattern ? { pattern } : {}) };
  const options = { scale: call.scaled ? undefined : 1, ...rules, trace: true as const };
  const { trace } = fovea.selfAttention(inputs['X'] as never, params as never, options);
  return trace ?? [];
}

/**
 * All that is told of a call, in order. With a pattern, scores outside of it are never computed: those of all pairs show what is left
 * out. What stands beside an attention, for comparison, has the name `dense` or `exact`.
 */
export function traceOf(fovea: Fovea, inputs: Arguments, params: Arguments, call: Call): Trace {
  const dense = softmaxTrace(fovea, inputs, params, call, null);
  // X itself is an argument.
  const projected = ['query', 'key', 'value', 'scores', 'scaled'].map((name) => stageOf(dense, name));
  const softmax = stageOf(dense, 'weights');
  if (call.sparse) {
    const { pattern, mask } = call.sparse;
    const sparse = softmaxTrace(fovea, inputs, params, call, pattern);
    const { axes, shape } = stageOf(dense, 'scaled');
    return [
      ...projected,
      { name: 'pattern', axes, shape, formula: '', data: Float32Array.from(mask.data) },
      { ...softmax, name: 'dense' },
      ...['masked', 'weights', 'output'].map((name) => stageOf(sparse, name)),
    ];
  }
  if (!call.linear) return dense.filter(({ name }) => name !== 'input');
  const [q, k, v] = projected;
  const linear = linearAttention(fovea, q!, k!, v!, { ...call.linear, trace: true }).trace ?? [];
  const weights = stageOf(linear, 'weights');
  const difference = weights.data.map((x, i) => x - (softmax.data[i] ?? NaN));
  return [
    ...projected,
    { ...softmax, name: 'exact' },
    ...linear.filter(({ name }) => !['query', 'key', 'value'].includes(name)),
    { ...weights, name: 'error', formula: '', data: difference },
  ];
}

export function stageOf(trace: Trace, name: string): TraceStage {
  const stage = trace.find((one) => one.name === name);
  if (!stage) throw new Error(`the trace has no stage "${name}"`);
  return stage;
}

/** A stage's last two axes; a list is one column. */
export function matrixOf({ data, shape }: TraceStage): Matrix {
  const [rows = 0, cols = 1] = shape.slice(-2);
  return { data, rows, cols };
}

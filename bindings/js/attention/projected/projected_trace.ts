/** The stages of a trace before and after attention itself: inputs, concatenated heads, output. */
import { type Linear, type Rows, sequenceRows } from './linear.ts';
import type { Operand } from '../../tensor/operands.ts';
import type { Sequences } from './params.ts';
import type { Projected } from './projected_call.ts';
import type { TraceAxis } from '../../trace/stages.ts';
import type { AttentionTrace } from '../trace/attention_trace.ts';

/** `input` where query, key and value are one sequence, else one stage for each. */
export function traceInputs(tracer: AttentionTrace, { arena, call: { inputs } }: Projected): void {
  const { query, key, value } = inputs;
  if (isOneSequence(inputs)) {
    addInput('input', 'X', query, 'token');
    return;
  }
  addInput('queryInput', 'X_q', query, 'query');
  addInput('keyInput', 'X_k', key, 'key');
  addInput('valueInput', 'X_v', value, 'key');

  function addInput(name: string, symbol: string, operand: Operand, axis: TraceAxis): void {
    const { span, batch, rows, batchStride, rowStride } = sequenceRows(arena.place(operand), operand);
    tracer.addRows(
      name,
      symbol,
      span,
      { batch, tokens: rows, width: operand.shape[operand.shape.length - 1]!, batchStride, rowStride },
      axis,
    );
  }
}

/** The formulas of query, key and value. */
export function symbols({ call: { inputs }, weights: { q, k, v } }: Projected): { query: string; key: string; value: string } {
  const one = isOneSequence(inputs);
  const symbol = (name: string, { bias }: Linear): string => {
    const letter = name.toLowerCase();
    return `${name} = X${one ? '' : `_${letter}`} W_${letter}${bias === null ? '' : ` + b_${letter}`}`;
  };
  return { query: symbol('Q', q), key: symbol('K', k), value: symbol('V', v) };
}

/** `heads`, concatenated, only where an output projection follows; then `output`. */
export function traceOutput(
  tracer: AttentionTrace,
  { weights, sizes, axes, spec: { terms } }: Projected,
  heads: Rows,
  output: Rows | null,
): void {
  const valuesOf = (h: string): string => (terms.value === '' ? `A${h} V${h}` : `A${h} \\left(V${h}${terms.value}\\right)`);
  const concatenated = axes.heads
    ? `\\operatorname{Concat}(${valuesOf('_1')}, \\ldots, ${valuesOf(`_{${sizes.heads}}`)})`
    : valuesOf('');
  add(output === null ? 'output' : 'heads', `${output === null ? 'O' : 'H'} = ${concatenated}`, heads);
  if (output !== null) add('output', `O = H W_o${weights.o?.bias === null ? '' : ' + b_o'}`, output);

  function add(name: string, formula: string, { span, batch, rows, batchStride, rowStride }: Rows): void {
    tracer.addRows(name, formula, span, { batch, tokens: rows, width: rowStride, batchStride, rowStride }, 'query');
  }
}

function isOneSequence({ query, key, value }: Sequences): boolean {
  return query === key && key === value;
}

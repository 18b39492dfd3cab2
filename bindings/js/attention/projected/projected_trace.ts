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
    addRows(tracer, name, symbol, sequenceRows(arena.place(operand), operand), axis, operand.shape.at(-1)!);
  }
}

function addRows(tracer: AttentionTrace, name: string, formula: string, rows: Rows, axis: TraceAxis, width: number): void {
  tracer.add(name, formula, { ...rows, headStride: 0, tokenStride: rows.rowStride }, null, axis, rows.rows, width);
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
  const isLast = output === null;
  addRows(tracer, isLast ? 'output' : 'heads', `${isLast ? 'O' : 'H'} = ${concatenated}`, heads, 'query', heads.rowStride);
  if (isLast) return;
  const formula = `O = H W_o${weights.o?.bias === null ? '' : ' + b_o'}`;
  addRows(tracer, 'output', formula, output, 'query', output.rowStride);
}

function isOneSequence({ query, key, value }: Sequences): boolean {
  return query === key && key === value;
}

/** The chosen number, and the step of a causal state, as links have them. */
import type { TraceView } from '../../stages/trace_view.svelte.ts';
import type { Selection } from '../../stages/told.ts';
import { TOKEN_LIMIT } from '../../text/tokens.ts';
import type { Computation } from './computation.svelte.ts';

/** Names that links have for arrays of other names. */
const RENAMED: Readonly<Record<string, string>> = { Q: 'query', K: 'key', V: 'value', X: 'input', before: 'state' };
const ARGUMENTS = ['Wq', 'Wk', 'Wv'];
const STATE = 'stage.state';

/** `cell=weights.0.1`, `cell=X.0.0`. */
export function writeCell(params: URLSearchParams, selection: Selection | null): void {
  if (!selection) return;
  const name = selection.key.slice(selection.key.indexOf('.') + 1);
  const known = Object.entries(RENAMED).find(([, stage]) => stage === name && stage !== 'state')?.[0];
  params.set('cell', [known ?? name, ...selection.index].join('.'));
}

export function readCell(params: URLSearchParams, traceView: TraceView): Selection | null {
  const [, name = '', numbers = ''] = /^(\w+)((?:\.\d{1,3}){1,3})$/.exec(params.get('cell') ?? '') ?? [];
  if (name === '') return null;
  const key = ARGUMENTS.includes(name) ? `params.${name}` : `stage.${RENAMED[name] ?? name}`;
  const index = numbers.split('.').slice(1).map(Number);
  // A cell of the state that is drawn, without its step.
  return { key, index: key === STATE && index.length === 2 ? [...traceView.slice(STATE).leading, ...index] : index };
}

/** `after=2`: the state after the second token. Without it, the last is drawn. */
export function readStep(params: URLSearchParams, traceView: TraceView): void {
  const after = Number(params.get('after'));
  traceView.show(STATE, { leading: [Number.isInteger(after) && after >= 1 ? after - 1 : TOKEN_LIMIT], row: 0, col: 0 });
}

export function writeStep(params: URLSearchParams, traceView: TraceView, { linear, tokens }: Computation): void {
  const [step] = traceView.slice(STATE).leading;
  if (linear && step !== undefined && step < tokens.length - 1) params.set('after', String(step + 1));
}

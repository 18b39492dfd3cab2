/** The crossing of linear attention: a problem whose arrays are in wasm memory, as the fields of a block. */
import { LINEAR_FIELDS } from './abi.ts';
import type { Frame, Span } from '../frame.ts';
import { NOWHERE, placed, type Placed } from './places.ts';
import { planProjection } from './features.ts';
import { RULES, type Gate } from './gates.ts';
import type { Problem } from './problem.ts';
import type { Tools } from './tools.ts';

export type LinearFields = Record<(typeof LINEAR_FIELDS)[number], number>;

/** Where the state is, [B, Hkv, ...] each; NOWHERE = there is none. */
export interface StateSpans {
  readonly s: Span;
  readonly z: Span;
  readonly m: Span;
}

export const NO_STATE: StateSpans = { s: NOWHERE, z: NOWHERE, m: NOWHERE };

/** A problem with its arrays placed. */
export interface PlacedProblem {
  readonly problem: Problem;
  readonly q: Placed;
  readonly k: Placed;
  readonly v: Placed;
  readonly projection: Span;
  /** A fresh block, without output and state; to be asked for once the frame is committed. */
  readonly fields: () => LinearFields;
}

/** Reserves what the arguments need; `projection` is one that is in memory already. */
export function placeProblem(frame: Frame, tools: Tools, problem: Problem, projection?: Span): PlacedProblem {
  const { sizes, features } = problem;
  const [q, k, v] = [problem.q, problem.k, problem.v].map(({ operand, heads }) => placed(frame.place(operand), heads)) as [
    Placed,
    Placed,
    Placed,
  ];
  const w = projection ?? planProjection(frame, tools, features, sizes.width);
  const keyLengths = frame.placeIntegers(problem.keyLengths);
  const decay = placeGate(frame, problem.decay);
  const beta = placeGate(frame, problem.beta);
  const { batch, heads, kvHeads, queries, keys, width, valueWidth } = sizes;
  // prettier-ignore
  const fields = (): LinearFields => ({
    batch, heads, kvHeads, queries, keys, width, valueWidth,
    q: q.span.address, qBatch: q.batchStride, qHead: q.headStride, qToken: q.tokenStride,
    k: k.span.address, kBatch: k.batchStride, kHead: k.headStride, kToken: k.tokenStride,
    v: v.span.address, vBatch: v.batchStride, vHead: v.headStride, vToken: v.tokenStride,
    output: 0, outputBatch: 0, outputHead: 0, outputToken: 0,
    featureMap: features.map, randomFeatures: features.projection === null ? 0 : features.count, projection: w.address,
    rule: RULES.indexOf(problem.rule), causal: Number(problem.causal), normalize: Number(problem.normalize),
    queryScale: problem.queryScale, keyScale: problem.keyScale, outputScale: problem.outputScale, eps: problem.eps,
    keyLengths: keyLengths.address,
    decay: decay.span.address, decayBatch: decay.batchStride, decayHead: decay.headStride, decayToken: decay.tokenStride,
    decayWidth: decay.width,
    beta: beta.span.address, betaBatch: beta.batchStride, betaHead: beta.headStride, betaToken: beta.tokenStride,
    chunk: problem.chunk, s: 0, z: 0, m: 0,
  });
  return { problem, q, k, v, projection: w, fields };
}

/** Plans the crossing; what `fields` says goes before what the problem says. */
export function planRun(
  frame: Frame,
  { fields: own }: PlacedProblem,
  output: Placed,
  state: StateSpans,
  fields: () => Partial<LinearFields> = () => ({}),
): void {
  const run = (): void => {
    const block = {
      ...own(),
      ...outputFields(output),
      s: state.s.address,
      z: state.z.address,
      m: state.m.address,
      ...fields(),
    };
    const { batch, heads, kvHeads, queries, keys, valueWidth } = block;
    // Keys without a query still change the state.
    if (batch * heads * kvHeads * valueWidth === 0 || queries + keys === 0) return;
    frame.run('linearAttention', LINEAR_FIELDS, block);
  };
  frame.steps.push({ operation: null, run });
}

function outputFields({ span, batchStride, headStride, tokenStride }: Placed): Partial<LinearFields> {
  return { output: span.address, outputBatch: batchStride, outputHead: headStride, outputToken: tokenStride };
}

function placeGate(frame: Frame, gate: Gate | null): Omit<Gate, 'operand'> & { readonly span: Span } {
  if (gate === null) return { span: NOWHERE, batchStride: 0, headStride: 0, tokenStride: 0, width: 0 };
  const { batchStride, headStride, tokenStride, width } = gate;
  return { span: frame.place(gate.operand), batchStride, headStride, tokenStride, width };
}

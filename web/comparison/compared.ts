/** Pictures of several mechanisms on one scale. */
import type { TraceStage } from 'fovea';
import { difference, distance, type Distance } from '../figures/distance.ts';
import type { Matrix } from '../figures/matrix.ts';
import { extent } from '../figures/matrix.ts';
import { contributions, outputOf, valueNorms, weightsOf, type Sliced } from './pictures.ts';
import type { Compared, SharedInput } from './shared_input.ts';

export type View = 'weights' | 'contributions' | 'outputs' | 'difference';
export const VIEWS: readonly View[] = ['weights', 'contributions', 'outputs', 'difference'];

export type Lack = 'weights' | 'values' | 'output' | 'projections' | 'projected' | 'heads';

/** One mechanism's part of the comparison. */
export interface Part {
  readonly compared: Compared;
  readonly weights: Sliced | null;
  readonly contributions: Sliced | null;
  readonly output: Sliced | null;
  readonly masked: Sliced | null;
  readonly lacks: readonly Lack[];
}

/** 1 where a pair may not attend. */
function maskOf(trace: readonly TraceStage[]): Sliced | null {
  const stage = trace.find(({ name }) => name === 'masked');
  if (!stage?.data.includes(-Infinity)) return null;
  return weightsOf([{ ...stage, name: 'weights', data: Float32Array.from(stage.data, (x) => Number(x === -Infinity)) }]);
}

function contributionsOf(weights: Sliced, norms: readonly (readonly number[])[] | null): Sliced | null {
  if (!norms) return null;
  const { matrices } = weights;
  if (norms.length !== 1 && norms.length !== matrices.length) return null;
  if (matrices.some(({ cols }) => cols !== norms[0]!.length)) return null;
  return { ...weights, matrices: matrices.map((matrix, n) => contributions(matrix, norms[n] ?? norms[0]!)) };
}

export function partsOf(all: readonly Compared[], input: SharedInput): readonly Part[] {
  const rows = (compared: Compared): number =>
    input.queries.length || (weightsOf(compared.trace)?.matrices[0]!.rows ?? compared.trace[0]?.shape[0] ?? 0);
  const parts = all.map((compared) => {
    const { trace } = compared;
    const weights = weightsOf(trace);
    return {
      compared,
      weights,
      contributions: weights && contributionsOf(weights, valueNorms(trace)),
      output: outputOf(trace, rows(compared)),
      masked: maskOf(trace),
    };
  });
  const hasHeads = parts.some(({ weights }) => weights?.by === 'head');
  const { owner } = input;
  return parts.map((part) => {
    const { contract } = part.compared;
    const isGuest = contract.entry.id !== owner.entry.id && owner.projections !== null && !contract.projections;
    const lacking: readonly (Lack | false)[] = [
      !part.weights && 'weights',
      part.weights !== null && !part.contributions && 'values',
      !part.output && 'output',
      isGuest && (contract.takes === 'sequence' ? 'projections' : 'projected'),
      hasHeads && part.weights !== null && part.weights.by !== 'head' && 'heads',
    ];
    return { ...part, lacks: lacking.filter((lack) => lack !== false) };
  });
}

/** The slice that is shown: the chosen one, where there are so many. */
export const sliceOf = (sliced: Sliced, slice: number): Matrix => sliced.matrices[Math.min(slice, sliced.matrices.length - 1)]!;

const fits = (a: Matrix, b: Matrix): boolean => a.rows === b.rows && a.cols === b.cols;

export interface Difference extends Distance {
  readonly of: 'weights' | 'outputs';
  readonly matrix: Matrix;
}

/** A part's numbers less the reference's: weights where their shapes agree, else outputs; null where neither do. */
export function differenceOf(part: Part, reference: Part, slice: number): Difference | null {
  for (const [of, a, b] of [
    ['weights', part.weights, reference.weights],
    ['outputs', part.output, reference.output],
  ] as const) {
    if (!a || !b) continue;
    const [one, other] = [sliceOf(a, slice), sliceOf(b, slice)];
    if (fits(one, other)) return { of, matrix: difference(one, other), ...distance(one, other) };
  }
  return null;
}

/** The part that the others are compared with: the one nearest to the root of the family tree, from which approximations were made. */
export function referenceOf(parts: readonly Part[], parents: Readonly<Record<string, string | null>>): number {
  const depth = (id: string | null | undefined): number => (id === null || id === undefined ? 0 : 1 + depth(parents[id]));
  const depths = parts.map(({ compared }) => depth(compared.contract.entry.id));
  return Math.max(0, depths.indexOf(Math.min(...depths)));
}

export interface Shown {
  readonly kind: 'weights' | 'contributions' | 'outputs';
  readonly sliced: Sliced;
  /** The difference from the reference. */
  readonly difference: Difference | null;
}

/** The numbers that a part shows in a view; null where it has nothing to show there. */
export function shownOf(part: Part, reference: Part, view: View, slice: number): Shown | null {
  if (view === 'difference') {
    const found = part === reference ? null : differenceOf(part, reference, slice);
    if (found) return { kind: found.of, sliced: { matrices: [found.matrix], by: null }, difference: found };
    const own = part === reference ? (part.weights ?? part.output) : null;
    return own && { kind: part.weights ? 'weights' : 'outputs', sliced: own, difference: null };
  }
  const sliced = { weights: part.weights, contributions: part.contributions, outputs: part.output }[view];
  return sliced && { kind: view, sliced, difference: null };
}

/** The strong end of the scale that all of them share. */
export const sharedLimit = (all: readonly (Shown | null)[]): number => {
  const matrices = all.flatMap((one) => one?.sliced.matrices ?? []);
  return Math.max(0, ...matrices.map((matrix) => (isZero(matrix) ? 0 : extent(matrix)))) || 1;
};

const isZero = (matrix: Matrix): boolean => Array.from(matrix.data).every((x) => x === 0);
/** Whether any number of them is negative: then all are drawn in two hues. */
export const isSigned = (all: readonly (Shown | null)[]): boolean =>
  all.some((one) => one?.sliced.matrices.some(({ data }) => Array.from(data).some((x) => x < 0)));

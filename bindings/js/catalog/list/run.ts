/** Runs a mechanism by its id. */
import { describe, fail } from '../../errors/errors.ts';
import { checkBoolean, isPlainObject, ownProperties } from '../../errors/options.ts';
import type { Fovea } from '../../fovea/fovea.ts';
import { instanceOf } from '../../runtime/instances.ts';
import type { NDArray } from '../../tensor/array_types.ts';
import { isTensor, type Tensor } from '../../tensor/tensor.ts';
import type { TraceStage } from '../../trace/stages.ts';
import type { Arguments, CatalogEntry, ResultStage } from '../entry/entry.ts';
import { entries } from './entries.ts';
import { entryOf } from './lookup.ts';

/** All mechanisms: choices of a call, then systems, each in the order of their ids. */
export function list(): readonly CatalogEntry[] {
  return entries;
}

/** The results of a mechanism's function, and every named intermediate. */
export interface CatalogResult {
  readonly trace: readonly TraceStage[];
  readonly [name: string]: unknown;
}

/**
 * Computes a mechanism of the catalog, with its defaults unless told otherwise, and records its trace.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param id an entry's of `list()`.
 * @param inputs in place of the defaults', under the same names.
 * @param params in place of the defaults'.
 * @param options added to the defaults', in place of those of the same names. `trace` is true whatever is said; where the function takes
 *   `trace: { batch, head, rows }`, that part is recorded.
 * @throws AttentionError `option` for an id that is not in the catalog, and the errors of the mechanism's function.
 * @example
 * import { run } from 'fovea/catalog';
 * const { trace } = run(fovea, 'structured_self_attention');
 * trace.map(({ name }) => name); // ['H', 'A', 'M', 'penalty']
 */
export function run(fovea: Fovea, id: string, inputs?: Arguments, params?: Arguments, options?: Arguments): CatalogResult {
  instanceOf('run', fovea);
  for (const [name, given] of Object.entries({ inputs, params, options }))
    if (given !== undefined && !isPlainObject(given))
      fail('option', 'run', `${name} must be an object, got ${describe(given)}`);
  const { defaults, compute, stages } = ownProperties(entryOf('run', id));
  const { trace = true, ...own }: Arguments = ownProperties({ ...defaults.options, ...options });
  // A part of the trace may be asked for where a function has one of its own.
  if (stages !== undefined || !isPlainObject(trace)) checkBoolean('run', 'trace', trace);
  const traced = stages === undefined ? { trace: trace || true } : {};
  const results: Partial<CatalogResult> = compute(
    fovea,
    (inputs ?? defaults.inputs) as never,
    (params ?? defaults.params) as never,
    ownProperties({ ...own, ...traced }) as never,
  );
  const { trace: recorded = [] } = ownProperties(results);
  return stages === undefined
    ? (results as CatalogResult)
    : { ...results, trace: [...stagesOf(ownProperties(results), stages), ...recorded] };
}

/** The results that a function gave, as stages. */
function stagesOf(results: Partial<CatalogResult>, stages: Readonly<Record<string, ResultStage>>): TraceStage[] {
  return Object.entries(stages)
    .filter(([name]) => results[name] !== undefined)
    .map(([name, { formula, axes }]) => ({ name, formula, axes: [...axes], ...numbersOf(results[name]) }));
}

/** The numbers of a result, as the caller's own. */
function numbersOf(result: unknown): { shape: number[]; data: Float32Array } {
  if (typeof result === 'number') return { shape: [], data: Float32Array.of(result) };
  const { data, shape } = isTensor(result as Tensor) ? (result as Tensor).toArray() : (result as NDArray);
  return { shape: [...shape], data: Float32Array.from(data) };
}

/** Runs of the catalog's entries, as nested numbers. */
import { toNested } from 'fovea';
import { list, run, type Arguments, type CatalogEntry } from 'fovea/catalog';
import { fovea } from './api.ts';

export function entryOf(id: string): CatalogEntry {
  return list().find((entry) => entry.id === id)!;
}

/** The stages of a run by their names; what is not given is the default's. */
export function stagesOf(id: string, given: { inputs?: Arguments; params?: Arguments; options?: Arguments } = {}): never {
  const { trace } = run(fovea, id, given.inputs, given.params, given.options);
  return Object.fromEntries(trace.map(({ name, data, shape }) => [name, toNested({ data, shape })])) as never;
}

/** How many numbers are not 0. */
export function countWeights(nested: unknown): number {
  return [nested].flat(9).filter((weight) => weight !== 0).length;
}

/** Whether the parts of a pattern that are made for sizes are used with those. The worker's side carries this file too. */
import { ownProperties } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';
import type { SizeConstraint, PairSizes } from '../attention/options/pattern_source.ts';

/** A `shape` error where a part is made for other sizes. */
export function checkFits(fn: string, fits: readonly SizeConstraint[], sizes: PairSizes): void {
  for (const fit of fits) checkFit(fn, fit, sizes);
}

function checkFit(fn: string, given: SizeConstraint, { batch, heads, queries, keys, offsets }: PairSizes): void {
  const fit = ownProperties(given);
  const demand = (wanted: number | undefined, got: number, what: string): void => {
    if (wanted !== undefined && wanted !== got) fail('shape', fn, `${fit.part} is made for ${wanted} ${what}, got ${got}`);
  };
  demand(fit.batch, batch, 'batch entries');
  demand(fit.heads, heads, 'query heads');
  demand(fit.keys, keys, 'keys');
  if (fit.lastKey !== undefined && fit.lastKey >= keys)
    fail('shape', fn, `${fit.part} has an edge to key ${fit.lastKey}, which must be below the number of keys, got ${keys}`);
  if (fit.rows === undefined || queries === 0) return;
  for (let b = 0; b < (offsets === null ? Math.min(batch, 1) : batch); b++) {
    const first = offsets?.[b] ?? 0;
    const last = first + queries - 1;
    if (first < 0 || last >= fit.rows)
      fail('shape', fn, `${fit.part} is made for positions 0 to ${fit.rows - 1}, got ${first} to ${last}`);
  }
}

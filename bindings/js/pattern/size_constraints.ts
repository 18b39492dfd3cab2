/** Whether the parts of a pattern that are made for sizes are used with those. The worker's side carries this file too. */
import { ownProperties } from '../errors/options.ts';
import { fail } from '../errors/errors.ts';
import type { SizeConstraint, PairSizes } from '../attention/options/pattern_source.ts';

/** A `shape` error where a part is made for other sizes. */
export function checkSizes(fn: string, constraints: readonly SizeConstraint[], sizes: PairSizes): void {
  for (const constraint of constraints) checkConstraint(fn, constraint, sizes);
}

function checkConstraint(fn: string, given: SizeConstraint, { batch, heads, queries, keys, offsets }: PairSizes): void {
  const constraint = ownProperties(given);
  const demand = (wanted: number | undefined, got: number, what: string): void => {
    if (wanted !== undefined && wanted !== got)
      fail('shape', fn, `${constraint.part} is made for ${wanted} ${what}, got ${got}`);
  };
  demand(constraint.batch, batch, 'batch entries');
  demand(constraint.heads, heads, 'query heads');
  demand(constraint.keys, keys, 'keys');
  if (constraint.lastKey !== undefined && constraint.lastKey >= keys)
    fail(
      'shape',
      fn,
      `${constraint.part} has an edge to key ${constraint.lastKey}, which must be below the number of keys, got ${keys}`,
    );
  if (constraint.rows === undefined || queries === 0) return;
  for (let b = 0; b < (offsets === null ? Math.min(batch, 1) : batch); b++) {
    const first = offsets?.[b] ?? 0;
    const last = first + queries - 1;
    if (first < 0 || last >= constraint.rows)
      fail('shape', fn, `${constraint.part} is made for positions 0 to ${constraint.rows - 1}, got ${first} to ${last}`);
  }
}

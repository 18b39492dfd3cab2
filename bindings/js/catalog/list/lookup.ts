/** Entries by their ids. */
import { describe, fail } from '../../errors/errors.ts';
import { unknownName } from '../../errors/options.ts';
import type { RunnableEntry } from '../entry/entry.ts';
import { entries } from './entries.ts';

/** An `option` error of the function `fn` where there is none of this id. */
export function entryOf(fn: string, id: string): RunnableEntry {
  const ids = entries.map((entry) => entry.id);
  if (typeof id !== 'string') fail('option', fn, `id must be a text, got ${describe(id)}`);
  return entries[ids.indexOf(id)] ?? unknownName(fn, 'id', id, ids);
}

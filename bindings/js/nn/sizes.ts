/** The sizes that constructors take. */
import { fail } from '../errors/errors.ts';
import { checkInteger } from '../errors/options.ts';

/** An integer from 1 that must be given, or has a default. */
export function readSize(fn: string, name: string, value: number | undefined, fallback?: number): number {
  const size = value ?? fallback;
  if (size === undefined) fail('option', fn, `the option ${name} must be given`);
  checkInteger(fn, name, size, 1, 2 ** 30);
  return size;
}

/** Seeds of the core's generator. */
import { checkInteger } from './options.ts';

export function checkSeed(fn: string, seed: unknown): asserts seed is number {
  checkInteger(fn, 'seed', seed, 0, Number.MAX_SAFE_INTEGER);
}

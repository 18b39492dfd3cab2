/** Seeds of the core's generator. */
import { checkInteger } from './options.ts';

export function checkSeed(fn: string, seed: unknown): asserts seed is number {
  checkInteger(fn, 'seed', seed, 0, Number.MAX_SAFE_INTEGER);
}

/** The low 32 bits and the high 21. */
export function seedWords(seed: number): [number, number] {
  return [seed | 0, Math.floor(seed / 2 ** 32)];
}

/** Patterns drawn at random, the same for the same seed everywhere. Documented in builders.ts. */
import { checkInteger } from '../errors/options.ts';
import { checkSeed } from '../errors/seeds.ts';
import { MAX_DIM } from './limits.ts';
import { leaf, OP, type Node } from './nodes.ts';
import type { RandomOptions } from './types.ts';

export function random(fn: string, { perQuery, block = 1, seed = 0 }: RandomOptions): Node {
  checkInteger(fn, 'perQuery', perQuery, 1, MAX_DIM);
  checkInteger(fn, 'block', block, 1, MAX_DIM);
  checkSeed(fn, seed);
  const operands = [perQuery, block, seed | 0, Math.floor(seed / 2 ** 32)];
  const text = `random({ perQuery: ${perQuery}, block: ${block}, seed: ${seed} })`;
  return leaf(OP.random, operands, text, ['random', { perQuery, block, seed }], { perHead: true });
}

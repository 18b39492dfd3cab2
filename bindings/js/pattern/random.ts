/** Patterns drawn at random, the same for the same seed everywhere. Documented in builders.ts. */
import { checkInteger } from '../options.ts';
import { checkSeed, seedWords } from '../seeds.ts';
import { LARGEST } from './limits.ts';
import { leaf, OP, type Node } from './nodes.ts';
import type { RandomOptions } from './types.ts';

export function random(fn: string, { perQuery, block = 1, seed = 0 }: RandomOptions): Node {
  checkInteger(fn, 'perQuery', perQuery, 1, LARGEST);
  checkInteger(fn, 'block', block, 1, LARGEST);
  checkSeed(fn, seed);
  const operands = [perQuery, block, ...seedWords(seed)];
  const text = `random({ perQuery: ${perQuery}, block: ${block}, seed: ${seed} })`;
  return leaf(OP.random, operands, text, ['random', { perQuery, block, seed }], { perHead: true });
}

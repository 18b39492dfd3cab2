/** The patterns of four papers, out of simpler ones. Documented in builders.ts. */
import { fail } from '../errors/errors.ts';
import { checkInteger } from '../errors/options.ts';
import { checkSeed } from '../errors/seeds.ts';
import { MAX_DIM } from './limits.ts';
import { join, type Node } from './nodes.ts';
import { atrous, blocks, causal, columns, globalTokens, window } from './places.ts';
import { random } from './random.ts';
import type { BigBirdOptions, LongformerOptions } from './types.ts';

export function strided(fn: string, stride: number): Node {
  checkInteger(fn, 'stride', stride, 1, MAX_DIM);
  return join('and', [join('or', [window(fn, stride, 0), atrous(fn, stride)]), causal()]);
}

export function fixed(fn: string, stride: number, c: number): Node {
  checkInteger(fn, 'stride', stride, 1, MAX_DIM);
  checkInteger(fn, 'c', c, 1, stride);
  return join('and', [join('or', [blocks(fn, stride, 0, 0), columns(fn, stride, stride - c, stride)]), causal()]);
}

export function longformer(fn: string, options: LongformerOptions): Node {
  const { window: width, dilation = 1, globalTokens: tokens = [] } = options;
  checkInteger(fn, 'window', width, 0, MAX_DIM);
  if (width % 2 !== 0) fail('value', fn, `window must be even, half of it on each side, got ${width}`);
  checkInteger(fn, 'dilation', dilation, 1, MAX_DIM);
  const side = (width / 2) * dilation;
  checkInteger(fn, 'window / 2 · dilation', side, 0, MAX_DIM);
  const band = window(fn, side, side);
  const sliding = dilation === 1 ? band : join('and', [band, atrous(fn, dilation)]);
  const global = globalTokens(fn, tokens);
  return tokens.length === 0 ? sliding : join('or', [sliding, global]);
}

export function bigBird(fn: string, options: BigBirdOptions): Node {
  const { block = 64, window: wide = 3, global = 2, random: drawn = 3, seed = 0 } = options;
  checkInteger(fn, 'block', block, 1, MAX_DIM);
  checkInteger(fn, 'window', wide, 1, MAX_DIM);
  if (wide % 2 !== 1) fail('value', fn, `window must be odd, as many blocks on each side, got ${wide}`);
  checkInteger(fn, 'global', global, 0, MAX_DIM);
  checkInteger(fn, 'global · block', global * block, 0, 2 ** 24);
  checkInteger(fn, 'random', drawn, 0, MAX_DIM);
  checkSeed(fn, seed);
  const side = (wide - 1) / 2;
  const nodes = [blocks(fn, block, side, side)];
  if (global > 0)
    nodes.push(
      globalTokens(
        fn,
        Int32Array.from({ length: global * block }, (_, n) => n),
      ),
    );
  if (drawn > 0) nodes.push(random(fn, { perQuery: drawn, block, seed }));
  return join('or', nodes);
}

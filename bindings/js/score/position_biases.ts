/** The biases by position: each adds its tables, slopes or direction to those of a call. p(i) is the position of query i, j that of key j. */
import { DIRECTION } from '../../../build/generated/enums/direction.ts';
import { describe, fail } from '../errors/errors.ts';
import { checkBoolean, checkChoice, checkFinite, checkInteger } from '../errors/options.ts';
import { readNumbers } from '../tensor/number_lists.ts';
import { formatShape } from '../tensor/shapes.ts';
import { zeros } from '../tensor/typed_arrays.ts';
import type { Biases } from '../attention/options/biases.ts';
import { hasPairs } from '../attention/options/layout.ts';
import { addTable, readGaussian, readRelativeTable, readTable } from '../attention/options/tables.ts';
import { defaultSlopes } from './alibi.ts';
import type { BucketOptions } from './types.ts';

/** 'default' = the paper's slopes for the call's heads. */
export function addAlibi(to: Biases, slopes: unknown): void {
  const { fn, sizes } = to;
  if (typeof slopes === 'string' && slopes !== 'default')
    fail('option', fn, `bias.alibi must be 'default' or slopes, got ${describe(slopes)}`);
  const perHead =
    slopes === 'default'
      ? defaultSlopes(hasPairs(sizes) ? sizes.heads : 0)
      : readNumbers(fn, 'bias.alibi', slopes, sizes.heads);
  addSlopes(to, perHead, 'm_h');
}

export function addDistance(to: Biases, alpha: unknown): void {
  const { fn, sizes } = to;
  if (typeof alpha !== 'number') return addSlopes(to, readNumbers(fn, 'bias.distance', alpha, sizes.heads), '\\alpha_h');
  checkFinite(fn, 'bias.distance', alpha);
  addSlopes(to, zeros(fn, 'Float32Array', hasPairs(sizes) ? sizes.heads : 0).fill(alpha), '\\alpha');
}

function addSlopes(to: Biases, slopes: ArrayLike<number>, symbol: string): void {
  to.slopes ??= new Float32Array(slopes.length);
  for (let h = 0; h < slopes.length; h++) to.slopes[h]! += slopes[h]!;
  const term = ` - ${symbol} \\lvert p_i - j \\rvert`;
  if (!to.terms.includes(term)) to.terms += term;
}

export function addRelative(to: Biases, table: unknown, clip: unknown): void {
  const distance = readRelativeTable(to, 'bias.relative', 'relativeBias', { table, clip }, to.sizes.heads, [], '');
  to.terms += ` + r_{${distance}}`;
}

export function addBuckets(to: Biases, given: unknown, options: BucketOptions): void {
  const { fn, sizes } = to;
  const { buckets, maxDistance = 128, bidirectional = true } = options;
  checkBoolean(fn, 'bias.t5.bidirectional', bidirectional);
  const table = readTable(to, 'bias.t5.table', given);
  const [rows = 0, heads] = table.shape;
  const least = bidirectional ? 4 : 2;
  if (table.shape.length !== 2 || heads !== sizes.heads || rows < least || rows !== (buckets ?? rows)) {
    const wanted = `[buckets, H], ${buckets === undefined ? `at least ${least}` : describe(buckets)} buckets and H = ${sizes.heads}`;
    fail('shape', fn, `bias.t5.table must be ${wanted}, got ${formatShape(table.shape)}`);
  }
  const exact = Math.floor(rows / least);
  checkInteger(fn, 'bias.t5.maxDistance', maxDistance, exact + 1, 2 ** 30);
  to.terms += ' + \\beta_{\\operatorname{bucket}(j - p_i),\\,h}';
  addTable(to, 'bucketTable', table, { Bucket: heads, Head: 1 });
  to.parts.push(() => () => ({
    buckets: rows,
    bucketMaxDistance: maxDistance,
    bucketBidirectional: Number(bidirectional),
  }));
}

export function addGaussian(to: Biases, center: unknown, sigma: unknown): void {
  readGaussian(to, 'bias.gaussian', ['gaussianCenter', 'gaussianSigma'], { center, sigma }, to.sizes);
  to.terms += ' - \\frac{(j - \\mu_i)^2}{2 \\sigma_i^2}';
}

export function addDirection(to: Biases, direction: unknown): void {
  checkChoice(to.fn, 'bias.direction', (direction ?? null) as 'forward', ['forward', 'backward']);
  to.direction = DIRECTION.indexOf(direction as 'forward');
}

/** The option `bias`: what is added to the scores by place, and which way queries look. */
import { DIRECTION } from '../../../../build/generated/enums.ts';
import { defaultSlopes } from './alibi.ts';
import { zeros } from '../../tensor/typed_arrays.ts';
import { describe, fail } from '../../errors/errors.ts';
import type { Instance } from '../../runtime/instance.ts';
import { hasPairs } from './layout.ts';
import { readNumbers } from '../../tensor/number_lists.ts';
import { checkBoolean, checkChoice, checkFinite, checkInteger, isPlainObject, unknownName } from '../../errors/options.ts';
import { formatShape } from '../../tensor/shapes.ts';
import { readEdges, readFunction, type PairBiases, type PairReading } from './pair_biases.ts';
import { addTable, readEntries, readGaussian, readRelativeTable, readTable } from './tables.ts';
import type { BucketBias } from '../types/bias.ts';

const DIRECTIONS = ['forward', 'backward'] as const;

export interface Biases extends PairBiases {
  /** [H], those of ALiBi and of distances together; null where there are none. */
  slopes: Float32Array | null;
  /** 0 both, 1 forward, 2 backward. */
  direction: number;
}

interface Reading extends Biases, PairReading {}

const READERS: Record<string, (reading: Reading, given: unknown) => void> = {
  alibi: readAlibi,
  distance: readDistance,
  relative: readRelative,
  t5: readBuckets,
  gaussian: readGaussianBias,
  direction: readDirection,
  edges: readEdges,
  fromFunction: readFunction,
};

/** Reads the option `bias` of a call with these sizes, offsets and pattern. */
export function readBiases(
  instance: Instance,
  fn: string,
  bias: unknown,
  call: Pick<Reading, 'sizes' | 'offsets' | 'pattern'>,
): Biases {
  const { sizes, offsets, pattern } = call;
  // One literal: every call comes here, and spreading costs more than the rest.
  // prettier-ignore
  const reading: Reading = {
    instance, fn, sizes, offsets, pattern, slopes: null, direction: 0, hasEdges: false, terms: '', parts: [], tables: [],
  };
  if (bias === undefined) return reading;
  const kinds = Object.keys(READERS);
  const read = new Set<string>();
  for (const one of Array.isArray(bias) ? (bias as unknown[]) : [bias]) {
    if (!isPlainObject(one) || Object.keys(one).length !== 1)
      fail(
        'option',
        fn,
        `bias must be an object with one key, such as { alibi: 'default' }, or an array of them, got ${describe(one)}`,
      );
    const kind = Object.keys(one)[0]!;
    if (!kinds.includes(kind)) unknownName(fn, 'bias', kind, kinds);
    if (read.has(kind) && kind !== 'alibi') fail('option', fn, `bias.${kind} must be given once, got it twice`);
    read.add(kind);
    READERS[kind]!(reading, one[kind]);
  }
  return reading;
}

function readAlibi(reading: Reading, slopes: unknown): void {
  const { fn, sizes } = reading;
  if (typeof slopes === 'string' && slopes !== 'default')
    fail('option', fn, `bias.alibi must be 'default' or slopes, got ${describe(slopes)}`);
  const perHead =
    slopes === 'default'
      ? defaultSlopes(hasPairs(sizes) ? sizes.heads : 0)
      : readNumbers(fn, 'bias.alibi', slopes, sizes.heads);
  addSlopes(reading, perHead, 'm_h');
}

function readDistance(reading: Reading, alpha: unknown): void {
  const { fn, sizes } = reading;
  if (typeof alpha !== 'number') return addSlopes(reading, readNumbers(fn, 'bias.distance', alpha, sizes.heads), '\\alpha_h');
  checkFinite(fn, 'bias.distance', alpha);
  addSlopes(reading, zeros(fn, 'Float32Array', hasPairs(sizes) ? sizes.heads : 0).fill(alpha), '\\alpha');
}

function addSlopes(reading: Reading, slopes: ArrayLike<number>, symbol: string): void {
  reading.slopes ??= new Float32Array(slopes.length);
  for (let h = 0; h < slopes.length; h++) reading.slopes[h]! += slopes[h]!;
  const term = ` - ${symbol} \\lvert p_i - j \\rvert`;
  if (!reading.terms.includes(term)) reading.terms += term;
}

function readRelative(reading: Reading, given: unknown): void {
  const distance = readRelativeTable(reading, 'bias.relative', 'relativeBias', given, reading.sizes.heads, [], '');
  reading.terms += ` + r_{${distance}}`;
}

function readBuckets(reading: Reading, given: unknown): void {
  const { fn, sizes } = reading;
  const names = ['table', 'buckets', 'maxDistance', 'bidirectional'] as const;
  const read = readEntries<BucketBias['t5']>(fn, 'bias.t5', given, names);
  const { buckets, maxDistance = 128, bidirectional = true } = read;
  checkBoolean(fn, 'bias.t5.bidirectional', bidirectional);
  const table = readTable(reading, 'bias.t5.table', read.table);
  const [rows = 0, heads] = table.shape;
  const least = bidirectional ? 4 : 2;
  if (table.shape.length !== 2 || heads !== sizes.heads || rows < least || rows !== (buckets ?? rows)) {
    const wanted = `[buckets, H], ${buckets === undefined ? `at least ${least}` : describe(buckets)} buckets and H = ${sizes.heads}`;
    fail('shape', fn, `bias.t5.table must be ${wanted}, got ${formatShape(table.shape)}`);
  }
  const exact = Math.floor(rows / least);
  checkInteger(fn, 'bias.t5.maxDistance', maxDistance, exact + 1, 2 ** 30);
  reading.terms += ' + \\beta_{\\operatorname{bucket}(j - p_i),\\,h}';
  addTable(reading, 'bucketTable', table, { Bucket: heads, Head: 1 });
  reading.parts.push(() => () => ({
    buckets: rows,
    bucketMaxDistance: maxDistance,
    bucketBidirectional: Number(bidirectional),
  }));
}

function readGaussianBias(reading: Reading, given: unknown): void {
  readGaussian(reading, 'bias.gaussian', ['gaussianCenter', 'gaussianSigma'], given, reading.sizes);
  reading.terms += ' - \\frac{(j - \\mu_i)^2}{2 \\sigma_i^2}';
}

function readDirection(reading: Reading, given: unknown): void {
  checkChoice(reading.fn, 'bias.direction', (given ?? null) as 'forward', DIRECTIONS);
  reading.direction = DIRECTION.indexOf(given as 'forward');
}

/** The option `bias`: what is added to the scores by place, and which way queries look. */
import { defaultSlopes } from './alibi.ts';
import { describe, fail } from './errors.ts';
import type { Instance } from './instance.ts';
import type { Sizes } from './layout.ts';
import { readNumbers } from './number_lists.ts';
import { plainOperand, type Operand } from './operands.ts';
import { checkBoolean, checkChoice, checkFinite, checkInteger, isPlainObject, unknownName } from './options.ts';
import { clippedDistance } from './relative_positions.ts';
import type { AxisPart } from './rules.ts';
import { broadcastStrides, formatShape } from './shapes.ts';
import { readEntries, readRelativeTable, readTable } from './tables.ts';
import type { BucketBias, GaussianBias } from './types.ts';

const DIRECTIONS = ['forward', 'backward'] as const;

export interface Biases {
  /** [H], those of ALiBi and of distances together; null where there are none. */
  slopes: Float32Array | null;
  /** 0 both, 1 forward, 2 backward. */
  direction: number;
  /** All others. */
  readonly parts: AxisPart[];
  readonly tables: Operand[];
  /** LaTeX of what is added. */
  terms: string;
}

/** One call, and what has been read of its biases. */
interface Reading extends Biases {
  readonly instance: Instance;
  readonly fn: string;
  readonly sizes: Sizes;
}

const READERS: Record<string, (reading: Reading, given: unknown) => void> = {
  alibi: readAlibi,
  distance: readDistance,
  relative: readRelative,
  t5: readBuckets,
  gaussian: readGaussian,
  direction: readDirection,
};

export function readBiases(instance: Instance, fn: string, bias: unknown, sizes: Sizes): Biases {
  const reading: Reading = { instance, fn, sizes, slopes: null, direction: 0, parts: [], tables: [], terms: '' };
  const kinds = Object.keys(READERS);
  const read = new Set<string>();
  for (const one of bias === undefined ? [] : Array.isArray(bias) ? (bias as unknown[]) : [bias]) {
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
  const perHead = slopes === 'default' ? defaultSlopes(sizes.heads) : readNumbers(fn, 'bias.alibi', slopes, sizes.heads);
  addSlopes(reading, perHead, 'm_h');
}

function readDistance(reading: Reading, alpha: unknown): void {
  const { fn, sizes } = reading;
  if (typeof alpha !== 'number') return addSlopes(reading, readNumbers(fn, 'bias.distance', alpha, sizes.heads), '\\alpha_h');
  checkFinite(fn, 'bias.distance', alpha);
  addSlopes(reading, new Float32Array(sizes.heads).fill(alpha), '\\alpha');
}

function addSlopes(reading: Reading, slopes: ArrayLike<number>, symbol: string): void {
  reading.slopes ??= new Float32Array(slopes.length);
  for (let h = 0; h < slopes.length; h++) reading.slopes[h]! += slopes[h]!;
  const term = ` - ${symbol} \\lvert p_i - j \\rvert`;
  if (!reading.terms.includes(term)) reading.terms += term;
}

function readRelative(reading: Reading, given: unknown): void {
  const { instance, fn, sizes } = reading;
  const { table, head, clip } = readRelativeTable(instance, fn, 'bias.relative', given, sizes.heads, [], '');
  reading.tables.push(table);
  reading.terms += ` + r_{${clippedDistance(clip)}}`;
  reading.parts.push((frame) => {
    const span = frame.place(table);
    return () => ({ relativeBias: span.address, relativeBiasHead: head, relativeBiasClip: clip });
  });
}

function readBuckets(reading: Reading, given: unknown): void {
  const { instance, fn, sizes } = reading;
  const names = ['table', 'buckets', 'maxDistance', 'bidirectional'] as const;
  const read = readEntries<BucketBias['t5']>(fn, 'bias.t5', given, names);
  const { buckets, maxDistance = 128, bidirectional = true } = read;
  checkBoolean(fn, 'bias.t5.bidirectional', bidirectional);
  const table = readTable(instance, fn, 'bias.t5.table', read.table);
  const [rows = 0, heads] = table.shape;
  if (table.shape.length !== 2 || heads !== sizes.heads)
    fail('shape', fn, `bias.t5.table must be [buckets, H] with H = ${sizes.heads}, got ${formatShape(table.shape)}`);
  if (buckets !== undefined && buckets !== rows)
    fail('shape', fn, `bias.t5.buckets must be the rows of the table, ${rows}, got ${describe(buckets)}`);
  const oneWay = bidirectional ? Math.floor(rows / 2) : rows;
  if (oneWay < 2)
    fail('shape', fn, `bias.t5.table must have at least ${bidirectional ? '4 buckets, 2 each way' : '2 buckets'}, got ${rows}`);
  checkInteger(fn, 'bias.t5.maxDistance', maxDistance, Math.floor(oneWay / 2) + 1, 2 ** 30);
  reading.tables.push(table);
  reading.terms += ' + \\beta_{\\operatorname{bucket}(j - p_i),\\,h}';
  reading.parts.push((frame) => {
    const span = frame.place(table);
    return () => ({
      bucketTable: span.address,
      bucketTableBucket: heads,
      bucketTableHead: 1,
      buckets: rows,
      bucketMaxDistance: maxDistance,
      bucketBidirectional: Number(bidirectional),
    });
  });
}

function readGaussian(reading: Reading, given: unknown): void {
  const { fn } = reading;
  const { centre, sigma } = readEntries<GaussianBias['gaussian']>(fn, 'bias.gaussian', given, ['centre', 'sigma']);
  const centres = readQueryNumbers(reading, 'bias.gaussian.centre', centre);
  const sigmas = readQueryNumbers(reading, 'bias.gaussian.sigma', sigma);
  const broken = Array.prototype.find.call(sigmas.operand.data, (x: number) => !(x > 0)) as number | undefined;
  if (broken !== undefined) fail('value', fn, `bias.gaussian.sigma must be greater than 0 (in float32), got ${broken}`);
  reading.terms += ' - \\frac{(j - \\mu_i)^2}{2 \\sigma_i^2}';
  reading.parts.push((frame) => {
    const [centreSpan, sigmaSpan] = [frame.place(centres.operand), frame.place(sigmas.operand)];
    const [gaussianCentreBatch, gaussianCentreHead, gaussianCentreQuery] = centres.strides;
    const [gaussianSigmaBatch, gaussianSigmaHead, gaussianSigmaQuery] = sigmas.strides;
    return () => ({
      gaussianCentre: centreSpan.address,
      gaussianCentreBatch,
      gaussianCentreHead,
      gaussianCentreQuery,
      gaussianSigma: sigmaSpan.address,
      gaussianSigmaBatch,
      gaussianSigmaHead,
      gaussianSigmaQuery,
    });
  });
}

/** One number, or an array that broadcasts to [B, H, Tq]. */
function readQueryNumbers(
  { instance, fn, sizes, tables }: Reading,
  name: string,
  given: unknown,
): { operand: Operand; strides: readonly [number, number, number] } {
  if (typeof given === 'number') {
    checkFinite(fn, name, given);
    return { operand: plainOperand(name, [], Float32Array.of(given), 'Float32Array'), strides: [0, 0, 0] };
  }
  const operand = readTable(instance, fn, name, given);
  const rows = [sizes.batch, sizes.heads, sizes.queries];
  const strides = broadcastStrides(operand.shape, operand.strides, rows);
  if (strides === null)
    fail(
      'shape',
      fn,
      `${name} must be a number or broadcast to [B, H, Tq] = ${formatShape(rows)}, got ${formatShape(operand.shape)}`,
    );
  tables.push(operand);
  return { operand, strides: strides as unknown as [number, number, number] };
}

function readDirection(reading: Reading, given: unknown): void {
  checkChoice(reading.fn, 'bias.direction', (given ?? null) as 'forward', DIRECTIONS);
  reading.direction = 1 + DIRECTIONS.indexOf(given as 'forward');
}

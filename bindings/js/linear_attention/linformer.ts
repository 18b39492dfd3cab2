/** `linformer`: attention over a few mixtures of the keys. */
import { NORMALS_FIELDS } from './abi.ts';
import { fail } from '../errors.ts';
import type { Frame, Span } from '../frame.ts';
import type { LayoutChoice } from '../layout.ts';
import type { Operand } from '../operands.ts';
import { checkInteger, readOptions } from '../options.ts';
import { checkSeed, seedWords } from '../seeds.ts';
import { formatShape, sizeOf } from '../shapes.ts';
import type { Fovea } from '../fovea.ts';
import type { ArrayInput, AttentionOptions, AttentionResult, NDArray, ResultArray } from '../types.ts';
import { placed } from './places.ts';
import type { Input } from './problem.ts';
import { compute, toolsFor, type Tools } from './tools.ts';

const ATTENTION_OPTIONS = [
  'scale',
  'returnWeights',
  'returnLse',
  'returnLogits',
  'trace',
  'out',
  'layout',
  'heads',
  'kvHeads',
] as const;

export interface LinformerOptions extends Pick<AttentionOptions<boolean | 'dense'>, (typeof ATTENTION_OPTIONS)[number]> {
  /** [r, Tk]: each of the r keys that attention sees is a mixture of the Tk. */
  readonly E?: ArrayInput | undefined;
  /** [r, Tk], of the values; default: E. */
  readonly F?: ArrayInput | undefined;
  /** In place of E: r, for entries drawn from N(0, 1/r). */
  readonly rank?: number | undefined;
  /** 0 to 2^53 - 1; default 0. */
  readonly seed?: number | undefined;
  /** [B] integers 0…Tk: keys from there on are padding, and in no mixture. */
  readonly keyLengths?: readonly number[] | Int32Array | undefined;
}

/**
 * Linformer: attention over r mixtures of the keys and values, softmax(scale·q·(E k)ᵀ)·(F v), in time that grows with Tk·r. There
 * is no causal form, as a mixture holds keys of all places.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param q [Tq, D], [H, Tq, D] or [B, H, Tq, D]; other layouts by the options `layout` and `heads`.
 * @param k [..., Tk, D]; Hkv equals or divides H.
 * @param v [..., Tk, Dv].
 * @param options `E` and `F`, or `rank` and `seed`; others as for `attention`.
 * @returns as `attention` over r keys: weights are [B, H, Tq, r]. A trace is that of this attention.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * Accuracy: as `attention`, after float32 products. Source: Wang et al. 2020, arXiv:2006.04768 eq. 7; random E: §3.2, Theorem 2.
 * @example
 * import { linformer } from 'fovea/linear';
 * const x = [[1, 0], [0, 1], [1, 1]];
 * const { output } = linformer(fovea, x, x, x, { E: [[0.5, 0.5, 0], [0, 0, 1]] });
 */
export function linformer<Q extends ArrayInput>(
  fovea: Fovea,
  q: Q,
  k: ArrayInput,
  v: ArrayInput,
  options: LinformerOptions,
): AttentionResult<ResultArray<Q>, ResultArray<Q>> {
  const fn = 'linformer';
  const tools = toolsFor(fn, fovea);
  const known = readOptions(fn, options, ['E', 'F', 'rank', 'seed', 'keyLengths', ...ATTENTION_OPTIONS]);
  const { E, F, rank, seed, keyLengths, ...attention } = known;
  const choice = tools.readLayout(fn, attention);
  const { instance } = tools;
  const inputs = {
    q: tools.readOperand(instance, fn, 'q', q),
    k: tools.readOperand(instance, fn, 'k', k),
    v: tools.readOperand(instance, fn, 'v', v),
  };
  const qHeads = tools.readHeads(fn, inputs.q, choice, choice.heads);
  const kHeads = tools.readHeads(fn, inputs.k, choice, choice.kvHeads);
  const vHeads = tools.readHeads(fn, inputs.v, choice, choice.kvHeads);
  const sizes = tools.matchSizes(fn, inputs, qHeads, kHeads, vHeads);
  const lengths = tools.readKeyLengths(fn, keyLengths, sizes);
  const mixtures = readMixtures(tools, fn, { E, F, rank, seed }, sizes.keys);
  const mixed = compute(tools, fn, (frame) => {
    const [ofKeys, ofValues] = planMixtures(frame, mixtures, sizes.keys);
    const keys = planMixing(frame, tools, { operand: inputs.k, heads: kHeads }, choice, ofKeys, mixtures.rank, lengths);
    const values = planMixing(frame, tools, { operand: inputs.v, heads: vHeads }, choice, ofValues, mixtures.rank, lengths);
    return () => [keys(), values()] as const;
  });
  return tools.finish(tools.attention(instance, fn, q, ...mixed, attention)) as AttentionResult<ResultArray<Q>, ResultArray<Q>>;
}

interface Mixtures {
  readonly rank: number;
  /** Null: drawn from the seed. */
  readonly ofKeys: Operand | null;
  /** Null: those of the keys. */
  readonly ofValues: Operand | null;
  readonly seed: number;
}

function readMixtures(
  tools: Tools,
  fn: string,
  { E, F, rank, seed = 0 }: Pick<LinformerOptions, 'E' | 'F' | 'rank' | 'seed'>,
  keys: number,
): Mixtures {
  checkSeed(fn, seed);
  if (E === undefined) {
    if (F !== undefined) fail('option', fn, 'F goes with E, got F alone');
    if (rank === undefined) fail('option', fn, 'needs E, or rank to draw one, got neither');
    checkInteger(fn, 'rank', rank, 1, 2 ** 20);
    return { rank, seed, ofKeys: null, ofValues: null };
  }
  if (rank !== undefined) fail('option', fn, `rank draws the E that is given, got both`);
  const read = (name: string, given: ArrayInput, rows?: number): Operand => {
    const operand = tools.readOperand(tools.instance, fn, name, given);
    const [r] = operand.shape;
    if (operand.shape.length !== 2 || r === 0 || r !== (rows ?? r) || operand.shape[1] !== keys)
      fail('shape', fn, `${name} must be [r, Tk] = [${rows ?? 'r'}, ${keys}], got ${formatShape(operand.shape)}`);
    return operand;
  };
  const ofKeys = read('E', E);
  return { rank: ofKeys.shape[0]!, seed, ofKeys, ofValues: F === undefined ? null : read('F', F, ofKeys.shape[0]!) };
}

interface Mixture {
  readonly span: Span;
  readonly rowStride: number;
}

function planMixtures(frame: Frame, { rank, ofKeys, ofValues, seed }: Mixtures, keys: number): [Mixture, Mixture] {
  const place = (operand: Operand): Mixture => ({ span: frame.place(operand), rowStride: operand.strides[0]! });
  if (ofKeys === null) {
    const span = frame.reserveFloats(rank * keys);
    const [seedLow, seedHigh] = seedWords(seed);
    const count = rank * keys;
    const run = (): void =>
      frame.run('parameterNormals', NORMALS_FIELDS, {
        count,
        name: NAME_OF_E,
        seedLow,
        seedHigh,
        scale: 1 / Math.sqrt(rank),
        y: span.address,
      });
    frame.steps.push({ operation: null, run });
    return [
      { span, rowStride: keys },
      { span, rowStride: keys },
    ];
  }
  const own = place(ofKeys);
  return [own, ofValues === null ? own : place(ofValues)];
}

/** FNV-1a (32 bit) of 'E': which random parameter it is. */
const NAME_OF_E = Math.imul(2166136261 ^ 69, 16777619);

/** Plans mixture · x for every head, in the layout of x; what it returns hands the result over. */
function planMixing(
  frame: Frame,
  tools: Tools,
  { operand, heads: from }: Input,
  choice: LayoutChoice,
  mixture: Mixture,
  rank: number,
  lengths: Int32Array | null,
): () => NDArray {
  const { tokens, width, heads } = from;
  const own = tools.axesOf(operand, choice);
  // Lengths tell batch entries apart that share their keys.
  const batch = lengths === null ? from.batch : Math.max(from.batch, lengths.length);
  const axes = { batch: own.batch || batch > 1, heads: own.heads || (batch > 1 && !own.batch && choice.layout !== 'btd') };
  const { shape, ...to } = tools.outputLayout(axes, choice, { batch, heads, queries: rank, valueWidth: width });
  const x = placed(frame.place(operand), from);
  const y = frame.reserveFloats(sizeOf(shape));
  const mix = (b: number, h: number): void =>
    // prettier-ignore
    frame.run('matmul', tools.MATMUL_FIELDS, {
      rows: rank, inner: lengths?.[b] ?? tokens, columns: width,
      a: mixture.span.address, aRow: mixture.rowStride, aColumn: 1,
      b: x.span.address + 4 * (b * x.batchStride + h * x.headStride), bRow: x.tokenStride, bColumn: 1,
      c: y.address + 4 * (b * to.batchStride + h * to.headStride), cRow: to.tokenStride,
    });
  const run = (): void => {
    for (let b = 0; width > 0 && b < batch; b++) for (let h = 0; h < heads; h++) mix(b, h);
  };
  frame.steps.push({ operation: null, run });
  return () => ({ data: tools.copyOut(frame, frame.heap.floats(y.address, sizeOf(shape))), shape });
}

/** `linformer`: attention over a few mixtures of the keys. */
import { instanceOf } from '../runtime/instances.ts';
import { MATMUL_BLOCK } from '../../../build/generated/blocks/matmul.ts';
import { stridedPtr } from '../call/strided_ptr.ts';
import { fail } from '../errors/errors.ts';
import type { CallArena } from '../call/call_arena.ts';
import type { Ptr } from '../call/ptr.ts';
import { axesOf, type LayoutChoice, matchSizes, outputLayout, readHeads, readLayout } from '../attention/options/layout.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { translate } from '../errors/foreign_names.ts';
import { checkInteger, readOptions } from '../errors/options.ts';
import { checkSeed } from '../errors/seeds.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { ArrayInput, ResultArray } from '../tensor/array_input.ts';
import type { AskLogits, AskLse, AskTrace, RequestedResult, RequestTypes } from '../attention/types/results.ts';
import type { AttentionOptions } from '../attention/types/options.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { Input } from './rows.ts';
import type { Instance } from '../runtime/instance.ts';
import { attention as attend } from '../attention/attention.ts';
import { freshOutput } from '../call/outputs.ts';
import { compute, finish } from '../call/call.ts';
import { fillNormals } from '../call/normals.ts';
import { readKeyLengths } from '../attention/options/positions.ts';

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

/** The type parameters are those of what asks for results: they are present in the result's type then. */
export interface LinformerOptions<
  W extends boolean | 'dense' | undefined = boolean | 'dense' | undefined,
  L extends AskLse = AskLse,
  G extends AskLogits = AskLogits,
  T extends AskTrace = AskTrace,
> extends Pick<AttentionOptions<RequestTypes<W, undefined, L, G, T>>, (typeof ATTENTION_OPTIONS)[number]> {
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
 * is no causal form, as a mixture holds keys of all positions.
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
 * import { linformer } from 'fovea/linear-attention';
 * const x = [[1, 0], [0, 1], [1, 1]];
 * const { output } = linformer(fovea, x, x, x, { E: [[0.5, 0.5, 0], [0, 0, 1]] });
 */
export function linformer<
  Q extends ArrayInput,
  const W extends boolean | 'dense' | undefined = undefined,
  const L extends AskLse = undefined,
  const G extends AskLogits = undefined,
  const T extends AskTrace = undefined,
>(
  fovea: Fovea,
  q: Q,
  k: ArrayInput,
  v: ArrayInput,
  options: LinformerOptions<W, L, G, T>,
): RequestedResult<ResultArray<Q>, RequestTypes<W, undefined, L, G, T>> {
  const fn = 'linformer';
  const instance = instanceOf(fn, fovea);
  const known = readOptions(fn, options, ['E', 'F', 'rank', 'seed', 'keyLengths', ...ATTENTION_OPTIONS], translate);
  const { E, F, rank, seed, keyLengths, ...attention } = known;
  const choice = readLayout(fn, known);
  const inputs = {
    q: readOperand(instance, fn, 'q', q),
    k: readOperand(instance, fn, 'k', k),
    v: readOperand(instance, fn, 'v', v),
  };
  const qHeads = readHeads(fn, inputs.q, choice, choice.heads);
  const kHeads = readHeads(fn, inputs.k, choice, choice.kvHeads);
  const vHeads = readHeads(fn, inputs.v, choice, choice.kvHeads);
  const sizes = matchSizes(fn, inputs, qHeads, kHeads, vHeads, axesOf(inputs.q, choice).batch, choice);
  const lengths = keyLengths === undefined ? null : readKeyLengths(fn, keyLengths, sizes);
  const mixtures = readMixtures(instance, fn, { E, F, rank, seed }, sizes.keys);
  const mixed = compute(instance, fn, (arena) => {
    const [ofKeys, ofValues] = planMixtures(arena, mixtures, sizes.keys);
    const keys = planMixing(arena, { operand: inputs.k, heads: kHeads }, choice, ofKeys, mixtures.rank, lengths);
    const values = planMixing(arena, { operand: inputs.v, heads: vHeads }, choice, ofValues, mixtures.rank, lengths);
    return () => [keys(), values()] as const;
  });
  return finish(attend(instance, fn, q, ...mixed, attention)) as RequestedResult<
    ResultArray<Q>,
    RequestTypes<W, undefined, L, G, T>
  >;
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
  instance: Instance,
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
    const operand = readOperand(instance, fn, name, given);
    const [r] = operand.shape;
    if (operand.shape.length !== 2 || r === 0 || r !== (rows ?? r) || operand.shape[1] !== keys)
      fail('shape', fn, `${name} must be [r, Tk] = [${rows ?? 'r'}, ${keys}], got ${formatShape(operand.shape)}`);
    return operand;
  };
  const ofKeys = read('E', E);
  return { rank: ofKeys.shape[0]!, seed, ofKeys, ofValues: F === undefined ? null : read('F', F, ofKeys.shape[0]!) };
}

interface Mixture {
  readonly ptr: Ptr;
  readonly rowStride: number;
}

function planMixtures(arena: CallArena, { rank, ofKeys, ofValues, seed }: Mixtures, keys: number): [Mixture, Mixture] {
  const place = (operand: Operand): Mixture => ({ ptr: arena.place(operand), rowStride: operand.strides[0]! });
  if (ofKeys === null) {
    const ptr = arena.reserveFloats(rank * keys);
    fillNormals(arena, ptr, { name: 'E', seed, count: rank * keys, scale: 1 / Math.sqrt(rank) });
    return [
      { ptr, rowStride: keys },
      { ptr, rowStride: keys },
    ];
  }
  const own = place(ofKeys);
  return [own, ofValues === null ? own : place(ofValues)];
}

/** Plans mixture · x for every head, in the layout of x; what it returns hands the result over. */
function planMixing(
  arena: CallArena,
  { operand, heads: from }: Input,
  choice: LayoutChoice,
  mixture: Mixture,
  rank: number,
  lengths: Int32Array | null,
): () => NDArray | Tensor {
  const { tokens, width, heads } = from;
  const own = axesOf(operand, choice);
  // Lengths tell batch entries apart that share their keys.
  const batch = lengths === null ? from.batch : Math.max(from.batch, lengths.length);
  const axes = { batch: own.batch || batch > 1, heads: own.heads || (batch > 1 && !own.batch && choice.layout !== 'btd') };
  const { shape, ...to } = outputLayout(axes, choice, { batch, heads, queries: rank, valueWidth: width });
  const x = stridedPtr(arena.place(operand), from);
  const y = freshOutput(arena, shape, false);
  const mix = (b: number, h: number): void =>
    // prettier-ignore
    arena.run('matmul', MATMUL_BLOCK, {
      rows: rank, inner: lengths?.[b] ?? tokens, columns: width,
      a: mixture.ptr.address, aRow: mixture.rowStride, aColumn: 1,
      b: x.ptr.address + 4 * (b * x.batchStride + h * x.headStride), bRow: x.tokenStride, bColumn: 1, bFormat: 0,
      bias: 0,
      c: y.ptr.address + 4 * (b * to.batchStride + h * to.headStride), cRow: to.tokenStride,
    });
  const run = (): void => {
    for (let b = 0; width > 0 && b < batch; b++) for (let h = 0; h < heads; h++) mix(b, h);
  };
  arena.steps.push({ operation: null, run });
  return () => y.finish();
}

/** `approximation`: how far a cheaper attention is from the exact one. */
import { instanceOf } from '../runtime/instances.ts';
import { contiguousPtr } from '../call/strided_ptr.ts';
import { describe, fail, shorten } from '../errors/errors.ts';
import { translate } from '../errors/foreign_names.ts';
import { isPlainObject, ownProperties, readOptions, unknownName } from '../errors/options.ts';
import { sizeOf } from '../tensor/shapes.ts';
import type { Fovea } from '../fovea/fovea.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { AttentionOptions } from '../attention/types/options.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { linearAttention } from './linear_attention.ts';
import { linformer, type LinformerOptions } from './linformer.ts';
import { planOneHot } from './one_hot.ts';
import { CALL_OPTIONS, readLinearAttention } from './linear_attention_call.ts';
import { NO_STATE, bindLinearAttention, planRun } from './run.ts';
import { logarithms } from './logarithms.ts';
import type { LinearOptions } from './types.ts';
import type { Instance } from '../runtime/instance.ts';
import { attention } from '../attention/attention.ts';
import { isTensor } from '../tensor/tensor.ts';
import { copyOut } from '../call/outputs.ts';
import { compute, finish } from '../call/call.ts';

/** One of three: linear attention, Linformer, or attention with a pattern (and its other options, which the exact one has too). */
export type ApproximationMethod =
  | { readonly linear: Omit<LinearOptions, 'out' | 'trace' | 'returnState' | 'initialState'> }
  | { readonly linformer: Omit<LinformerOptions, 'out' | 'trace' | 'returnWeights' | 'returnLse' | 'returnLogits'> }
  | ({ readonly pattern: NonNullable<AttentionOptions['pattern']> } & Omit<
      AttentionOptions,
      'pattern' | 'out' | 'trace' | 'returnWeights' | 'returnLse' | 'returnLogits'
    >);

export interface Approximation {
  /** max |approximate - exact| over the elements of the output. */
  readonly maxError: number;
  /** ‖approximate - exact‖ / ‖exact‖, Frobenius norms over the whole output. */
  readonly relativeFrobenius: number;
  /**
   * Σ_j p_j ln(p_j / a_j) of the exact weights p and the approximate a, [B, H, Tq] less the axes that q lacks; Infinity where a
   * lacks a key that p has. There where the method has weights that are not negative and sum to 1.
   */
  readonly perRowKL?: NDArray;
}

/**
 * Compares an approximation with exact softmax attention on the same input, under the same causal, keyLengths and layout; a scale
 * inside of φ is that of the exact attention too.
 *
 * @param fovea an instance of this thread; not a connection of fovea/worker.
 * @param q as for `attention`, as are k and v.
 * @param method `{ linear: options }`, `{ linformer: options }` or `{ pattern, ...options }`.
 * @throws AttentionError `shape` | `value` | `option` | `disposed` | `memory` | `internal`.
 *
 * The exact weights are made for it: it takes time and room that grow with the pairs. Sums are in double.
 * @example
 * import { approximation } from 'fovea/linear-attention';
 * const x = [[1, 0], [0, 1], [1, 1]];
 * const { maxError } = approximation(fovea, x, x, x, { linear: { featureMap: 'favor+', features: 64 } });
 */
export function approximation(
  fovea: Fovea,
  q: ArrayInput,
  k: ArrayInput,
  v: ArrayInput,
  method: ApproximationMethod,
): Approximation {
  const fn = 'approximation';
  const instance = instanceOf(fn, fovea);
  const [approximate, options] = methodOf(instance, fn, fovea, [plain(q), k, v], method);
  const exact = attend(instance, fn, [plain(q), k, v], options);
  const weights = approximate.weights();
  return {
    ...distances(approximate.output.data, exact.output.data),
    ...(weights === null ? {} : { perRowKL: divergences(instance, fn, exact.weights!, weights) }),
  };
}

type Inputs = readonly [q: ArrayInput, k: ArrayInput, v: ArrayInput];

interface Approximate {
  readonly output: NDArray;
  readonly weights: () => Float32Array | null;
}

/** The approximation, and the options of the exact attention beside it. */
function methodOf(
  instance: Instance,
  fn: string,
  fovea: Fovea,
  inputs: Inputs,
  given: unknown,
): [Approximate, AttentionOptions] {
  if (!isPlainObject(given))
    fail('option', fn, `method must be { linear }, { linformer } or { pattern }, got ${describe(given)}`);
  const method = ownProperties(given);
  const names = Object.keys(method).filter((name) => method[name] !== undefined);
  if (method['pattern'] !== undefined) {
    const { output, weights } = attend(instance, fn, inputs, method);
    const { pattern: _, ...options } = method;
    return [{ output, weights: () => weights!.data }, options];
  }
  const [name, ...others] = names;
  if (name !== 'linear' && name !== 'linformer') unknownName(fn, 'method', name ?? '', ['linear', 'linformer', 'pattern']);
  if (others.length > 0)
    fail(
      'option',
      fn,
      `method must have one key, or pattern and its options, got ${names.map((one) => shorten(one)).join(', ')}`,
    );
  const options = method[name] as LinearOptions & LinformerOptions;
  if (name === 'linformer') {
    const own = isPlainObject(options) ? ownProperties(options as LinformerOptions) : options;
    const output = linformer(fovea, ...inputs, own).output as NDArray;
    const { scale, keyLengths, layout, heads, kvHeads } = own;
    return [
      { output, weights: () => null },
      { scale, keyLengths, layout, heads, kvHeads },
    ];
  }
  const known = readOptions(fn, options, CALL_OPTIONS, translate);
  const [q, k, v] = inputs;
  const call = readLinearAttention(instance, fn, { q, k, v }, known, false);
  const { keyLengths, layout, heads, kvHeads } = known;
  const scale = call.features.scalesInside ? known.scale : undefined;
  const output = linearAttention(fovea, ...inputs, known).output as NDArray;
  const hasWeights =
    call.rule === 'linear' && !SIGNED.includes(call.features.name) && (call.normalize || call.features.name === 'softmax');
  return [
    { output, weights: () => (hasWeights ? weightsOf(instance, fn, call) : null) },
    { scale, causal: call.causal, keyLengths, layout, heads, kvHeads },
  ];
}

/** Maps whose similarities may be negative. */
const SIGNED: readonly string[] = ['identity', 'precomputed'];

/** [B, H, Tq, Tk]: what linear attention makes of one-hot values. */
function weightsOf(instance: Instance, fn: string, call: ReturnType<typeof readLinearAttention>): Float32Array {
  const { batch, heads, queries, keys } = call.sizes;
  return compute(instance, fn, (arena) => {
    const placed = bindLinearAttention(arena, call);
    const v = planOneHot(arena, keys);
    const rows = contiguousPtr(arena.reserveFloats(batch * heads * queries * keys), batch, heads, queries, keys);
    planRun(arena, placed, rows, NO_STATE, () => ({
      v: v.ptr.address,
      vBatch: 0,
      vHead: 0,
      vToken: keys,
      valueWidth: keys,
    }));
    return () => copyOut(arena, arena.heap.floats(rows.ptr.address, batch * heads * queries * keys));
  });
}

function attend(
  instance: Instance,
  fn: string,
  [q, k, v]: Inputs,
  options: AttentionOptions,
): { output: NDArray; weights?: NDArray } {
  return finish(attention(instance, fn, q, k, v, { ...options, returnWeights: 'dense' })) as {
    output: NDArray;
  };
}

/** Plain results, whatever q is. */
function plain(q: ArrayInput): ArrayInput {
  return isTensor(q) ? q.toArray() : q;
}

function distances(approximate: Float32Array, exact: Float32Array): Pick<Approximation, 'maxError' | 'relativeFrobenius'> {
  let [maxError, difference, norm] = [0, 0, 0];
  for (let n = 0; n < exact.length; n++) {
    const error = Math.abs(approximate[n]! - exact[n]!);
    // Not Math.max alone: a NaN must come through.
    maxError = error <= maxError ? maxError : error;
    difference += error * error;
    norm += exact[n]! * exact[n]!;
  }
  return { maxError, relativeFrobenius: difference === 0 ? 0 : Math.sqrt(difference / norm) };
}

function divergences(instance: Instance, fn: string, { data: exact, shape }: NDArray, approximate: Float32Array): NDArray {
  const keys = shape.at(-1)!;
  const ofExact = logarithms(instance, fn, exact);
  const ofApproximate = logarithms(instance, fn, approximate);
  const rows = shape.slice(0, -1);
  const data = Float32Array.from({ length: sizeOf(rows) }, (_, row) => {
    let sum = 0;
    for (let n = row * keys; n < (row + 1) * keys; n++)
      if (exact[n] !== 0) sum += exact[n]! * (ofExact[n]! - ofApproximate[n]!);
    return sum;
  });
  return { data, shape: rows };
}

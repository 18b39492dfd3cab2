/** Weight matrices as column panels in wasm memory, packed a piece at a time. */
import { PACK_WEIGHTS_BLOCK } from '../../../build/generated/blocks/pack_weights.ts';
import { compute } from '../call/call.ts';
import { fail } from '../errors/errors.ts';
import type { Instance } from '../runtime/instance.ts';
import { plainOperand, readOperand, type Operand } from '../tensor/operands.ts';
import { formatShape, type Shape } from '../tensor/shapes.ts';
import { createTensor, type Tensor } from '../tensor/tensor.ts';
import { typedArrayBuffer, typedArrayBytes, typedArrayKind, type NumberSource } from '../tensor/typed_arrays.ts';
import type { WeightLayout } from '../tensor/weights.ts';
import { formatOf, type WeightDtype, type WeightForm } from './weight_form.ts';

/** Outputs that lie side by side. @internal */
export const PANEL = 8;

/** 31 bits hold sums of so many products of 7 and 8 bits (src/gemm/int8_product.hpp). */
const MOST_INT8_INPUTS = 133_144;

/** Floats that are copied into wasm memory at a time: a second copy of a whole matrix is never there. */
const PIECE = 1 << 18;

/** Weights in the order in which products read them. @internal */
export interface WeightPanels extends WeightForm {
  readonly instance: Instance;
  readonly data: Tensor;
  /** In `data`: their first number. */
  readonly offset: number;
  readonly shape: Shape;
  readonly layout: WeightLayout;
  /** Lengths along their outputs: each begins with a panel of its own. */
  readonly parts: readonly number[];
}

/** Packs a matrix. `parts`: lengths along the outputs, each of which begins with a panel of its own. @internal */
export function packPanels(
  instance: Instance,
  fn: string,
  name: string,
  input: unknown,
  layout: WeightLayout,
  form: WeightForm,
  parts?: readonly number[],
): WeightPanels {
  const operand = readOperand(instance, fn, name, input);
  const { shape } = operand;
  if (shape.length !== 2) fail('shape', fn, `${name} must have two axes, got ${formatShape(shape)}`);
  const state = reservePanels(instance, fn, name, shape, layout, form, parts);
  try {
    packAll(state, fn, operand);
  } catch (error) {
    state.data.dispose();
    throw error;
  }
  return state;
}

/** The memory of a matrix that is not packed yet. @internal */
export function reservePanels(
  instance: Instance,
  fn: string,
  name: string,
  shape: Shape,
  layout: WeightLayout,
  form: WeightForm,
  given?: readonly number[],
): WeightPanels {
  const [inner, outer] = layout === 'outIn' ? [shape[1]!, shape[0]!] : [shape[0]!, shape[1]!];
  if (form.dtype === 'int8' && inner > MOST_INT8_INPUTS)
    fail('shape', fn, `${name} must have at most ${MOST_INT8_INPUTS} inputs in int8, got ${formatShape(shape)}`);
  const parts = given ?? [outer];
  const floats = parts.reduce((sum, length) => sum + packedFloats(inner, length, form.dtype), 0);
  const data = createTensor(instance, fn, [floats]);
  return { ...form, instance, data, offset: 0, shape, layout, parts };
}

/** In 8 bits a panel has its scales and offsets besides. @internal */
export function packedFloats(inner: number, outer: number, dtype: WeightDtype): number {
  return PANEL * Math.ceil(outer / PANEL) * (dtype === 'int8' ? Math.ceil(inner / 4) + 2 : inner);
}

/** [from, to) along the first axis, some whole panels at a time. @internal */
export function* pieces([rows, width]: Shape): Generator<readonly [number, number]> {
  const step = PANEL * Math.max(1, Math.floor(PIECE / PANEL / Math.max(1, width!)));
  for (let from = 0; from < rows!; from += step) yield [from, Math.min(rows!, from + step)];
}

/** One part of the weights, as products read it. */
interface Part {
  /** Its first output, in the whole. */
  readonly first: number;
  readonly length: number;
  /** Its first number, in the packed data. */
  readonly at: number;
}

/** @internal */
export function partsOf({
  shape,
  layout,
  parts,
  offset,
  dtype,
}: Pick<WeightPanels, 'shape' | 'layout' | 'parts' | 'offset' | 'dtype'>): { inner: number; list: readonly Part[] } {
  const inner = layout === 'outIn' ? shape[1]! : shape[0]!;
  let [first, at] = [0, offset];
  const list = parts.map((length) => {
    const part = { first, length, at };
    first += length;
    at += packedFloats(inner, length, dtype);
    return part;
  });
  return { inner, list };
}

/** A source among the rows of a piece, and its place in the packed data. */
interface Job {
  readonly rows: number;
  readonly columns: number;
  /** In floats, from the piece's first. */
  readonly b: number;
  readonly bRow: number;
  readonly bColumn: number;
  readonly at: number;
  /** In 8 bits: its first output among those of the part. */
  readonly first: number;
  readonly allColumns: number;
}

function packAll(state: WeightPanels, fn: string, whole: Operand): void {
  const { inner, list } = partsOf(state);
  const stride = whole.address === null ? whole.shape[1]! : whole.strides[0]!;
  if (state.layout === 'inOut') {
    // The scale of an output needs all its weights at once.
    for (const [from, to] of state.dtype === 'int8' ? [[0, inner] as const] : pieces(whole.shape)) {
      const jobs = list.map(({ first, length, at }) => {
        const source = { b: first, bRow: stride, bColumn: 1 };
        return { ...source, rows: to - from, columns: length, at: at + PANEL * from, first: 0, allColumns: length };
      });
      packPiece(state, fn, rowsOf(whole, from, to), jobs);
    }
    return;
  }
  for (const part of list) packOutputs(state, fn, part, rowsOf(whole, part.first, part.first + part.length), 0);
}

/** Packs rows of a matrix [out, in] without parts. `first`: their first output, a multiple of PANEL. @internal */
export function packRows(state: WeightPanels, fn: string, rows: Operand, first: number): void {
  packOutputs(state, fn, partsOf(state).list[0]!, rows, first);
}

/** Packs rows as outputs of a part, from the `first` on. */
function packOutputs(state: WeightPanels, fn: string, { length, at }: Part, rows: Operand, first: number): void {
  const [count, inner] = rows.shape as [number, number];
  const stride = rows.address === null ? inner : rows.strides[0]!;
  for (const [from, to] of pieces([count, inner])) {
    const output = first + from;
    const source = { b: 0, bRow: 1, bColumn: stride, rows: inner, columns: to - from };
    const job = { ...source, at: state.dtype === 'int8' ? at : at + inner * output, first: output, allColumns: length };
    packPiece(state, fn, rowsOf(rows, from, to), [job]);
  }
}

function packPiece(state: WeightPanels, fn: string, piece: Operand, jobs: readonly Job[]): void {
  const { instance, data, layout, shape } = state;
  const panelStride = PANEL * (layout === 'outIn' ? shape[1]! : shape[0]!);
  compute(instance, fn, (arena) => {
    const source = arena.place(piece);
    const packed = arena.place(readOperand(instance, fn, 'the packed weights', data));
    return () => {
      for (const { b, at, ...rest } of jobs)
        arena.run('packWeights', PACK_WEIGHTS_BLOCK, {
          ...rest,
          format: formatOf(state),
          b: source.address + 4 * b,
          panels: packed.address + 4 * at,
          panelStride,
        });
    };
  });
}

/** Rows [from, to) of a matrix: for a plain one only these are copied. */
function rowsOf(whole: Operand, from: number, to: number): Operand {
  const width = whole.shape[1]!;
  const shape = [to - from, width];
  if (whole.address !== null) return { ...whole, shape, address: whole.address + 4 * from * whole.strides[0]! };
  return plainOperand(whole.name, shape, section(whole.data, from * width, to * width), whole.kind);
}

/** Numbers [from, to): for a typed array a view. */
function section(data: NumberSource, from: number, to: number): NumberSource {
  const kind = typedArrayKind(data);
  if (kind === undefined) return Array.prototype.slice.call(data, from, to) as number[];
  const Type = (globalThis as unknown as Record<string, Float32ArrayConstructor>)[kind]!;
  const [first] = typedArrayBytes(data);
  return new Type(typedArrayBuffer(data) as ArrayBuffer, first + from * Type.BYTES_PER_ELEMENT, to - from);
}

/** `PackedWeights`: a weight matrix in the order in which products read it. */
import { nameClass } from '../errors/inspect.ts';
import type { Instance } from '../runtime/instance.ts';
import { setInternals, type INTERNALS, type Internals } from '../runtime/internals.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { readOperand, type Operand } from '../tensor/operands.ts';
import { formatShape, type Shape } from '../tensor/shapes.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { PackedMatrix, PackedState, WeightLayout } from '../tensor/weights.ts';
import { unpackPanels, unpackRows } from './unpack_panels.ts';
import { FLOAT32, formatOf, type InputPrecision, type WeightDtype, type WeightForm } from './weight_form.ts';
import { packPanels, packRows, packedFloats, reservePanels, type WeightPanels } from './weight_panels.ts';

let recognize: (value: unknown) => value is PackedWeights;

/**
 * A weight matrix that was packed once for many products: no product packs it again, and there is no second copy. It lives in wasm
 * memory like a Tensor, and its maker disposes it.
 */
export class PackedWeights implements PackedMatrix {
  declare readonly [INTERNALS]: Internals<'weights'>;
  /** @internal What a scope that returns the weights finds in them. */
  readonly data: Tensor;
  readonly #state: WeightPanels;

  static {
    recognize = (value): value is PackedWeights => typeof value === 'object' && value !== null && #state in value;
    nameClass(PackedWeights.prototype, 'PackedWeights', ({ dtype, shape }) => `PackedWeights ${dtype} ${formatShape(shape)}`);
  }

  /** @internal */
  constructor(state: WeightPanels) {
    this.#state = state;
    this.data = state.data;
    const internals: PackedState = { operand: (...call) => operandOf(state, ...call) };
    setInternals(this, 'weights', internals);
  }

  /** The shape that was given: [out, in], or [in, out]. */
  get shape(): number[] {
    return [...this.#state.shape];
  }

  /** 'int8' after `quantize`. */
  get dtype(): WeightDtype {
    return this.#state.dtype;
  }

  /** How products round their input in int8: see `quantize`. Null in float32. */
  get inputs(): InputPrecision | null {
    return this.#state.inputs;
  }

  get disposed(): boolean {
    return this.#state.data.disposed;
  }

  /**
   * The matrix in the order in which it was given: in the same bits, or in int8 the rounded numbers that products use.
   *
   * @throws AttentionError `disposed` | `memory`.
   */
  toArray(): NDArray {
    return unpackPanels('packedWeights.toArray', this.#state);
  }

  /** Frees the memory. May be called again. */
  dispose(): void {
    this.#state.data.dispose();
  }

  /**
   * Rows of a matrix [out, in], as `embedding` takes them from an array: a Tensor [ids, in].
   * @internal
   */
  rows(fn: string, ids: Int32Array): Tensor {
    return unpackRows(fn, this.#state, ids);
  }

  /**
   * Packs rows of a matrix [out, in] that `reserveWeights` has made, from output `first` on, a multiple of PANEL.
   * @internal
   */
  packRows(fn: string, rows: NDArray, first: number): void {
    packRows(this.#state, fn, readOperand(this.#state.instance, fn, 'rows', rows), first);
  }

  /**
   * The outputs of one of the parts: a view, freed with the whole.
   * @internal
   */
  part(index: number): PackedWeights {
    const { parts, layout, shape, offset, dtype } = this.#state;
    const [inner, outer] = [layout === 'outIn' ? shape[1]! : shape[0]!, parts[index]!];
    const before = parts.slice(0, index).reduce((sum, length) => sum + packedFloats(inner, length, dtype), offset);
    const own = layout === 'outIn' ? [outer, inner] : [inner, outer];
    return new PackedWeights({ ...this.#state, offset: before, shape: own, parts: [outer] });
  }
}

/** @internal */
export function isPackedWeights(value: unknown): value is PackedWeights {
  return recognize(value);
}

/**
 * Packs a matrix. `parts`: lengths along the outputs, which `part` gives one by one.
 * @internal
 */
export function packWeights(
  instance: Instance,
  fn: string,
  name: string,
  input: unknown,
  layout: WeightLayout = 'outIn',
  form: WeightForm = FLOAT32,
  parts?: readonly number[],
): PackedWeights {
  return new PackedWeights(packPanels(instance, fn, name, input, layout, form, parts));
}

/**
 * The memory of a matrix [out, in] whose rows are packed one after another by `packRows`.
 * @internal
 */
export function reserveWeights(instance: Instance, fn: string, name: string, shape: Shape, form: WeightForm): PackedWeights {
  return new PackedWeights(reservePanels(instance, fn, name, shape, 'outIn', form));
}

/** The operand of a product, in the shape of `wanted`, whichever layout it was packed from. */
function operandOf(state: WeightPanels, instance: Instance, fn: string, name: string, wanted: WeightLayout): Operand {
  const { data, offset, layout, shape } = state;
  const operand = readOperand(instance, fn, name, data);
  const [first, second] = shape as [number, number];
  const turned = layout === wanted ? [first, second] : [second, first];
  return { ...operand, shape: turned, strides: [0, 0], address: operand.address! + 4 * offset, format: formatOf(state) };
}

/** The weights that a trainer changes, and what its optimizer keeps for each. */
import { PACK_WEIGHTS_BLOCK } from '../../../build/generated/blocks/pack_weights.ts';
import { SCALE_BLOCK } from '../../../build/generated/blocks/scale.ts';
import { SQUARED_NORM_BLOCK } from '../../../build/generated/blocks/squared_norm.ts';
import { WEIGHT_FORMAT } from '../../../build/generated/enums/weight_format.ts';
import { fail } from '../errors/errors.ts';
import { PANEL } from '../ops/weight_panels.ts';
import { align } from '../runtime/heap.ts';
import { HeldMemory } from '../runtime/held_memory.ts';
import type { Instance } from '../runtime/instance.ts';
import type { NDArray } from '../tensor/array_types.ts';
import { formatShape, sameShape, sizeOf } from '../tensor/shapes.ts';
import type { VariablePlaces } from './gradients.ts';
import type { Optimizer } from './optimizers.ts';
import { writePlainRows } from './plain_rows.ts';
import type { Packing, Variable, Variables } from './variables.ts';

/** Room for any block of this file. */
const BLOCK_BYTES = 128;

interface Slot {
  readonly variable: Variable;
  readonly count: number;
  /** The address of the weight, row-major; of a packed matrix [out, in] in memory of the trainer. */
  readonly parameter: number;
  /** The address of its gradient, in the order of `parameter`. */
  readonly gradient: number;
  readonly moments: readonly number[];
}

export class Moments implements VariablePlaces {
  readonly #instance: Instance;
  readonly #optimizer: Optimizer;
  readonly #slots: readonly Slot[];
  readonly #slotOf: ReadonlyMap<Variable, Slot>;
  readonly #memory: HeldMemory;
  readonly #block: number;
  /** The squared norm of each gradient, in double. */
  readonly #squares: number;

  /** Moments of 0. */
  constructor(instance: Instance, fn: string, { list }: Variables, optimizer: Optimizer) {
    this.#instance = instance;
    this.#optimizer = optimizer;
    const kept = optimizer.moments.length + 1;
    const floats = list.reduce((sum, one) => sum + sizeOf(one.shape) * (kept + Number(one.packing !== null)), 0);
    const blockAt = align(4 * floats);
    this.#memory = new HeldMemory(instance.heap, fn, blockAt + BLOCK_BYTES + 8 * list.length);
    const { address } = this.#memory;
    instance.heap.floats(address, floats).fill(0);
    let next = address;
    const take = (count: number): number => (next += 4 * count) - 4 * count;
    this.#slots = list.map((variable) => {
      const count = sizeOf(variable.shape);
      const parameter = variable.packing === null ? variable.from : take(count);
      return { variable, count, parameter, gradient: take(count), moments: optimizer.moments.map(() => take(count)) };
    });
    this.#slotOf = new Map(this.#slots.map((slot) => [slot.variable, slot]));
    this.#block = address + blockAt;
    this.#squares = this.#block + BLOCK_BYTES;
    this.#readWeights(fn);
  }

  gradientOf(variable: Variable): number {
    return this.#slotOf.get(variable)!.gradient;
  }

  rowsOf(variable: Variable): number {
    return variable.packing === null ? 0 : this.#slotOf.get(variable)!.parameter;
  }

  /** √Σ g² of all gradients. */
  norm(fn: string, step: number): number {
    const { heap, engine } = this.#instance;
    this.#slots.forEach(({ count, gradient }, n) => {
      heap.write(SQUARED_NORM_BLOCK, this.#block, { count, x: gradient, norm: this.#squares + 8 * n });
      engine.run(fn, 'squaredNorm', this.#block);
    });
    const squares = new Float64Array(heap.bytes(this.#squares, 8 * this.#slots.length).slice().buffer);
    let sum = 0;
    this.#slots.forEach(({ variable }, n) => {
      const square = squares[n]!;
      if (!Number.isFinite(square)) fail('value', fn, `the gradient of ${variable.name} is not finite in step ${step}`);
      sum += square;
    });
    return Math.sqrt(sum);
  }

  /** Changes the weights by scale times their gradients, and packs those that are kept packed. */
  update(fn: string, step: number, scale: number): void {
    const { heap, engine } = this.#instance;
    const write = this.#optimizer.begin(step);
    for (const { variable, count, parameter, gradient, moments } of this.#slots) {
      if (scale !== 1) {
        heap.write(SCALE_BLOCK, this.#block, { count, factor: scale, x: gradient });
        engine.run(fn, 'scale', this.#block);
      }
      write(heap, this.#block, { count, gradient, parameter, moments });
      engine.run(fn, this.#optimizer.operation, this.#block);
      if (variable.packing !== null) this.#pack(fn, variable.packing, parameter);
    }
  }

  stateDict(step: number): Map<string, NDArray> {
    const { heap } = this.#instance;
    const state = new Map<string, NDArray>([['step', { data: Float32Array.of(step), shape: [1] }]]);
    for (const { variable, count, parameter, moments } of this.#slots) {
      const array = (address: number): NDArray => inOwnShape(variable, heap.floats(address, count).slice());
      state.set(variable.name, array(parameter));
      this.#optimizer.moments.forEach((name, n) => state.set(`${name}.${variable.name}`, array(moments[n]!)));
    }
    return state;
  }

  /** Returns the step. */
  load(fn: string, state: ReadonlyMap<string, NDArray>): number {
    const { heap } = this.#instance;
    const wanted = this.#slots.flatMap(({ variable, parameter, moments }) => [
      { name: variable.name, variable, address: parameter },
      ...this.#optimizer.moments.map((name, n) => ({ name: `${name}.${variable.name}`, variable, address: moments[n]! })),
    ]);
    const missing = ['step', ...wanted.map(({ name }) => name)].filter((name) => !state.has(name));
    if (missing.length > 0) fail('value', fn, `state must have every name of stateDict, missing ${missing.join(', ')}`);
    for (const { name, variable } of wanted)
      if (!sameShape(state.get(name)!.shape, variable.shape))
        fail('shape', fn, `${name} must be ${formatShape(variable.shape)}, got ${formatShape(state.get(name)!.shape)}`);
    for (const { name, variable, address } of wanted) {
      const { data } = inPackedShape(variable, state.get(name)!);
      heap.floats(address, data.length).set(data);
    }
    for (const { variable, parameter } of this.#slots)
      if (variable.packing !== null) this.#pack(fn, variable.packing, parameter);
    return state.get('step')!.data[0]!;
  }

  get disposed(): boolean {
    return this.#memory.address === 0;
  }

  dispose(): void {
    this.#memory.dispose();
  }

  #readWeights(fn: string): void {
    for (const { variable, parameter } of this.#slots) {
      if (variable.packing === null) continue;
      const { inner, parts } = variable.packing;
      for (const { from: panels, row, rows: outer } of parts)
        writePlainRows(this.#instance, fn, this.#block, { panels, inner, outer, out: parameter + 4 * row * inner });
    }
  }

  #pack(fn: string, { inner, parts }: Packing, parameter: number): void {
    const { heap, engine } = this.#instance;
    for (const { from, row, rows } of parts) {
      heap.write(PACK_WEIGHTS_BLOCK, this.#block, {
        ...{ format: PANELS, rows: inner, columns: rows, b: parameter + 4 * row * inner, bRow: 1, bColumn: inner },
        ...{ panels: from, panelStride: PANEL * inner, first: 0, allColumns: rows },
      });
      engine.run(fn, 'packWeights', this.#block);
    }
  }
}

const PANELS = WEIGHT_FORMAT.indexOf('panels');

/** Rows [out, in] in the shape of the variable. */
function inOwnShape({ packing, shape }: Variable, data: Float32Array): NDArray {
  if (packing?.layout !== 'inOut') return { data, shape: [...shape] };
  return { data: transposed(data, packing.outer, packing.inner), shape: [...shape] };
}

/** The converse. */
function inPackedShape({ packing }: Variable, array: NDArray): NDArray {
  if (packing?.layout !== 'inOut') return array;
  return { data: transposed(array.data, packing.inner, packing.outer), shape: [packing.outer, packing.inner] };
}

function transposed(data: Float32Array, rows: number, columns: number): Float32Array {
  const turned = new Float32Array(data.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) turned[column * rows + row] = data[row * columns + column]!;
  return turned;
}

/** Weights as they come: the tensors of the files become a module's, packed by blocks of rows, before the next are read. */
import { fail } from '../errors/errors.ts';
import type { HostSignal } from '../errors/host_types.ts';
import type { BinaryFile } from '../files/binary_file.ts';
import { isFloat } from '../files/dtypes.ts';
import type { TensorEntry } from '../files/safetensors_header.ts';
import { parameterValue, type Parameter } from '../nn/parameter.ts';
import type { Module } from '../nn/module.ts';
import type { WeightDtype, WeightForm } from '../ops/weight_form.ts';
import { packedFloats, PANEL } from '../ops/weight_panels.ts';
import { reserveWeights, type PackedWeights } from '../ops/packed_weights.ts';
import { formatShape, sameShape, sizeOf } from '../tensor/shapes.ts';
import type { Tensor } from '../tensor/tensor.ts';
import type { Convert, RenameTable } from './families/family.ts';
import type { Folder } from './folder/folder.ts';
import { untilFresh } from './folder/stale_copy.ts';
import { openWeights, type WeightFile, type WeightFiles } from './folder/weight_files.ts';
import { readNumbers, rowBlocks } from './row_blocks.ts';
import { checkNames, placeOf, refuseMissing, type NamedPart } from './weight_names.ts';
import type { LoadModelOptions } from './types/index.ts';

/** A tensor of a file, and the weight of the module that it is. */
interface Place extends NamedPart {
  readonly entry: TensorEntry;
}

export interface WeightsOptions extends WeightFiles, Pick<LoadModelOptions, 'onProgress'> {
  readonly fn: string;
  readonly folder: Folder;
  readonly rename: RenameTable;
  /** The rows of the parts that a file may have in place of a weight, in order. */
  readonly partRows?: ((name: string) => readonly number[]) | undefined;
  readonly convert?: Convert | undefined;
  readonly form: WeightForm;
  readonly signal?: HostSignal | undefined;
}

/** Fills all weights of the module, or none: memory that was taken before an error is given back. */
export async function loadWeightFiles(module: Module, options: WeightsOptions): Promise<void> {
  const { fn, tensors, form } = options;
  const wanted = module.named();
  checkMemory(module, fn, wanted, form.dtype);
  if (tensors !== null) checkNames([...wanted.keys()], tensors, options);
  await untilFresh(() => fill(module, wanted, options));
}

async function fill(module: Module, wanted: ReadonlyMap<string, Parameter>, options: WeightsOptions): Promise<void> {
  const { fn, folder, files } = options;
  const loader = new Loader(module, wanted, options);
  try {
    for (const name of files) {
      const file = await openWeights(fn, folder, name);
      try {
        loader.announce(file);
        if (files.length === 1) loader.checkComplete();
        await loader.read(file, name);
        await file.finish();
      } finally {
        await file.close();
      }
    }
    loader.checkComplete();
  } catch (error) {
    loader.dispose();
    throw error;
  }
  loader.finish();
}

/** Before anything is downloaded: the weights must fit, in the dtype that was asked for. */
function checkMemory(module: Module, fn: string, wanted: ReadonlyMap<string, Parameter>, dtype: WeightDtype): void {
  const { heap } = module.instance;
  const bytes = bytesOfWeights(wanted, dtype);
  if (heap.hasRoom(bytes)) return;
  const int8 = dtype === 'int8' ? '' : `; with dtype: 'int8' they take ${bytesOfWeights(wanted, 'int8')} bytes`;
  fail('memory', fn, `the weights take ${bytes} bytes of WebAssembly memory, which are more than it has left${int8}`);
}

export function bytesOfWeights(wanted: ReadonlyMap<string, Parameter>, dtype: WeightDtype): number {
  let bytes = 0;
  for (const { shape, packing } of wanted.values()) {
    const [inner, outer] = packing?.layout === 'inOut' ? [shape[0]!, shape[1]!] : [shape[1]!, shape[0]!];
    bytes += 4 * (packing === null ? sizeOf(shape) : packedFloats(inner, outer, dtype));
  }
  return bytes;
}

class Loader {
  readonly #module: Module;
  readonly #wanted: ReadonlyMap<string, Parameter>;
  readonly #options: WeightsOptions;
  readonly #made = new Map<string, Tensor | PackedWeights>();
  /** The shapes of what the files have so far, by the module's names: the whole, or the parts in order. */
  readonly #found = new Map<string, (readonly number[] | undefined)[]>();
  /** Parts that have come while others of the same weight have not. */
  readonly #parts = new Map<string, (Float32Array | undefined)[]>();
  readonly #wrong: string[] = [];
  #places: readonly Place[] = [];

  constructor(module: Module, wanted: ReadonlyMap<string, Parameter>, options: WeightsOptions) {
    this.#module = module;
    this.#wanted = wanted;
    this.#options = options;
  }

  /** Finds the places of a file's tensors, and checks their shapes, all before one is read. */
  announce({ file, entries }: WeightFile): void {
    const { fn, rename } = this.#options;
    const places: Place[] = [];
    for (const entry of entries) {
      const { name, part } = placeOf(fn, entry.name, rename);
      if (!this.#wanted.has(name)) continue;
      if (!isFloat(entry.dtype)) file.bad(`the weights ${entry.name} must be floats, got ${entry.dtype}`);
      const list = this.#found.get(name) ?? [];
      if (list[part ?? 0] !== undefined) file.bad(`the weights ${name} must come once, got ${entry.name} again`);
      list[part ?? 0] = entry.shape;
      this.#found.set(name, list);
      places.push({ entry, name, part });
    }
    this.#places = places;
    this.#checkShapes();
  }

  #checkShapes(): void {
    for (const { name, part, entry } of this.#places) {
      const { shape } = this.#wanted.get(name)!;
      const rows = part === null ? shape[0]! : this.#options.partRows!(name)[part]!;
      const right = [rows, ...shape.slice(1)];
      if (!sameShape(entry.shape, right))
        this.#wrong.push(`${entry.name} must be ${formatShape(right)}, got ${formatShape(entry.shape)}`);
    }
    if (this.#wrong.length > 0) fail('shape', this.#options.fn, this.#wrong.join('; '));
  }

  /** Throws where a weight is missing, or parts do not make up the whole. */
  checkComplete(): void {
    refuseMissing(
      this.#options,
      [...this.#wanted.keys()].filter((name) => !this.#isComplete(name)),
    );
  }

  #isComplete(name: string): boolean {
    const list = this.#found.get(name);
    if (list === undefined) return false;
    const rows = Array.from(list).reduce((sum, shape) => (shape === undefined ? NaN : sum + (shape[0] ?? 1)), 0);
    const { shape } = this.#wanted.get(name)!;
    return list.length === 1 ? sameShape(list[0]!, shape) : rows === shape[0];
  }

  async read({ file, entries }: WeightFile, name: string): Promise<void> {
    const { signal, onProgress } = this.#options;
    const places = new Map(this.#places.map((place) => [place.entry, place]));
    const total = file.size;
    for (const entry of entries) {
      signal?.throwIfAborted();
      const place = places.get(entry);
      if (place === undefined) continue;
      const row = this.#firstRow(place);
      if (row === null) this.#take(place, await readNumbers(file, entry));
      else await this.#pack(file, place, row);
      onProgress?.({ file: name, phase: 'pack', loaded: entry.end, total });
    }
    signal?.throwIfAborted();
  }

  /** The row of a matrix where the tensor begins; null for a weight that is made of all its numbers at once. */
  #firstRow({ name, part }: Place): number | null {
    const { convert, partRows } = this.#options;
    const { packing } = this.#wanted.get(name)!;
    if (packing?.layout !== 'outIn' || packing.parts !== null || convert?.names.test(name)) return null;
    if (part === null) return 0;
    const rows = partRows!(name);
    if (rows.slice(0, -1).some((count) => count % PANEL !== 0)) return null;
    return rows.slice(0, part).reduce((sum, count) => sum + count, 0);
  }

  /** Packs rows as they come, from `row` of the matrix on. */
  async #pack(file: BinaryFile, { entry, name }: Place, row: number): Promise<void> {
    const { fn, form, signal } = this.#options;
    const weights =
      this.#made.get(name) ?? reserveWeights(this.#module.instance, fn, name, this.#wanted.get(name)!.shape, form);
    this.#made.set(name, weights);
    for await (const { first, rows } of rowBlocks(file, entry)) {
      signal?.throwIfAborted();
      (weights as PackedWeights).packRows(fn, rows, row + first);
    }
  }

  #take({ name, part }: Place, numbers: Float32Array): void {
    const { shape } = this.#wanted.get(name)!;
    if (part === null) return this.#make(name, numbers);
    const list = this.#parts.get(name) ?? [];
    list[part] = numbers;
    this.#parts.set(name, list);
    const length = Array.from(list).reduce((sum, one) => sum + (one?.length ?? 0), 0);
    if (length < sizeOf(shape)) return;
    const whole = new Float32Array(sizeOf(shape));
    let at = 0;
    for (const one of list as readonly Float32Array[]) {
      whole.set(one, at);
      at += one.length;
    }
    this.#parts.delete(name);
    this.#make(name, whole);
  }

  #make(name: string, data: Float32Array): void {
    const { fn, convert, form } = this.#options;
    const parameter = this.#wanted.get(name)!;
    const { shape } = parameter;
    const array = { data: convert?.names.test(name) ? convert.numbers(data) : data, shape };
    this.#made.set(name, parameterValue(this.#module, fn, name, parameter, array, form));
  }

  dispose(): void {
    for (const weight of this.#made.values()) weight.dispose();
  }

  finish(): void {
    for (const [name, parameter] of this.#wanted) parameter.value = this.#made.get(name)!;
  }
}

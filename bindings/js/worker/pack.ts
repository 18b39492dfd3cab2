/** The calling side's packing: arguments copied once, or moved, and Tensors exchanged for their handles. */
import { MAX_RANK } from '../tensor/shapes.ts';
import { typedArrayKind } from '../tensor/typed_arrays.ts';
import { describe, fail, messageOf } from '../errors/errors.ts';
import { readProperty, shapeProperty } from '../errors/objects.ts';
import { isList, isObject, isRevoked, readEntries } from '../errors/options.ts';
import { patternOf, type NamedArguments, type Program } from '../attention/options/pattern_source.ts';
import { sizesOfArguments } from '../pattern/argument_sizes.ts';
import { reachable } from '../tensor/reachable.ts';
import { internalsOf, isKind } from '../runtime/internals.ts';
import { askPairs } from '../score/ask_pairs.ts';
import type { BiasFunction } from '../score/types.ts';
import type { RemoteConnection } from './remote_call.ts';
import { findUncloneable, entryName } from './find_uncloneable.ts';
import { holdsObjects, isRecord, type Handle, type Packed, type SentBuilder } from './protocol.ts';
import { isRemoteTensor, remoteState, type RemoteTensor } from './remote_tensor.ts';

/** The bytes that an array occupies. */
interface Occupied {
  readonly name: string;
  readonly buffer: ArrayBufferLike;
  readonly from: number;
  readonly to: number;
}

export interface Packing extends Packed {
  readonly transfer: readonly Transferable[];
}

/** Throws a `value` error for what cannot be sent, and for RemoteTensors of other connections; `disposed` for disposed ones. */
export function pack(connection: RemoteConnection, fn: string, named: NamedArguments, move: boolean): Packing {
  const packer = new Packer(connection, fn, named, move);
  const args = named.map(([name, value]) => packer.pack(name, value));
  packer.checkTargets();
  const { tensors, targets, patterns, builders, transfer } = packer;
  return { args, tensors, targets, patterns, builders, transfer: [...transfer] };
}

class Packer {
  readonly tensors = new Map<object, Handle>();
  readonly targets = new Map<object, number>();
  readonly patterns = new Map<object, Program>();
  readonly builders = new Map<object, SentBuilder>();
  readonly transfer = new Set<ArrayBuffer>();
  readonly #connection: RemoteConnection;
  readonly #fn: string;
  readonly #named: NamedArguments;
  #move: boolean;
  /** The objects packed so far: the worker sees one object where the caller gave one twice. */
  readonly #packed = new Map<object, unknown>();
  readonly #inputs: Occupied[] = [];
  readonly #outputs: Occupied[] = [];
  /** Levels of lists and objects around the value that is packed now. */
  #depth = 0;

  constructor(connection: RemoteConnection, fn: string, named: NamedArguments, move: boolean) {
    this.#connection = connection;
    this.#fn = fn;
    this.#named = named;
    this.#move = move;
  }

  pack(name: string, value: unknown): unknown {
    if (typeof value === 'function' || typeof value === 'symbol' || isRevoked(value))
      fail('value', this.#fn, `${name} cannot be sent to a worker: it is ${describe(value)}`);
    if (typeof value !== 'object' || value === null) return value;
    if (isKind(value, 'cache')) fail('option', this.#fn, `${name} is a KvCache, which no worker takes`);
    if (this.#packed.has(value)) return this.#packed.get(value);
    if (isRemoteTensor(value)) return this.#keep(value, this.#tensor(name, value));
    if (typedArrayKind(value) !== undefined) {
      if (shapeProperty(value) !== undefined)
        fail('shape', this.#fn, `${name} must be { data, shape }, got ${describe(value)}`);
      return this.#numbers(name, value as Uint8Array);
    }
    if (isList(value)) return holdsObjects(value) ? this.#list(name, value) : value;
    return this.#pattern(value) ?? this.#built(name, value) ?? this.#record(name, value);
  }

  /** The rules that hold between `out` arrays and the others, which the worker cannot see. */
  checkTargets(): void {
    this.#outputs.forEach((one, index) => {
      const other = [...this.#inputs, ...this.#outputs.slice(0, index)].find((taken) => overlap(taken, one));
      if (other !== undefined) fail('value', this.#fn, `${one.name} must not overlap ${other.name} in memory`);
      if (this.transfer.has(one.buffer as ArrayBuffer))
        fail('value', this.#fn, `${one.name} must not lie in a buffer that transfer: true moves away`);
    });
  }

  #keep<T>(value: object, packed: T): T {
    this.#packed.set(value, packed);
    return packed;
  }

  #tensor(name: string, tensor: RemoteTensor): object {
    const { handle } = remoteState(this.#connection, this.#fn, name, tensor);
    const place = {};
    this.tensors.set(place, handle);
    return place;
  }

  #pattern(value: object): object | null {
    const source = patternOf(this.#fn, value);
    if (source === undefined) return null;
    const place = {};
    this.patterns.set(place, source.programOf(this.#fn, this.#named));
    return this.#keep(value, place);
  }

  /** A Score, a Bias or a normalizer: the arguments of its builder, which it keeps, so that they are never moved. */
  #built(name: string, value: object): object | null {
    for (const type of ['score', 'bias', 'normalizer'] as const) {
      const source = internalsOf<Omit<SentBuilder, 'type'>>(this.#fn, value, type);
      if (source === undefined) continue;
      const place = {};
      const move = this.#move;
      this.#move = false;
      const args = source.args.map((arg) =>
        typeof arg === 'function' ? this.#asked(arg as BiasFunction) : this.pack(name, arg),
      );
      this.#move = move;
      this.builders.set(place, { type, kind: source.kind, args });
      return this.#keep(value, place);
    }
    return null;
  }

  /** A function of `bias.fromFunction` is asked here; the worker gets its numbers. */
  #asked(f: BiasFunction): object {
    const { data, shape } = askPairs(this.#fn, f, sizesOfArguments(this.#named));
    this.transfer.add(data.buffer as ArrayBuffer);
    return { data, shape };
  }

  #list(name: string, list: readonly unknown[]): unknown {
    const packed: unknown[] = this.#keep(list, []);
    this.#within(name, () => readEntries(this.#fn, name, list, (entry, n) => packed.push(this.pack(`${name}[${n}]`, entry))));
    return packed;
  }

  /** Packs the entries of one level. Levels end: each is a level of calls, here and where the message is cloned. */
  #within(name: string, packEntries: () => void): void {
    if (this.#depth === MAX_RANK) fail('value', this.#fn, `${name} must be at most ${MAX_RANK} levels deep, got more`);
    this.#depth++;
    packEntries();
    this.#depth--;
  }

  /** The entries of an object literal, or what an array of another class holds; anything else as it is. */
  #record(name: string, value: object): unknown {
    const entries = isRecord(value) ? Object.entries(value) : arrayProperties(value);
    if (entries === null) {
      // Cloned, a RemoteTensor would arrive as an empty object.
      if (reachable(value, isRemoteTensor).size > 0)
        fail('value', this.#fn, `${name}, ${describe(value)}, cannot be sent to a worker: it holds a RemoteTensor`);
      return value;
    }
    if (entries.some(([key, given]) => key === 'data' && typeof given === 'function'))
      fail('value', this.#fn, `${name} cannot be sent to a worker: it is ${describe(value)}`);
    const packed = this.#keep(value, {});
    this.#within(name, () => {
      for (const [key, given] of entries) {
        const inner = entryName(name, key);
        const entry =
          key === 'data' && typedArrayKind(given) !== undefined
            ? this.#numbers(name, given as Uint8Array)
            : name === 'out'
              ? this.#target(inner, given)
              : this.pack(inner, given);
        // Not by assignment, which does more than that for a key of '__proto__'.
        Object.defineProperty(packed, key, { value: entry, enumerable: true, configurable: true, writable: true });
      }
    });
    return packed;
  }

  /** An `out` array stays where it is: the worker is told its size, and what comes back is copied into it. */
  #target(name: string, target: unknown): unknown {
    if (!isObject(target) || isRemoteTensor(target) || typedArrayKind(target.data) !== 'Float32Array')
      return this.pack(name, target);
    const data = target.data as Float32Array;
    this.#outputs.push(occupiedBy(name, data));
    const place = {};
    this.targets.set(place, data.length);
    // The worker refuses strides: it hands over what is row-major.
    const { shape, stride, strides, offset } = target;
    return { ...(this.#record(name, { shape, stride, strides, offset }) as object), data: place };
  }

  /** The numbers of an array, which are named as the array is. */
  #numbers(name: string, numbers: Uint8Array): unknown {
    return this.#packed.get(numbers) ?? this.#keep(numbers, this.#array(name, numbers));
  }

  /** One copy in all: the worker gets the copy's own buffer. Cloning would copy twice, and the whole buffer of a small view. */
  #array(name: string, array: Uint8Array): unknown {
    const occupied = occupiedBy(name, array);
    this.#inputs.push(occupied);
    if (this.#move && isOwnBuffer(array.buffer)) {
      this.transfer.add(array.buffer);
      return array;
    }
    const copy = copyOf(this.#fn, name, array);
    this.transfer.add(copy.buffer as ArrayBuffer);
    return copy;
  }
}

/** Cloning would lose the getters of a class: tensors of onnxruntime and views of ndarray have some. Null where it is no array. */
function arrayProperties(value: object): [name: string, value: unknown][] | null {
  const names = ['data', 'shape', 'dims', 'dtype', 'type', 'stride', 'strides', 'offset'];
  const given = names.map((name): [string, unknown] => [name, readProperty(value, name)]).filter((one) => one[1] !== undefined);
  const found = given.map(([name]) => name);
  return found.includes('data') && (found.includes('shape') || found.includes('dims')) ? given : null;
}

/** Turns the failure of sending `packing` into an error that names what cannot be sent. */
export function refuse(fn: string, named: NamedArguments, packing: Packing, error: unknown): never {
  for (const [index, [name]] of named.entries()) {
    const culprit = findUncloneable(name, packing.args[index]);
    if (culprit !== null) fail('value', fn, `${culprit} cannot be sent to a worker`, error);
  }
  fail('value', fn, `the arguments cannot be sent to a worker (${messageOf(error)})`, error);
}

function copyOf(fn: string, name: string, array: Uint8Array): Uint8Array {
  const kind = typedArrayKind(array) as 'Uint8Array';
  try {
    return new globalThis[kind](array.length === 0 ? 0 : (array as never));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return fail(
      'memory',
      fn,
      `JavaScript refused a copy of ${name}, ${array.byteLength} bytes; transfer: true moves it`,
      error,
    );
  }
}

function occupiedBy(name: string, { buffer, byteOffset, byteLength }: ArrayBufferView): Occupied {
  return { name, buffer, from: byteOffset, to: byteOffset + byteLength };
}

function overlap(a: Occupied, b: Occupied): boolean {
  return a.buffer === b.buffer && a.from < b.to && b.from < a.to;
}

function isOwnBuffer(buffer: ArrayBufferLike): buffer is ArrayBuffer {
  return Object.prototype.toString.call(buffer) === '[object ArrayBuffer]';
}

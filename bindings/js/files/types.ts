/** The public types of `fovea/files`. */
import type { HostUrl } from '../errors/host_types.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { NestedBooleans, NumericArray } from '../tensor/array_types.ts';

/** Types of one float each. */
export type FloatDtype = 'F64' | 'F32' | 'F16' | 'BF16';

/** The types that become arrays of numbers, by their names in safetensors. npy files have all of them but BF16. */
export type NumberDtype = FloatDtype | 'I64' | 'U64' | 'I32' | 'U32' | 'I16' | 'U16' | 'I8' | 'U8' | 'BOOL';

/** Types of safetensors that are read as bytes alone, and not written. */
export type OpaqueDtype =
  'C64' | 'F8_E4M3' | 'F8_E5M2' | 'F8_E8M0' | 'F8_E4M3FNUZ' | 'F8_E5M2FNUZ' | 'F6_E2M3' | 'F6_E3M2' | 'F4';

export type Dtype = NumberDtype | OpaqueDtype;

/** A File or another Blob. */
export interface BlobLike {
  readonly size: number;
  readonly name?: string;
  /** The bytes from `start` to `end` (exclusive), not yet read. */
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
  /** Reads all its bytes. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The result of `fetch`. */
export interface ResponseLike {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText?: string;
  readonly url: string;
  /** Reads all its bytes. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * Where a file's bytes are. A string is a URL; in Node it is a path, unless it begins with a scheme such as `https:` or `file:`.
 * A URL is fetched whole, and a Response is read whole. Of Blobs, and of files on Node's disk, only what is wanted is read. Bytes must not change meanwhile.
 */
export type FileSource = string | HostUrl | BlobLike | ResponseLike | ArrayBufferLike | ArrayBufferView;

/**
 * 'float32', the default: numbers that fovea's functions take. F16 and BF16 become a Float32Array, I64 and U64 a Float64Array
 * (a `value` error where one is beyond ±(2^53 - 1)), BOOL a Uint8Array, all others an array of their own type.
 * 'stored': the bits of the file. F16 is a Float16Array where the engine has it, else a Uint16Array of its bits; BF16 always a
 * Uint16Array of its bits; I64 and U64 are BigInt arrays; what is not of NumberDtype is a Uint8Array.
 */
export type ReadAs = 'float32' | 'stored';

/** A Float16Array, or a Uint16Array of bits. */
export interface HalfArray extends ArrayBufferView {
  readonly BYTES_PER_ELEMENT: number;
  readonly length: number;
  [index: number]: number;
}

export type StoredArray = NumericArray | HalfArray | BigInt64Array | BigUint64Array;

/** Row-major. An array argument of fovea's functions, if it was read as 'float32'. */
export interface FileTensor<As extends ReadAs = 'float32'> {
  readonly data: As extends 'stored' ? StoredArray : NumericArray;
  readonly shape: number[];
  /** The type in the file. */
  readonly dtype: Dtype;
}

export interface NpyOptions<As extends ReadAs = 'float32'> {
  readonly as?: As | undefined;
}

/** `names` and `filter` exclude each other. */
export interface SafetensorsOptions<As extends ReadAs = 'float32'> extends NpyOptions<As> {
  /** The tensors that are wanted; a `value` error where the file lacks one. Default: all. */
  readonly names?: readonly string[] | undefined;
  /** Which tensors are wanted, by what the header tells. */
  readonly filter?:
    ((name: string, header: { readonly shape: readonly number[]; readonly dtype: Dtype }) => boolean) | undefined;
}

export interface SafetensorsFile<As extends ReadAs = 'float32'> {
  /** By name, in the order of the file's header. Names may be any text, `__proto__` too, which a Map keeps as it is. */
  readonly tensors: Map<string, FileTensor<As>>;
  /** The texts under `__metadata__`; empty where there are none. */
  readonly metadata: Map<string, string>;
}

/**
 * An array as it is to be written: any array argument of fovea's functions, booleans, BigInt arrays, or what was read. It is
 * written as its `dtype`, if it has one, which must hold its numbers: floats are rounded to nearest, ties to even, all others
 * are kept or a `value` error. Without one its type follows from its data: numbers in plain arrays are F32, booleans BOOL.
 */
export type TensorToWrite =
  | ArrayInput
  | NestedBooleans
  | { readonly data: StoredArray | readonly number[]; readonly shape: readonly number[]; readonly dtype?: Dtype | undefined };

export interface WriteOptions {
  /** The type in which all floats are written; other types stay. */
  readonly dtype?: FloatDtype | undefined;
}

export interface WriteSafetensorsOptions extends WriteOptions {
  /** Texts for `__metadata__`. */
  readonly metadata?: ReadonlyMap<string, string> | Readonly<Record<string, string>> | undefined;
}

/** A Uint8Array on a buffer of its own, in the words of every TypeScript: since 5.7 it is written Uint8Array<ArrayBuffer>. */
export type FileBytes = ReturnType<typeof Uint8Array.of>;

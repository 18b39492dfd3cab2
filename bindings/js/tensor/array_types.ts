/** The plain arrays that functions take and give. */
export type NumericArray =
  Float32Array | Float64Array | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Int32Array | Uint32Array;

/** Numbers nested in arrays; every level has one length, e.g. `[[1, 2], [3, 4]]`. */
export type NestedNumbers = readonly number[] | readonly NestedNumbers[];
export type NestedBooleans = readonly boolean[] | readonly NestedBooleans[];

/**
 * Where the entries of an array lie in its `data`, in elements: entry [i, j, …] at offset + i·stride[0] + j·stride[1] + …, which is read
 * into row-major order. So the views of scijs' ndarray are arrays as they are. Strides may be 0 or negative.
 */
export interface Strides {
  /** One integer per axis; default row-major. */
  readonly stride?: readonly number[] | undefined;
  /** In place of `stride`. */
  readonly strides?: readonly number[] | undefined;
  /** Default 0. */
  readonly offset?: number | undefined;
}

/** Row-major numbers with a shape, or numbers with strides. Float64 is rounded to float32; Float16Array is taken where the engine has it. */
export interface ArrayData extends Strides {
  readonly data: NumericArray | readonly number[];
  readonly shape: readonly number[];
}

/** 16-bit numbers, which need `dtype`: the bits of float16 or bfloat16, or integers. Also by the names of `fovea/files`. */
export interface ArrayData16 extends Strides {
  readonly data: Uint16Array;
  readonly shape: readonly number[];
  readonly dtype: 'float16' | 'bfloat16' | 'uint16' | 'F16' | 'BF16' | 'U16';
}

/** A tensor of onnxruntime or transformers.js, in the CPU's memory; its `type` may be any but int64 and string. */
export interface ForeignTensor {
  readonly data: ArrayLike<unknown>;
  readonly dims: readonly number[];
  readonly type?: string | undefined;
}

/** Rows of typed arrays of one length, in lists as deep as the array has further axes. */
export type NestedRows = readonly NumericArray[] | readonly NestedRows[];

/** A plain call's result: owned by JavaScript, nothing to free. */
export interface NDArray {
  data: Float32Array;
  shape: number[];
}

/** Any array argument that is not a Tensor. */
export type PlainArray = ArrayData | ArrayData16 | ForeignTensor | NestedNumbers | NestedRows;

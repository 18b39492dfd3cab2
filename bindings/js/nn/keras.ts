/** Weights of Keras' MultiHeadAttention under PyTorch's names: kernels [in, heads, width] become matrices [out, in]. */
import { fail } from '../errors/errors.ts';
import { formatShape, sizeOf } from '../tensor/shapes.ts';
import type { ArrayInput } from '../tensor/array_input.ts';
import type { NDArray } from '../tensor/array_types.ts';
import type { Module } from './module.ts';
import { entriesOf, type StateDict } from './state_dict.ts';
import { readOperand } from '../tensor/operands.ts';

interface Inner {
  /** H·D and Hkv·D. */
  readonly queries: number;
  readonly keys: number;
  readonly joint: boolean;
}

const SOURCES = ['query', 'key', 'value', 'attention_output'] as const;

export function fromKeras(
  module: Module,
  fn: string,
  weights: StateDict,
  prefix: string,
  inner: Inner,
): Map<string, ArrayInput> {
  const given = new Map<string, ArrayInput>();
  for (const [name, array] of entriesOf(fn, weights))
    if (name.startsWith(prefix)) given.set(name.slice(prefix.length).replace(/:0$/, ''), array);
  const biased = module.own.has('in_proj_bias');
  const wanted = SOURCES.flatMap((source) => [`${source}/kernel`, ...(biased ? [`${source}/bias`] : [])]);
  const missing = wanted.filter((name) => !given.has(name));
  if (missing.length > 0) fail('value', fn, `weights must have Keras' names, got missing ${missing.join(', ')}`);
  const read = (name: string): { shape: readonly number[]; data: Float32Array } => {
    const { instance, fovea } = module;
    const { shape } = readOperand(instance, fn, name, given.get(name));
    return { shape, data: fovea.scope(() => fovea.tensor(given.get(name)!).toArray().data) };
  };
  const [q, k, v] = SOURCES.slice(0, 3).map((source, n) => {
    const { shape, data } = read(`${source}/kernel`);
    const rows = shape[0] ?? 0;
    const columns = n === 0 ? inner.queries : inner.keys;
    if (shape.length !== 3 || sizeOf(shape.slice(1)) !== columns)
      fail('shape', fn, `${source}/kernel must be [in, heads, width], heads·width = ${columns}, got ${formatShape(shape)}`);
    return transposed(data, rows, columns);
  }) as [NDArray, NDArray, NDArray];
  const out = read('attention_output/kernel');
  if (out.shape.length !== 3 || sizeOf(out.shape.slice(0, 2)) !== inner.queries)
    fail(
      'shape',
      fn,
      `attention_output/kernel must be [heads, width, E], heads·width = ${inner.queries}, got ${formatShape(out.shape)}`,
    );
  const result = new Map<string, ArrayInput>([['out_proj.weight', transposed(out.data, inner.queries, out.shape[2]!)]]);
  if (inner.joint) result.set('in_proj_weight', stacked([q, k, v], q.shape[1]!));
  else for (const [letter, array] of Object.entries({ q, k, v })) result.set(`${letter}_proj_weight`, array);
  if (biased) {
    const parts = SOURCES.slice(0, 3).map((source) => read(`${source}/bias`));
    const data = Float32Array.from(parts.flatMap(({ data: part }) => [...part]));
    result.set('in_proj_bias', { data, shape: [data.length] });
    result.set('out_proj.bias', given.get('attention_output/bias')!);
  }
  for (const [name, array] of given) if (!wanted.includes(name)) result.set(name, array);
  return result;
}

/** [rows, columns] -> [columns, rows]. */
function transposed(source: Float32Array, rows: number, columns: number): NDArray {
  const data = new Float32Array(rows * columns);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) data[c * rows + r] = source[r * columns + c]!;
  return { data, shape: [columns, rows] };
}

/** One matrix below the other. */
function stacked(parts: readonly NDArray[], columns: number): NDArray {
  const data = new Float32Array(parts.reduce((sum, part) => sum + part.data.length, 0));
  let at = 0;
  for (const part of parts) {
    data.set(part.data, at);
    at += part.data.length;
  }
  return { data, shape: [data.length / columns, columns] };
}

/** Writing safetensors. */
import { describe, fail } from '../errors/errors.ts';
import { isPlainObject, readOptions } from '../errors/options.ts';
import { isMap } from '../tensor/collections.ts';
import { storedArray } from './dtypes.ts';
import { checkFloatDtype, encode, place, type Encoded } from './encode.ts';
import { isWellFormed } from './json_reader.ts';
import { MAX_HEADER } from './safetensors_header.ts';
import { withRoom, type Bytes } from './source.ts';
import type { FileBytes, TensorToWrite, WriteSafetensorsOptions } from './types.ts';

/**
 * A safetensors file. The arrays that have the widest numbers come first, so that every one begins where its type may.
 *
 * @param tensors by name, in a Map or an object: arrays, as `TensorToWrite` tells.
 * @param options `dtype`: what floats are written as, rounded to nearest, ties to even. `metadata`: texts by name.
 * @throws AttentionError `shape` for data that does not fill its shape; `value` for what is no array, for numbers that a
 *   tensor's `dtype` cannot hold, for names that are no text or `__metadata__`; `option`; `memory`.
 *
 * Source: https://huggingface.co/docs/safetensors.
 * @example
 * import { readSafetensors, writeSafetensors } from 'fovea/files';
 * import { matmul } from 'fovea/ops';
 * const file = writeSafetensors({ Wq: [[1, 2], [3, 4]] }, { dtype: 'BF16', metadata: { format: 'pt' } });
 * const { tensors, metadata } = await readSafetensors(file);
 * matmul(fovea, tensors.get('Wq'), [[1], [1]]); // [[3], [7]]
 */
export function writeSafetensors(
  tensors: ReadonlyMap<string, TensorToWrite> | Readonly<Record<string, TensorToWrite>>,
  options?: WriteSafetensorsOptions,
): FileBytes {
  const fn = 'writeSafetensors';
  return withRoom(fn, 'the file', () => write(fn, tensors, options));
}

function write(fn: string, tensors: unknown, options: WriteSafetensorsOptions | undefined): Bytes {
  const known = readOptions(fn, options, ['dtype', 'metadata']);
  checkFloatDtype(fn, known.dtype);
  const metadata = readMetadata(fn, known.metadata);
  const encoded = entriesOf(fn, 'tensors', tensors).map(([name, value]): [string, Encoded] => {
    if (name === '__metadata__') fail('value', fn, "no tensor may have the name '__metadata__'; pass the option metadata");
    return [name, encode(fn, `tensor ${describe(name)}`, value, known.dtype)];
  });
  encoded.sort(([, a], [, b]) => widthOf(b) - widthOf(a));
  let end = 0;
  const fields = encoded.map(([name, { dtype, shape, bytes }]) => {
    const begin = end;
    end += bytes.length;
    return `${JSON.stringify(name)}:${JSON.stringify({ dtype, shape, data_offsets: [begin, end] })}`;
  });
  const header = new TextEncoder().encode(`{${[...metadata, ...fields].join()}}`);
  const padded = Math.ceil(header.length / 8) * 8;
  if (padded > MAX_HEADER) fail('value', fn, `the header must have at most ${MAX_HEADER} bytes, got ${padded}`);
  const file = new Uint8Array(8 + padded + end);
  new DataView(file.buffer).setUint32(0, padded, true);
  file.fill(0x20, 8, 8 + padded).set(header, 8);
  let at = 8 + padded;
  for (const [, array] of encoded) at = place(file, at, array);
  return file;
}

function widthOf({ dtype }: Encoded): number {
  return storedArray(dtype).BYTES_PER_ELEMENT;
}

/** The field `__metadata__`, if there is one. */
function readMetadata(fn: string, metadata: unknown): string[] {
  if (metadata === undefined) return [];
  const texts = entriesOf(fn, 'metadata', metadata).map(([key, value]) => {
    if (typeof value !== 'string' || !isWellFormed(value))
      fail('value', fn, `metadata must hold well-formed texts, got ${describe(value)} as ${describe(key)}`);
    return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  });
  return [`"__metadata__":{${texts.join()}}`];
}

function entriesOf(fn: string, what: string, given: unknown): [string, unknown][] {
  if (!isMap(given) && !isPlainObject(given)) fail('value', fn, `${what} must be an object or a Map, got ${describe(given)}`);
  const entries: [unknown, unknown][] = isMap(given) ? [...given] : Object.entries(given);
  for (const [name] of entries)
    if (typeof name !== 'string' || !isWellFormed(name))
      fail('value', fn, `${what} must have well-formed texts as names, got ${describe(name)}`);
  return entries as [string, unknown][];
}

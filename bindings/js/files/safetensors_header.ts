/**
 * The header of a safetensors file, and whether the file keeps the format's promises: 8 bytes that tell the header's length
 * (little-endian), the header in JSON, then the data, of which every byte belongs to exactly one tensor.
 * Source: https://huggingface.co/docs/safetensors, "Format".
 */
import { describe } from '../errors/errors.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { BinaryFile } from './binary_file.ts';
import { bytesOf, isDtype } from './dtypes.ts';
import { orForeign } from './foreign_formats.ts';
import { JsonReader } from './json_reader.ts';
import type { Dtype } from './types.ts';

/** The limit of the format's own implementation. */
export const MAX_HEADER = 100_000_000;
/** More axes than any library has. */
const MAX_RANK = 64;

export interface TensorEntry {
  readonly name: string;
  readonly dtype: Dtype;
  readonly shape: number[];
  /** Bytes of the file. */
  readonly begin: number;
  readonly end: number;
}

export interface SafetensorsHeader {
  /** In the header's order. */
  readonly entries: readonly TensorEntry[];
  readonly metadata: Map<string, string>;
}

export function readSafetensorsHeader(file: BinaryFile): Promise<SafetensorsHeader> {
  return orForeign(file, 'readSafetensors', () => readHeader(file));
}

async function readHeader(file: BinaryFile): Promise<SafetensorsHeader> {
  if (file.size < 8) file.bad(`it must begin with the 8 bytes of its header's length, got ${file.size}`);
  const view = new DataView((await file.read(0, 8)).buffer);
  const length = view.getUint32(4, true) * 2 ** 32 + view.getUint32(0, true);
  const text = await file.readHeader(8, length, MAX_HEADER);
  if (text[0] !== '{') file.bad(`the header must begin with '{', got ${JSON.stringify(text.slice(0, 12))}`);
  const start = 8 + length;
  const reader = new JsonReader(text, (rule) => file.bad(`the header ${rule}`));
  const metadata = new Map<string, string>();
  const entries: TensorEntry[] = [];
  reader.object((name) => {
    if (name === '__metadata__') reader.object((key) => metadata.set(key, reader.string()));
    else entries.push(readEntry(file, reader, name, start));
  });
  reader.end();
  checkCover(file, entries, start);
  return { entries, metadata };
}

/** Fields that the format does not know are passed over, as its own implementation does. */
function readEntry(file: BinaryFile, reader: JsonReader, name: string, start: number): TensorEntry {
  const bad = (rule: string): never => file.bad(`tensor ${describe(name)} must have ${rule}`);
  let dtype = '';
  let shape: number[] | undefined;
  let offsets: number[] = [];
  const naturals = (most: number): number[] => {
    const list: number[] = [];
    reader.array(() => {
      if (list.push(reader.natural()) > most) bad('two data_offsets and few axes');
    });
    return list;
  };
  reader.object((field) => {
    if (field === 'dtype') dtype = reader.string();
    else if (field === 'shape') shape = naturals(MAX_RANK);
    else if (field === 'data_offsets') offsets = naturals(2);
    else reader.skip();
  });
  const [begin, end] = offsets;
  if (shape === undefined || begin === undefined || end === undefined) return bad('a dtype, a shape and two data_offsets');
  if (!isDtype(dtype)) return bad(`a known dtype, got ${describe(dtype)}`);
  const bytes = bytesOf(dtype, shape);
  if (Number.isNaN(bytes)) bad(`a shape that a file can hold, got ${dtype} ${formatShape(shape)}`);
  if (end - begin !== bytes)
    bad(`data_offsets that are the ${bytes} bytes of ${dtype} ${formatShape(shape)} apart, got [${begin}, ${end}]`);
  return { name, dtype, shape, begin: start + begin, end: start + end };
}

/** Each byte of the data belongs to one tensor: in order of their offsets they join without overlaps and without holes. */
function checkCover(file: BinaryFile, entries: readonly TensorEntry[], start: number): void {
  let covered = start;
  for (const { name, begin, end } of [...entries].sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (begin !== covered)
      file.bad(
        `tensor ${describe(name)} must begin where the one before it ends, without overlap or hole, at byte ${covered - start} of the data, got ${begin - start}`,
      );
    covered = end;
  }
  if (covered !== file.size)
    file.bad(`the tensors must fill the data, got ${covered - start} bytes of tensors in ${file.size - start} of data`);
}

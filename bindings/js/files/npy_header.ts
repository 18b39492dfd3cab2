/**
 * The header of an npy file: a magic string, the format's version, the header's length (2 bytes in version 1.0, 4 in 2.0 and 3.0,
 * little-endian), and a dict as Python writes it, which is read as the JSON that it nearly is. Nothing is evaluated.
 * Source: NumPy, numpy/lib/format.py.
 */
import { describe } from '../errors/errors.ts';
import { formatShape } from '../tensor/shapes.ts';
import type { BinaryFile } from './binary_file.ts';
import { bytesOf, numberDtypes, storedArray } from './dtypes.ts';
import { orForeign } from './foreign_formats.ts';
import { JsonReader } from './json_reader.ts';
import type { NumberDtype } from './types.ts';

/** Headers of plain arrays have some hundred bytes; NumPy itself takes 10,000 where it is not told otherwise. */
const MAX_HEADER = 65_535;
const MAX_RANK = 64;

export interface NpyHeader {
  readonly dtype: NumberDtype;
  readonly shape: number[];
  readonly littleEndian: boolean;
  /** Whether the first axis is the one that runs fastest. */
  readonly fortran: boolean;
  /** Where the data begins, in bytes of the file; it fills the rest. */
  readonly start: number;
}

/** The names of NumPy without the order of the bytes, such as f4. It has no BF16. */
export function npyName(dtype: NumberDtype): string | undefined {
  if (dtype === 'BF16') return undefined;
  return dtype === 'BOOL' ? 'b1' : `${dtype[0]!.toLowerCase()}${storedArray(dtype).BYTES_PER_ELEMENT}`;
}

export function readNpyHeader(file: BinaryFile): Promise<NpyHeader> {
  return orForeign(file, 'readNpy', () => readHeader(file));
}

async function readHeader(file: BinaryFile): Promise<NpyHeader> {
  const { size } = file;
  const first = await file.read(0, Math.min(size, 12));
  const magic = String.fromCharCode(...first.subarray(0, 6));
  if (magic !== '\x93NUMPY') file.bad(`it must begin with \\x93NUMPY, got ${JSON.stringify(magic)}`);
  const [major = 0, minor] = first.subarray(6);
  if (minor !== 0 || major < 1 || major > 3) file.bad(`its version must be 1.0, 2.0 or 3.0, got ${major}.${minor}`);
  const begin = major === 1 ? 10 : 12;
  if (size < begin) file.bad(`it must tell the length of its header, got ${size} bytes`);
  const view = new DataView(first.buffer);
  const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  const header = parse(file, await file.readHeader(begin, length, MAX_HEADER));
  const start = begin + length;
  const bytes = bytesOf(header.dtype, header.shape);
  const what = `${header.dtype} ${formatShape(header.shape)}`;
  if (Number.isNaN(bytes)) file.bad(`it must have a shape that a file can hold, got ${what}`);
  if (bytes !== size - start) file.bad(`its data must have the ${bytes} bytes of ${what}, got ${size - start}`);
  return { ...header, start };
}

function parse(file: BinaryFile, text: string): Omit<NpyHeader, 'start'> {
  const bad = (rule: string): never => file.bad(`the header ${rule}`);
  // A list, a text with escapes or two kinds of quotes, and (3), which is no tuple, would be taken for what they are not.
  const foreign = /[[\]\\]|'[^]*"|"[^]*'|\(\s*\d+L?\s*\)/.exec(text);
  if (foreign !== null) bad(`must be a dict of texts, True or False, and a tuple, got ${describe(foreign[0])} in it`);
  const reader = new JsonReader(asJson(text), bad);
  let descr = '';
  let fortran = false;
  let keys = 0;
  const shape: number[] = [];
  reader.object((key) => {
    keys++;
    if (key === 'descr') descr = reader.string();
    else if (key === 'fortran_order') fortran = reader.boolean();
    else if (key === 'shape') reader.array(() => shape.push(reader.natural()));
    else bad(`must have no key ${describe(key)}`);
  });
  reader.end();
  if (keys < 3 || shape.length > MAX_RANK) bad(`must have descr, fortran_order and shape, with at most ${MAX_RANK} axes`);
  const dtype = numberDtypes.find((name) => npyName(name) === descr.slice(1));
  if (dtype === undefined || !(descr.endsWith('1') ? /^[<>|]/ : /^[<>]/).test(descr))
    return bad(`must have one of the types ${numberDtypes.map(npyName).join(' ')} after < or >, got ${describe(descr)}`);
  return { dtype, shape, fortran, littleEndian: descr[0] !== '>' };
}

/** Sign for sign, so that places in it are places in the header: `'`, True, tuples, a comma at the end, and Python 2's `3L`. */
function asJson(python: string): string {
  return python
    .replace(/True|False/g, (word) => word.toLowerCase())
    .replace(/,(?=\s*[)}])|(?<=\d)L/g, ' ')
    .replace(/['()]/g, (sign) => ({ "'": '"', '(': '[', ')': ']' })[sign]!);
}

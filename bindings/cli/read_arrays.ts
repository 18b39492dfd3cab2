/** The arguments of a mechanism from files and stdin: npy, safetensors, CSV and JSON, and JSON on the command line itself. */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { toNested, type NDArray } from 'fovea';
import { readNpy, readSafetensors, type FileTensor } from 'fovea/files';
import { splitNamed } from './command_line.ts';
import { FailureError, UsageError, wordsOf } from './failure.ts';
import { STDIO, type Stdin } from './standard_streams.ts';
import { parseCsv, parseJson } from './text_formats.ts';

/** Values by name; dots in names are levels, as in a state dict. */
export type Named = ReadonlyMap<string, unknown>;

/**
 * Reads what `--input` or `--param` name: `FILE`, `NAME=FILE` or `NAME=JSON`, `-` being stdin. A file without names in it gives one array, under the name of the file;
 * one with names gives them all, below NAME where there is one.
 */
export async function readNamed(texts: readonly string[], flag: string, stdin: Stdin): Promise<Named> {
  const all = new Map<string, unknown>();
  for (const text of texts) {
    const { name, rest } = splitNamed(text);
    for (const [key, value] of await readOne(name, rest, flag, stdin)) {
      if (all.has(key)) throw new UsageError(`${flag}: '${key}' is given twice`);
      all.set(key, value);
    }
  }
  return all;
}

/** The options of a mechanism: `NAME=VALUE`, VALUE being JSON, a text, or `@FILE`. */
export async function readOptions(texts: readonly string[], stdin: Stdin): Promise<Named> {
  const all = new Map<string, unknown>();
  for (const text of texts) {
    const { name, rest } = splitNamed(text);
    if (name === undefined) throw new UsageError(`--option takes NAME=VALUE, got '${text}'`);
    if (rest.startsWith('@'))
      for (const [key, value] of await readOne(name, rest.slice(1), '--option', stdin)) all.set(key, value);
    else all.set(name, jsonOrText(rest));
  }
  return all;
}

/** `{ 'a.b': 1 }` as `{ a: { b: 1 } }`. Names are own properties, whatever they are. */
export function nest(named: Named): Record<string, unknown> {
  const groups = new Map<string, Map<string, unknown>>();
  const plain = new Map<string, unknown>();
  for (const [name, value] of named) {
    const dot = name.indexOf('.');
    if (dot < 0) plain.set(name, value);
    else {
      const head = name.slice(0, dot);
      groups.set(head, (groups.get(head) ?? new Map<string, unknown>()).set(name.slice(dot + 1), value));
    }
  }
  for (const [head, group] of groups) {
    if (plain.has(head)) throw new UsageError(`'${head}' is given both as one value and by the names of its parts`);
    plain.set(head, nest(group));
  }
  return Object.fromEntries(plain);
}

/** Numbers that JSON does not have are none here either: a text of such a name is a slip. */
function jsonOrText(text: string): unknown {
  return /^(?:[-\d[{"]|true$|false$|null$|NaN$|Infinity$)/.test(text) ? parseWord(text) : text;
}

/** JSON that stands on the command line itself. */
function parseWord(text: string): unknown {
  try {
    return parseJson(text, `'${text}'`);
  } catch (error) {
    throw new UsageError(wordsOf(error));
  }
}

async function readOne(name: string | undefined, where: string, flag: string, stdin: Stdin): Promise<[string, unknown][]> {
  if (where === '') throw new UsageError(`${flag} takes a file, NAME=FILE or NAME=JSON, got '${name ?? ''}='`);
  if (name !== undefined && /^(?:[[{]|-?\d+(?:\.\d+)?$)/.test(where)) return [[name, parseWord(where)]];
  const { source, format, shown } =
    where === STDIO
      ? await stdin.read(flag).then(({ bytes, format }) => ({ source: bytes, format, shown: 'stdin' }))
      : { source: where, format: extname(where).toLowerCase(), shown: where };
  const stem = (): string => {
    if (where === STDIO) throw new UsageError(`${flag} ${STDIO}: the array of stdin has no name: write ${flag} NAME=${STDIO}`);
    return basename(where, extname(where));
  };
  const one = (value: unknown): [string, unknown][] => [[name ?? stem(), value]];
  try {
    switch (format) {
      case '.npy':
        return one(arrayOf(await readNpy(source)));
      case '.safetensors': {
        const { tensors } = await readSafetensors(source);
        return [...tensors].map(([key, tensor]) => [name === undefined ? key : `${name}.${key}`, arrayOf(tensor)]);
      }
      case '.csv':
      case '.tsv':
        return one(parseCsv(await readText(source), shown));
      case '.json':
        return entriesOf(parseJson(await readText(source), shown), name, stem);
      case '.npz':
        throw new FailureError(`${where}: npz archives are not read; numpy.load(...) and numpy.save make .npy files of one`);
      default:
        throw new UsageError(`${flag}: '${where}' is none of .npy, .safetensors, .csv, .json`);
    }
  } catch (error) {
    if (error instanceof UsageError || error instanceof FailureError) throw error;
    const words = wordsOf(error).replace(/^\w+: /, '');
    if (words.includes('ENOENT')) throw new FailureError(`${where}: there is no such file`);
    throw new FailureError(words.includes(shown) ? words : `${shown}: ${words}`);
  }
}

/** An object of names gives its members; lists, numbers and `{ data, shape }` are one value. */
function entriesOf(value: unknown, name: string | undefined, stem: () => string): [string, unknown][] {
  const isNamed =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !('data' in value && 'shape' in value);
  if (!isNamed || name !== undefined) return [[name ?? stem(), value]];
  return Object.entries(value);
}

/** @param from a path, or the bytes of stdin. */
async function readText(from: string | Uint8Array): Promise<string> {
  if (typeof from !== 'string') return new TextDecoder().decode(from);
  try {
    return await readFile(from, 'utf8');
  } catch (error) {
    throw new FailureError(
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? `${from}: there is no such file` : `${from}: ${wordsOf(error)}`,
    );
  }
}

/** Whole numbers become lists, which ids and lengths want; floats stay as they are. */
function arrayOf({ data, shape, dtype }: FileTensor): unknown {
  const array: NDArray = { data: data as NDArray['data'], shape };
  if (!/^[IU]/.test(dtype)) return array;
  return shape.length === 0 ? Number(data[0]) : toNested(array);
}

/** The arguments of a mechanism from files: npy, safetensors, CSV and JSON, and JSON on the command line itself. */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { toNested, type NDArray } from 'fovea';
import { readNpy, readSafetensors, type FileTensor } from 'fovea/files';
import { splitNamed } from './command_line.ts';
import { FailureError, UsageError, wordsOf } from './failure.ts';
import { parseCsv, parseJson } from './text_formats.ts';

/** Values by name; dots in names are levels, as in a state dict. */
export type Named = ReadonlyMap<string, unknown>;

/**
 * Reads what `--input` or `--param` name: `FILE`, `NAME=FILE` or `NAME=JSON`. A file without names in it gives one array, under the name of the file;
 * one with names gives them all, below NAME where there is one.
 */
export async function readNamed(texts: readonly string[], flag: string): Promise<Named> {
  const all = new Map<string, unknown>();
  for (const text of texts) {
    const { name, rest } = splitNamed(text);
    for (const [key, value] of await readOne(name, rest, flag)) {
      if (all.has(key)) throw new UsageError(`${flag}: '${key}' is given twice`);
      all.set(key, value);
    }
  }
  return all;
}

/** The options of a mechanism: `NAME=VALUE`, VALUE being JSON, a text, or `@FILE`. */
export async function readOptions(texts: readonly string[]): Promise<Named> {
  const all = new Map<string, unknown>();
  for (const text of texts) {
    const { name, rest } = splitNamed(text);
    if (name === undefined) throw new UsageError(`--option takes NAME=VALUE, got '${text}'`);
    if (rest.startsWith('@')) for (const [key, value] of await readOne(name, rest.slice(1), '--option')) all.set(key, value);
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

function jsonOrText(text: string): unknown {
  return /^(?:[-\d[{"]|true$|false$|null$)/.test(text) ? parseJson(text, `'${text}'`) : text;
}

async function readOne(name: string | undefined, where: string, flag: string): Promise<[string, unknown][]> {
  if (where === '') throw new UsageError(`${flag} takes a file, NAME=FILE or NAME=JSON, got '${name ?? ''}='`);
  if (name !== undefined && /^(?:[[{]|-?\d+(?:\.\d+)?$)/.test(where)) return [[name, parseJson(where, `'${where}'`)]];
  const stem = basename(where, extname(where));
  const one = (value: unknown): [string, unknown][] => [[name ?? stem, value]];
  try {
    switch (extname(where).toLowerCase()) {
      case '.npy':
        return one(arrayOf(await readNpy(where)));
      case '.safetensors': {
        const { tensors } = await readSafetensors(where);
        return [...tensors].map(([key, tensor]) => [name === undefined ? key : `${name}.${key}`, arrayOf(tensor)]);
      }
      case '.csv':
      case '.tsv':
        return one(parseCsv(await readText(where), where));
      case '.json':
        return entriesOf(parseJson(await readText(where), where), name, stem);
      case '.npz':
        throw new FailureError(`${where}: npz archives are not read; numpy.load(...) and numpy.save make .npy files of one`);
      default:
        throw new UsageError(`${flag}: '${where}' is none of .npy, .safetensors, .csv, .json`);
    }
  } catch (error) {
    if (error instanceof UsageError || error instanceof FailureError) throw error;
    const words = wordsOf(error).replace(/^\w+: /, '');
    if (words.includes('ENOENT')) throw new FailureError(`${where}: there is no such file`);
    throw new FailureError(words.includes(where) ? words : `${where}: ${words}`);
  }
}

/** An object of names gives its members; lists, numbers and `{ data, shape }` are one value. */
function entriesOf(value: unknown, name: string | undefined, stem: string): [string, unknown][] {
  const isNamed =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !('data' in value && 'shape' in value);
  if (!isNamed || name !== undefined) return [[name ?? stem, value]];
  return Object.entries(value);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new FailureError(
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? `${path}: there is no such file` : `${path}: ${wordsOf(error)}`,
    );
  }
}

/** Whole numbers become lists, which ids and lengths want; floats stay as they are. */
function arrayOf({ data, shape, dtype }: FileTensor): unknown {
  const array: NDArray = { data: data as NDArray['data'], shape };
  if (!/^[IU]/.test(dtype)) return array;
  return shape.length === 0 ? Number(data[0]) : toNested(array);
}

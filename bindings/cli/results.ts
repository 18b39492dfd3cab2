/** The results of a mechanism as arrays by name, and where they are written. */
import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { toNested, type NDArray } from 'fovea';
import type { CatalogResult } from 'fovea/catalog';
import { writeNpy, writeSafetensors } from 'fovea/files';
import { splitNamed } from './command_line.ts';
import { FailureError, UsageError, wordsOf } from './failure.ts';
import { FORMATS, formatNames, STDIO, writeToStdout, type Format } from './standard_streams.ts';
import { writeCsv, writeJson, type ResultArray } from './text_formats.ts';

export type Results = ReadonlyMap<string, ResultArray>;

/** Arrays and numbers, parts of objects by dotted names; the trace's stages below `trace` where they are wanted. */
export function resultsOf({ trace, ...rest }: CatalogResult, withTrace: boolean): Results {
  const all = new Map<string, ResultArray>();
  collect(all, '', rest);
  if (withTrace) for (const { name, data, shape } of trace) all.set(`trace.${name}`, { data, shape: [...shape] });
  return all;
}

function collect(all: Map<string, ResultArray>, prefix: string, values: object): void {
  for (const [name, value] of Object.entries(values)) {
    const path = prefix + name;
    if (typeof value === 'number') all.set(path, { data: Float32Array.of(value), shape: [] });
    else if (isArray(value)) all.set(path, { data: value.data, shape: [...value.shape] });
    else if (isNumbers(value)) all.set(path, { data: Float32Array.from(value), shape: [value.length] });
    else if (typeof value === 'object' && value !== null) collect(all, `${path}.`, value);
  }
}

function isArray(value: unknown): value is ResultArray {
  return typeof value === 'object' && value !== null && 'data' in value && 'shape' in value;
}

function isNumbers(value: unknown): value is ArrayLike<number> {
  return ArrayBuffer.isView(value) || (Array.isArray(value) && value.every((one) => typeof one === 'number'));
}

/** `[NAME=]FILE` of `--output`, checked before anything is computed; `-` is stdout. */
export interface Target {
  readonly name: string | undefined;
  readonly file: string;
  readonly format: Format;
}

/** @param to the format of stdout: alone it is `--output -`. */
export function readTargets(texts: readonly string[], to: Format | undefined): Target[] {
  const targets = texts.map((text): Target => {
    const { name, rest: file } = splitNamed(text);
    if (file === STDIO) {
      if (to === undefined) throw new UsageError(`--output ${STDIO} is stdout: --to says its format, ${formatNames()}`);
      return { name, file, format: to };
    }
    const format = FORMATS.find((one) => one === extname(file).toLowerCase());
    if (format === undefined) throw new UsageError(`--output: '${file}' ends in none of ${FORMATS.join(', ')}`);
    return { name, file, format };
  });
  const toStdout = targets.filter(({ file }) => file === STDIO).length;
  if (toStdout > 1) throw new UsageError(`--output: ${toStdout} results are for stdout; only one can be ${STDIO}`);
  return to === undefined || toStdout === 1 ? targets : [...targets, { name: undefined, file: STDIO, format: to }];
}

/** The results of a target: the one that it names; all for files that hold many; else `output`, or the first. */
export function chosenFor({ name, format }: Target, results: Results): Results {
  if (name === undefined && (format === '.safetensors' || format === '.json')) return results;
  const wanted = name ?? (results.has('output') ? 'output' : [...results.keys()][0]);
  const array = wanted === undefined ? undefined : results.get(wanted);
  if (wanted === undefined || array === undefined)
    throw new FailureError(`there is no result '${wanted ?? ''}'; there are ${[...results.keys()].join(', ')}`);
  return new Map([[wanted, array]]);
}

export async function writeTarget(target: Target, results: Results): Promise<Results> {
  const chosen = chosenFor(target, results);
  try {
    const content = bytesOf(target.format, chosen);
    await (target.file === STDIO ? writeToStdout(content) : writeFile(target.file, content));
  } catch (error) {
    if (error instanceof FailureError) throw error;
    throw new FailureError(`${target.file} cannot be written: ${wordsOf(error)}`);
  }
  return chosen;
}

function bytesOf(format: Format, results: Results): string | Uint8Array {
  const [[name, first]] = [...results] as [[string, ResultArray]];
  if (format === '.npy') return writeNpy(first);
  if (format === '.csv') return writeCsv(first, name);
  if (format === '.safetensors') return writeSafetensors(Object.fromEntries(results));
  return `${writeJson(Object.fromEntries([...results].map(([key, array]) => [key, nestedOf(array)])))}\n`;
}

/** Nested lists; a number where there are no axes. */
export function nestedOf(array: ResultArray): unknown {
  return toNested(array as NDArray);
}

/** The safetensors files of a model: one, or those that an index names. */
import { AttentionError, describe, fail } from '../../errors/errors.ts';
import { isPlainObject } from '../../errors/options.ts';
import { BinaryFile } from '../../files/binary_file.ts';
import { readSafetensorsHeader, type TensorEntry } from '../../files/safetensors_header.ts';
import { isFileName, readJson, type Folder } from './folder.ts';

/** The files of the weights. */
export interface WeightFiles {
  /** In order. */
  readonly files: readonly string[];
  /** The names of all tensors in them; null where the file itself tells. */
  readonly tensors: readonly string[] | null;
}

export interface WeightFile {
  readonly file: BinaryFile;
  /** In the order of their bytes. */
  readonly entries: readonly TensorEntry[];
  readonly finish: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function findWeights(fn: string, folder: Folder): Promise<WeightFiles> {
  const index = await readJson(fn, folder, 'model.safetensors.index.json');
  if (index === undefined) return { files: ['model.safetensors'], tensors: null };
  const map = isPlainObject(index) && Object.hasOwn(index, 'weight_map') ? index['weight_map'] : undefined;
  if (!isPlainObject(map))
    return fail('value', fn, `model.safetensors.index.json must have a weight_map, got ${describe(map)}`);
  const names = new Set<string>();
  for (const file of Object.values(map)) {
    if (!isFileName(file))
      return fail('value', fn, `model.safetensors.index.json must name files of the folder, got ${describe(file)}`);
    names.add(file);
  }
  return { files: [...names].sort(), tensors: Object.keys(map) };
}

/** Opens one of them and reads its header, which comes first. */
export async function openWeights(fn: string, folder: Folder, name: string): Promise<WeightFile> {
  const source = await folder.find(name, 'stream');
  if (source === null) return fail('load', fn, `${folder.name} has no ${name}`);
  const { finish, close } = source;
  try {
    const file = new BinaryFile(fn, source);
    const entries = await readEntries(file, finish);
    return { file, entries: [...entries].sort((a, b) => a.begin - b.begin), finish, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readEntries(file: BinaryFile, finish: () => Promise<void>): Promise<readonly TensorEntry[]> {
  try {
    return (await readSafetensorsHeader(file)).entries;
  } catch (error) {
    // A wrong digest tells more of a broken file than its header does.
    if (error instanceof AttentionError && error.code === 'value') await finish();
    throw error;
  }
}

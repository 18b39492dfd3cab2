/** The safetensors files of a model: one, or those that an index names. */
import { describe, fail } from '../../errors/errors.ts';
import { isPlainObject } from '../../errors/options.ts';
import { BinaryFile } from '../../files/binary_file.ts';
import { readSafetensorsHeader, type TensorEntry } from '../../files/safetensors_header.ts';
import { isFileName, readJson, type Folder } from './folder.ts';

export interface WeightFile {
  readonly file: BinaryFile;
  /** In the order of their bytes. */
  readonly entries: readonly TensorEntry[];
  readonly close: () => Promise<void>;
}

/** The names of the files, in order. */
export async function weightFileNames(fn: string, folder: Folder): Promise<readonly string[]> {
  const index = await readJson(fn, folder, 'model.safetensors.index.json');
  if (index === undefined) return ['model.safetensors'];
  const map = isPlainObject(index) && Object.hasOwn(index, 'weight_map') ? index['weight_map'] : undefined;
  if (!isPlainObject(map))
    return fail('value', fn, `model.safetensors.index.json must have a weight_map, got ${describe(map)}`);
  const names = new Set<string>();
  for (const file of Object.values(map)) {
    if (!isFileName(file))
      return fail('value', fn, `model.safetensors.index.json must name files of the folder, got ${describe(file)}`);
    names.add(file);
  }
  return [...names].sort();
}

/** Opens one of them and reads its header, which comes first. */
export async function openWeights(fn: string, folder: Folder, name: string): Promise<WeightFile> {
  const source = await folder.find(name);
  if (source === null) return fail('load', fn, `${folder.name} has no ${name}`);
  try {
    const file = new BinaryFile(fn, source);
    const { entries } = await readSafetensorsHeader(file);
    return { file, entries: [...entries].sort((a, b) => a.begin - b.begin), close: () => source.close() };
  } catch (error) {
    await source.close();
    throw error;
  }
}

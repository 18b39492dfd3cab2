/** config.json, with the caller's keys in place of its own. */
import { describe, fail } from '../errors/errors.ts';
import { isPlainObject } from '../errors/options.ts';
import { ModelConfig } from './config.ts';
import { readJson, type Folder } from './folder/folder.ts';

export async function readModelConfig(
  fn: string,
  folder: Folder,
  given: Readonly<Record<string, unknown>> | undefined,
): Promise<ModelConfig> {
  const json = await readJson(fn, folder, 'config.json');
  if (json === undefined) return fail('load', fn, `${folder.name} has no config.json`);
  if (!isPlainObject(json)) return fail('value', fn, `config.json must be an object, got ${describe(json)}`);
  // Entries of both, not a spread: a key named __proto__ stays a key.
  return new ModelConfig(fn, Object.fromEntries([...Object.entries(json), ...Object.entries(given ?? {})]));
}

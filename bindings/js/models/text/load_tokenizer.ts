/** The tokenizer of a folder. */
import { describe, fail, messageOf } from '../../errors/errors.ts';
import { isPlainObject } from '../../errors/options.ts';
import type { TokenizerLike } from '../types/index.ts';
import { readJson, type Folder } from '../folder/folder.ts';

export interface LoadedTokenizer {
  readonly tokenizer: TokenizerLike | null;
  /** tokenizer_config.json; empty where there is none. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** The files that `loadTokenizer` reads. */
export function tokenizerFiles(given: unknown): readonly string[] {
  if (given === null) return [];
  return given === undefined ? ['tokenizer_config.json', 'tokenizer.json'] : ['tokenizer_config.json'];
}

/** `given`: a tokenizer in place of the folder's, or null for none. */
export async function loadTokenizer(fn: string, folder: Folder, given: unknown): Promise<LoadedTokenizer> {
  if (given === null) return { tokenizer: null, config: {} };
  const config = await readJson(fn, folder, 'tokenizer_config.json');
  const known = isPlainObject(config) ? config : {};
  if (given !== undefined) return { tokenizer: readTokenizer(fn, given), config: known };
  const json = await readJson(fn, folder, 'tokenizer.json');
  if (json === undefined)
    return fail(
      'load',
      fn,
      `${folder.name} has no tokenizer.json: write it with AutoTokenizer.from_pretrained(…).save_pretrained(…), or pass the option tokenizer`,
    );
  const { Tokenizer } = await import('@huggingface/tokenizers');
  try {
    return { tokenizer: new Tokenizer(json as object, known), config: known };
  } catch (error) {
    return fail('value', fn, `tokenizer.json of ${folder.name} cannot be used: ${messageOf(error)}`, error);
  }
}

function readTokenizer(fn: string, given: unknown): TokenizerLike {
  const has = (name: string): boolean => typeof (given as Record<string, unknown>)[name] === 'function';
  if (typeof given !== 'object' || given === null || !has('encode') || !has('decode'))
    fail('option', fn, `tokenizer must have encode and decode, got ${describe(given)}`);
  return given as TokenizerLike;
}

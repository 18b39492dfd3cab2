/** The files of a model, wherever they are: each is found by its path in the folder, or is not there. */
import { AttentionError, fail, messageOf } from '../../errors/errors.ts';
import type { Source } from '../../files/source.ts';
import { untilFresh } from './stale_copy.ts';

export interface FolderFile extends Source {
  /** Called when all that is wanted of it has been read: checks the digest, where one was given. */
  finish(): Promise<void>;
  /** Drops what a cache keeps of it; whether bytes of it came from there. */
  forget(): Promise<boolean>;
}

/** 'whole': all its bytes have come when it is found, and may be read in any order. */
export type FileForm = 'stream' | 'whole';

export interface Folder {
  /** Its name in messages. */
  readonly name: string;
  /** Null where the folder has no such file. The caller closes it. */
  find(file: string, form: FileForm): Promise<FolderFile | null>;
  /** Begins to fetch small files side by side, where they come from afar. */
  readAhead(files: readonly string[]): void;
  /** Checks the files with a digest that were not found yet, but for those that will be. */
  checkOthers(files: readonly string[]): Promise<void>;
}

/** The files that a folder may lack: for these, servers that list no folders answer 403. */
export const OPTIONAL_FILES: ReadonlySet<string> = new Set([
  ...['chat_template.jinja', 'config_sentence_transformers.json', 'generation_config.json', 'model.safetensors.index.json'],
  ...['modules.json', 'sentence_bert_config.json', 'tokenizer_config.json'],
]);

/** Whether a name that a file of the folder gives is one of a file or a folder within it, and leads nowhere else. */
export const isFileName = (name: unknown): name is string =>
  typeof name === 'string' && /^[\w.-]+$/.test(name) && !name.startsWith('.');

/** The text of a file, or null. A page in its place, as servers send for what they lack, is a `load` error. */
export function readText(fn: string, folder: Folder, file: string): Promise<string | null> {
  return untilFresh(() => readTextOnce(fn, folder, file));
}

async function readTextOnce(fn: string, folder: Folder, file: string): Promise<string | null> {
  const source = await folder.find(file, 'whole');
  if (source === null) return null;
  try {
    const bytes = await source.read(0, source.size);
    const text = new TextDecoder().decode(bytes);
    if (/^\s*<(!doctype|html)/i.test(text))
      fail(
        'load',
        fn,
        `${source.name} cannot be read: it is a page in HTML, as servers send in place of a file that they lack`,
      );
    await source.finish();
    return text;
  } catch (error) {
    if (error instanceof AttentionError) throw error;
    return fail('load', fn, `${source.name} cannot be read: ${messageOf(error)}`, error);
  } finally {
    await source.close();
  }
}

export async function readJson(fn: string, folder: Folder, file: string): Promise<unknown> {
  const text = await readText(fn, folder, file);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail('value', fn, `${file} of ${folder.name} must be JSON: ${messageOf(error)}`, error);
  }
}

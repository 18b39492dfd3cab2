/** The files of a model, wherever they are: each is found by its name in the folder, or is not there. */
import { AttentionError, describe, fail, messageOf } from '../../errors/errors.ts';
import { isList } from '../../errors/options.ts';
import { tagOf } from '../../errors/objects.ts';
import { policyRemedy } from '../../errors/served.ts';
import { isMap } from '../../tensor/collections.ts';
import { openSource, type OpenNamed, type Source } from '../../files/source.ts';
import type { LoadModelOptions, ModelFolder } from '../types/index.ts';
import { streamOf } from './stream.ts';

/** How files are fetched. */
export interface Access extends Pick<LoadModelOptions, 'signal' | 'fetch' | 'onProgress'> {
  readonly fn: string;
}

export interface Folder {
  /** Its name in messages. */
  readonly name: string;
  /** Null where the folder has no such file. The caller closes it. */
  readonly find: (file: string) => Promise<Source | null>;
}

/** Whether a name that a file of the folder gives is one of a file or a folder within it, and leads nowhere else. */
export const isFileName = (name: unknown): name is string =>
  typeof name === 'string' && /^[\w.-]+$/.test(name) && !name.startsWith('.');

/** Opens a file of a folder on the disk, where there are such. */
export type OpenInPath = (fn: string, folder: string | URL, file: string) => Promise<Source | null>;

export function openFolder(access: Access, openNamed: OpenNamed, openInPath: OpenInPath | null, given: ModelFolder): Folder {
  const { fn } = access;
  if (isMap(given)) return ofMap(fn, openNamed, given as ReadonlyMap<unknown, unknown>);
  if (isList(given) || tagOf(given) === 'FileList') return ofFiles(fn, openNamed, Array.from(given as readonly File[]));
  if (typeof given !== 'string' && tagOf(given) !== 'URL')
    fail('value', fn, `folder must be a URL or a path, a list of Files, or a Map of sources, got ${describe(given)}`);
  const where = String(given);
  const isDrive = /^[a-z]:[\\/]/i.test(where);
  const url = urlOf(where);
  if (openInPath !== null && (isDrive || url === null || url.protocol === 'file:')) {
    const path = url !== null && !isDrive ? url : where;
    return { name: where, find: (file) => openInPath(fn, path, file) };
  }
  if (url === null) return fail('value', fn, `folder must be a URL, got ${describe(given)}`);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return { name: url.href, find: (file) => fetchFile(access, new URL(file, url)) };
}

/** A URL, in a page one relative to it; null where the text is none. */
function urlOf(where: string): URL | null {
  const base = typeof document === 'undefined' ? undefined : document.baseURI;
  return URL.canParse(where, base) ? new URL(where, base) : null;
}

function ofMap(fn: string, openNamed: OpenNamed, files: ReadonlyMap<unknown, unknown>): Folder {
  return {
    name: 'the Map',
    find: async (file) => (files.has(file) ? openSource(fn, openNamed, files.get(file)) : null),
  };
}

/** Files of a folder that a visitor has chosen: their paths begin with its name. */
function ofFiles(fn: string, openNamed: OpenNamed, files: readonly File[]): Folder {
  const pathOf = (file: File): string => (file.webkitRelativePath || file.name).replace(/^[^/]*\/(?=.)/, '');
  const byPath = new Map(files.map((file) => [pathOf(file), file]));
  return {
    name: 'the chosen files',
    find: async (file) => {
      const found = byPath.get(file);
      return found === undefined ? null : openSource(fn, openNamed, found);
    },
  };
}

async function fetchFile({ fn, signal, fetch: own, onProgress }: Access, url: URL): Promise<Source | null> {
  const request = own ?? globalThis.fetch;
  const name = url.href;
  if (typeof request !== 'function')
    fail('load', fn, `${name} cannot be read: this engine has no fetch; pass the option fetch`);
  let response: Response;
  try {
    response = await request(name, { credentials: 'same-origin', signal: (signal as AbortSignal | undefined) ?? null });
  } catch (error) {
    signal?.throwIfAborted();
    return fail('load', fn, `${name} cannot be read: ${messageOf(error)}${policyRemedy(name)}`, error);
  }
  if (response.status === 404 || response.status === 410) {
    await response.body?.cancel();
    return null;
  }
  if (!response.ok)
    fail('load', fn, `${name} cannot be read: the server answered ${`${response.status} ${response.statusText}`.trimEnd()}`);
  const file = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  return streamOf(fn, name, response, (loaded, total) => onProgress?.({ file, phase: 'download', loaded, total }), signal);
}

/** The text of a file, or null. A page in its place, as servers send for what they lack, is a `load` error. */
export async function readText(fn: string, folder: Folder, file: string): Promise<string | null> {
  const source = await folder.find(file);
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

/** Which folder a caller means. */
import { describe, fail } from '../../errors/errors.ts';
import { isList } from '../../errors/options.ts';
import { tagOf } from '../../errors/objects.ts';
import { isMap } from '../../tensor/collections.ts';
import { openSource, type OpenNamed, type Source } from '../../files/source.ts';
import type { ModelFolder } from '../types/index.ts';
import type { Folder } from './folder.ts';
import type { Access } from './request.ts';
import { servedFolder } from './served_folder.ts';

/** Opens a file of a folder on the disk, where there are such. */
export type OpenInPath = (fn: string, folder: string | URL, file: string) => Promise<Source | null>;

export function openFolder(access: Access, openNamed: OpenNamed, openInPath: OpenInPath | null, given: ModelFolder): Folder {
  const { fn } = access;
  if (isMap(given)) return mapFolder(fn, openNamed, given as ReadonlyMap<unknown, unknown>);
  if (isList(given) || tagOf(given) === 'FileList') return chosenFolder(fn, openNamed, Array.from(given as readonly File[]));
  if (typeof given !== 'string' && tagOf(given) !== 'URL')
    fail('value', fn, `folder must be a URL or a path, a list of Files, or a Map of sources, got ${describe(given)}`);
  const where = String(given);
  const isDrive = /^[a-z]:[\\/]/i.test(where);
  const url = urlOf(where);
  if (openInPath !== null && (isDrive || url === null || url.protocol === 'file:')) {
    const path = url !== null && !isDrive ? url : where;
    return nearFolder(where, (file) => openInPath(fn, path, file));
  }
  if (url === null) return fail('value', fn, `folder must be a URL, got ${describe(given)}`);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return servedFolder(access, url);
}

/** A URL, in a page one relative to it; null where the text is none. */
function urlOf(where: string): URL | null {
  const base = typeof document === 'undefined' ? undefined : document.baseURI;
  return URL.canParse(where, base) ? new URL(where, base) : null;
}

/** A folder whose files are at hand. */
function nearFolder(name: string, open: (file: string) => Promise<Source | null>): Folder {
  return {
    name,
    async find(file) {
      const source = await open(file);
      if (source === null) return null;
      const { name: own, size } = source;
      return {
        ...{ name: own, size, read: (from, to) => source.read(from, to), close: () => source.close() },
        ...{ finish: async () => {}, forget: async () => false },
      };
    },
    readAhead() {},
    checkOthers: async () => {},
  };
}

function mapFolder(fn: string, openNamed: OpenNamed, files: ReadonlyMap<unknown, unknown>): Folder {
  return nearFolder('the Map', async (file) => (files.has(file) ? openSource(fn, openNamed, files.get(file)) : null));
}

/** Files of a folder that a visitor has chosen: their paths begin with its name. */
function chosenFolder(fn: string, openNamed: OpenNamed, files: readonly File[]): Folder {
  const pathOf = (file: File): string => (file.webkitRelativePath || file.name).replace(/^[^/]*\/(?=.)/, '');
  const byPath = new Map(files.map((file) => [pathOf(file), file]));
  return nearFolder('the chosen files', async (file) => {
    const found = byPath.get(file);
    return found === undefined ? null : openSource(fn, openNamed, found);
  });
}

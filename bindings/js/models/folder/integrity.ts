/** The digests that a caller knows of files: each file that is named has its own, or nothing is loaded. */
import { describe, fail } from '../../errors/errors.ts';
import { isPlainObject, ownProperties } from '../../errors/options.ts';
import type { Bytes } from '../../files/source.ts';
import { nextTurn } from '../turn.ts';
import { isFileName, type Folder, type FolderFile } from './folder.ts';
import { StaleCopy, untilFresh } from './stale_copy.ts';

/** So much is read and hashed at once. */
const STEP = 2 ** 22;

/** 32 bytes in base64: the last digit has four bits. */
const DIGEST = /^sha256-[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** The digests by the paths of their files. */
export type Digests = ReadonlyMap<string, string>;

export function readIntegrity(fn: string, integrity: unknown): Digests {
  if (integrity === undefined) return new Map();
  if (!isPlainObject(integrity)) return fail('option', fn, `integrity must be an object, got ${describe(integrity)}`);
  const digests = Object.entries(ownProperties(integrity)).filter((entry): entry is [string, string] => {
    const [file, digest] = entry;
    if (!file.split('/').every(isFileName))
      fail('option', fn, `integrity must have the paths of files in the folder, got ${describe(file)}`);
    if (digest !== undefined && (typeof digest !== 'string' || !DIGEST.test(digest)))
      fail('option', fn, `integrity['${file}'] must be 'sha256-' and the digest in base64, got ${describe(digest)}`);
    return digest !== undefined;
  });
  return new Map(digests);
}

/** The folder, whose files with a digest are checked as they are read. */
export function checkedFolder(fn: string, folder: Folder, digests: Digests): Folder {
  if (digests.size === 0) return folder;
  const found = new Set<string>();
  const find: Folder['find'] = async (file, form) => {
    const source = await folder.find(file, form);
    const digest = digests.get(file);
    found.add(file);
    if (digest === undefined) return source;
    if (source === null) return fail('load', fn, `${folder.name} has no ${file}, whose digest integrity tells`);
    return checkedFile(fn, source, file, digest);
  };
  const check = (file: string): Promise<void> =>
    untilFresh(async () => {
      const source = await find(file, 'stream');
      try {
        await source?.finish();
      } finally {
        await source?.close();
      }
    });
  return {
    name: folder.name,
    find,
    readAhead: (files) => folder.readAhead(files),
    async checkOthers(files) {
      for (const file of digests.keys()) if (!found.has(file) && !files.includes(file)) await check(file);
    },
  };
}

async function checkedFile(fn: string, source: FolderFile, file: string, expected: string): Promise<FolderFile> {
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const hash = sha256.create();
  let hashed = 0;
  const update = async (bytes: Uint8Array): Promise<void> => {
    for (let at = 0; at < bytes.length; at += STEP) {
      const step = bytes.subarray(at, at + STEP);
      hash.update(step);
      hashed += step.length;
      if (step.length === STEP) await nextTurn();
    }
  };
  const updateTo = async (end: number): Promise<void> => {
    while (hashed < end) {
      const bytes = await source.read(hashed, Math.min(end, hashed + STEP));
      if (bytes.length === 0) return;
      await update(bytes);
    }
  };
  return {
    ...{ name: source.name, size: source.size, close: () => source.close(), forget: () => source.forget() },
    async read(from, to): Promise<Bytes> {
      await updateTo(from);
      const bytes = await source.read(from, to);
      await update(bytes.subarray(Math.max(0, hashed - from)));
      return bytes;
    },
    async finish() {
      await updateTo(source.size);
      await source.finish();
      const actual = `sha256-${btoa(String.fromCharCode(...hash.digest()))}`;
      if (actual === expected) return;
      const message = `${file} must have the digest ${expected}, got ${actual}`;
      if (await source.forget()) throw new StaleCopy(fn, message);
      fail('load', fn, message);
    },
  };
}

/** A file on the disk: opened once, and read where it is asked to. */
import { open, stat, type FileHandle } from 'node:fs/promises';
import { openUrl } from './open_url.ts';
import { unreadable, type Source } from './source.ts';

/** At most this much at once: the system's own limit for one read is near 2 GiB. */
const CHUNK = 2 ** 30;

export async function openNamed(fn: string, where: string | URL): Promise<Source> {
  // 'C:\\x.npy' parses as a URL too, with a protocol of one letter.
  const isDrive = /^[a-z]:[\\/]/i.test(String(where));
  const url = URL.canParse(where) && !isDrive ? new URL(where) : null;
  return url !== null && url.protocol !== 'file:' ? openUrl(fn, url) : openPath(fn, url ?? where);
}

async function openPath(fn: string, path: string | URL): Promise<Source> {
  const name = String(path);
  try {
    // Before it is opened: opening a pipe would wait for its other end.
    if (!(await stat(path)).isFile()) throw new Error('it is no regular file');
    const handle = await open(path, 'r');
    const { size } = await handle.stat();
    return { name, size, read: (from, to) => read(handle, from, to), close: () => handle.close() };
  } catch (error) {
    return unreadable(fn, name, error);
  }
}

async function read(handle: FileHandle, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(to - from);
  let filled = 0;
  while (filled < bytes.length) {
    const most = Math.min(CHUNK, bytes.length - filled);
    const { bytesRead } = await handle.read(bytes, filled, most, from + filled);
    if (bytesRead === 0) return bytes.slice(0, filled);
    filled += bytesRead;
  }
  return bytes;
}

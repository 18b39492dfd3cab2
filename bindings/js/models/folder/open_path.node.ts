/** A file of a folder on the disk. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openNamed } from '../../files/open_path.node.ts';
import type { Source } from '../../files/source.ts';

export async function openInPath(fn: string, folder: string | URL, file: string): Promise<Source | null> {
  const path = join(typeof folder === 'string' ? folder : fileURLToPath(folder), file);
  const isThere = await access(path).then(
    () => true,
    ({ code }: { code?: string }) => code !== 'ENOENT' && code !== 'ENOTDIR',
  );
  return isThere ? openNamed(fn, path) : null;
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Plugin } from 'vite';

/** Larger files are fetched when a visitor asks for them. */
const MOST_BYTES_AHEAD = 1_000_000;
/** For the pages of others. */
const FOR_HOSTS = new Set(['fovea-attention.js']);

/** Writes the service worker, which knows each file of the built page by its hash, and offline.json, which tells the page what is kept. */
export function offlineFiles(): Plugin {
  let folder = '';
  return {
    name: 'fovea-offline-files',
    apply: 'build',
    configResolved({ root, build: { outDir } }) {
      folder = join(root, outDir);
    },
    closeBundle: { order: 'post', sequential: true, handler: () => writeServiceWorker(folder) },
  };
}

/** Made anew from whatever lies in the folder, but the documentation, a site of its own. */
export async function writeServiceWorker(folder: string): Promise<void> {
  const own = ['service-worker.js', 'offline.json'];
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !own.includes(path) && !FOR_HOSTS.has(path) && !path.startsWith('docs/') && !path.endsWith('.map'))
    .sort();
  const files = paths.map((path) => describe(path, readFileSync(join(folder, path))));
  const ahead = files.filter(({ optional }) => !optional);
  const sum = (key: 'bytes' | 'wireBytes'): number => ahead.reduce((total, file) => total + file[key], 0);
  const summary = Buffer.from(
    JSON.stringify({
      version: sha256(Buffer.from(files.map(({ path, hash }) => `${path} ${hash}`).join('\n'))).slice(0, 12),
      files: ahead.length,
      bytes: sum('bytes'),
      wireBytes: sum('wireBytes'),
      optional: files.filter(({ optional }) => optional).map(({ path, bytes }) => ({ path, bytes })),
    }),
  );
  writeFileSync(join(folder, 'offline.json'), summary);
  const listed = [...files, describe('offline.json', summary)].map(({ path, hash, bytes, optional }) => ({
    ...{ path, hash, bytes, optional },
  }));
  await build({
    entryPoints: [fileURLToPath(new URL('../offline/service_worker.ts', import.meta.url))],
    outfile: join(folder, 'service-worker.js'),
    define: { OWN_FILES: JSON.stringify(listed) },
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  });
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

const describe = (path: string, content: Buffer) => ({
  path,
  hash: sha256(content),
  bytes: content.length,
  wireBytes: path.endsWith('.woff2') ? content.length : gzipSync(content).length,
  optional: content.length > MOST_BYTES_AHEAD,
});

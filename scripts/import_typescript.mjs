// Imports a TypeScript module of the repository in Node: bundled by esbuild, with packages as they are installed.

import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The exports of `source`, a path from the root; the bundle lies in build/ under the same name. */
export async function importTypeScript(source) {
  const outfile = `${root}build/${source.replace(/\.ts$/, '.mjs')}`;
  await build({ entryPoints: [root + source], outfile, bundle: true, format: 'esm', packages: 'external', logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

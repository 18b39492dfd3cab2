import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Plugin } from 'vite';

interface Entry {
  readonly id: string;
  readonly title: { readonly en: string; readonly zh: string };
}

/**
 * Writes fovea-attention.js beside the page: the custom element with the package and its core in one file, for the pages of others.
 *
 * @param entries the package's entries with the file that a browser gets of each
 * @param dist the folder of the built package
 */
export function foveaAttention(entries: readonly (readonly [string, string])[], dist: URL): Plugin {
  const source = fileURLToPath(new URL('../element/', import.meta.url));
  let folder = '';
  return {
    name: 'fovea-attention-element',
    apply: 'build',
    configResolved({ root, build: { outDir } }) {
      folder = join(root, outDir);
    },
    async closeBundle() {
      const { list } = (await import(new URL('catalog.node.js', dist).href)) as { list(): readonly Entry[] };
      const titles = Object.fromEntries(list().map(({ id, title: { en, zh } }) => [id, { en, zh }]));
      await build({
        entryPoints: [join(source, 'fovea_attention.ts')],
        outfile: join(folder, 'fovea-attention.js'),
        define: { CATALOG_TITLES: JSON.stringify(titles) },
        bundle: true,
        minify: true,
        format: 'esm',
        target: 'es2022',
        logLevel: 'error',
        // One thread: the code of threads is never asked for.
        external: ['*/threads.web.js'],
        plugins: [
          {
            name: 'element',
            setup({ onResolve }) {
              const files = new Map(entries);
              onResolve({ filter: /^fovea(\/|$)/ }, ({ path }) => ({ path: files.get(path) ?? '' }));
              onResolve({ filter: /settings\.svelte\.ts$/ }, ({ path }) => ({
                path: join(source, basename(path).replace('.svelte', '')),
              }));
            },
          },
        ],
      });
    },
  };
}

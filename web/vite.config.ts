import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { catalogFormulas } from './plugins/catalog_formulas.ts';
import { katexFonts, texModules } from './plugins/katex.ts';
import { searchIndex } from './plugins/search_index.ts';
import { firstPage } from './plugins/first_page.ts';
import { sentenceModel } from './plugins/sentence_model.ts';
import { foveaAttention } from './plugins/element.ts';
import { offlineFiles } from './plugins/offline_files.ts';
import { pageTexts } from './plugins/texts.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const packageRoot = new URL('../', import.meta.url);

/** The package's entries with the file that a browser gets of each. Vite does not resolve a package's own name, so its exports are read here. */
const { exports } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  exports: Record<string, string | { default: string }>;
};
const entries = Object.entries(exports).flatMap(([entry, target]) =>
  typeof target === 'string'
    ? []
    : [[entry.replace('.', 'fovea'), fileURLToPath(new URL(target.default, packageRoot))] as const],
);
const alias = entries.map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement }));

export default defineConfig({
  root,
  base: './',
  publicDir: 'public',
  resolve: { alias },
  plugins: [
    svelte({ configFile: fileURLToPath(new URL('svelte.config.js', import.meta.url)) }),
    pageTexts(new URL('scripts/generate_texts.mjs', packageRoot), new URL('web/texts/', packageRoot)),
    texModules(),
    catalogFormulas(new URL('dist/', packageRoot)),
    searchIndex(new URL('dist/', packageRoot), alias),
    katexFonts(),
    sentenceModel(new URL('scripts/make_sentence_model.mjs', packageRoot)),
    firstPage(),
    foveaAttention(entries, new URL('dist/', packageRoot)),
    offlineFiles(),
  ],
  // A data: URL would break the page's CSP (fonts) and hide the wasm from the network panel.
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  worker: { format: 'es' },
  // Pre-bundling moves the package's JavaScript away from its wasm.
  optimizeDeps: { exclude: entries.map(([name]) => name) },
  server: { fs: { allow: [fileURLToPath(packageRoot)] } },
});

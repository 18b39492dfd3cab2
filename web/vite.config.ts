import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { katexFonts, texModules } from './plugins/katex.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const packageRoot = new URL('../', import.meta.url);

/** The file a browser gets for an entry. Vite does not resolve a package's own name, so its exports are read here. */
function packageEntry(entry: '.' | './pattern' | './linear-attention'): string {
  const { exports } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8'));
  return fileURLToPath(new URL(exports[entry].default, packageRoot));
}

export default defineConfig({
  root,
  base: './',
  publicDir: 'public',
  resolve: {
    alias: [
      { find: /^fovea$/, replacement: packageEntry('.') },
      { find: /^fovea\/pattern$/, replacement: packageEntry('./pattern') },
      { find: /^fovea\/linear-attention$/, replacement: packageEntry('./linear-attention') },
    ],
  },
  plugins: [svelte({ configFile: fileURLToPath(new URL('svelte.config.js', import.meta.url)) }), texModules(), katexFonts()],
  // A data: URL would break the page's CSP (fonts) and hide the wasm from the network panel.
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  // Pre-bundling moves the package's JavaScript away from its wasm.
  optimizeDeps: {
    exclude: [
      'fovea',
      'fovea/cache',
      'fovea/linear-attention',
      'fovea/nn',
      'fovea/ops',
      'fovea/pattern',
      'fovea/position',
      'fovea/score',
    ],
  },
  server: { fs: { allow: [fileURLToPath(packageRoot)] } },
});

// Pages of a host that shows <fovea-attention>, and its numbers as the package gives them here.

import { build } from 'esbuild';
import { load } from 'fovea';
import { root } from './support.mjs';

/** Nothing inline, no eval, no connections: the least that the element runs under. The images are the tab's own. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; frame-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types 'none'">`;

const page = (body) => ({
  status: 200,
  type: 'text/html',
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8">${POLICY}<title>A host</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`,
});

const ELEMENTS = `<div><fovea-attention id="first" tokens="The cat chased the mouse because it was hungry" theme="light"></fovea-attention></div>
<fovea-attention id="second" lang="zh" mechanism="local" head="same" tokens="猫追老鼠，因为它饿了" theme="dark"></fovea-attention>
<script type="module" src="./fovea-attention.js"></script>`;

export const HOST_PAGES = {
  'host.html': page(ELEMENTS),
  'frame.html': page('<iframe src="./host.html" width="700" height="1500"></iframe>'),
};

const outfile = `${root}build/tests/element_${process.pid}.mjs`;
await build({
  stdin: {
    contents: `export { mechanisms, weightsOf } from './web/element/compute.ts'; export { nested } from './web/figures/matrix.ts';`,
    resolveDir: root,
    loader: 'ts',
  },
  outfile,
  bundle: true,
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
});
const { mechanisms, nested, weightsOf } = await import(outfile);
export const MECHANISMS = mechanisms;
const fovea = await load({ deterministic: true });

/** The weights that the element shows in a state, computed in this process. */
export const weightsByPackage = ({ mechanism, tokens, head }) =>
  nested(weightsOf(fovea, mechanism, tokens, head, { query: '', key: '' }).matrix);

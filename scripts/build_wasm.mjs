// `npm run build:wasm`: the C++ core and its bindings, one WebAssembly file per variant with glue for web and for Node, in
// build/wasm/VARIANT/. Only what changed is compiled.

import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPreset } from './cmake.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const variants = ['simd128', 'relaxed'];

function sameBytes(a, b) {
  return readFileSync(a).equals(readFileSync(b));
}

function buildVariant(variant) {
  const built = buildPreset(`wasm-${variant}`, ['fovea_web', 'fovea_node']);
  const web = join(built, 'web,worker');
  const node = join(built, 'node');
  if (!sameBytes(join(web, 'fovea.wasm'), join(node, 'fovea.wasm'))) {
    throw new Error(`${variant}: the web and the node link gave different wasm, and only one can ship`);
  }
  const out = join(root, 'build/wasm', variant);
  mkdirSync(out, { recursive: true });
  copyFileSync(join(web, 'fovea.wasm'), join(out, 'fovea.wasm'));
  copyFileSync(join(web, 'fovea.mjs'), join(out, 'fovea.web.mjs'));
  copyFileSync(join(node, 'fovea.mjs'), join(out, 'fovea.node.mjs'));
  return out;
}

function buildAll() {
  const [first, ...others] = variants.map(buildVariant);
  for (const other of others) {
    for (const glue of ['fovea.web.mjs', 'fovea.node.mjs']) {
      // The package ships one glue per platform for all variants.
      if (!sameBytes(join(first, glue), join(other, glue))) throw new Error(`${glue} differs between the variants`);
    }
  }
}

buildAll();

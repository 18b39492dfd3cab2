// `npm run build:wasm`: the C++ core and its bindings, one WebAssembly file per variant with its glue, in build/wasm/VARIANT/.
// Only what changed is compiled.

import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPreset } from './cmake.mjs';
import { mapLimited } from './processes.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tiers = ['simd128', 'relaxed'];

async function buildVariant(variant) {
  const built = join(await buildPreset(`wasm-${variant}`, ['fovea_web']), 'web');
  const out = join(root, 'build/wasm', variant);
  mkdirSync(out, { recursive: true });
  copyFileSync(join(built, 'fovea.wasm'), join(out, 'fovea.wasm'));
  copyFileSync(join(built, 'fovea.mjs'), join(out, 'fovea.web.mjs'));
  return readFileSync(join(out, 'fovea.web.mjs'));
}

for (const suffix of ['', '-threads']) {
  // Side by side: configuring and linking use one core each.
  const [first, ...others] = await mapLimited(tiers, 2, (tier) => buildVariant(tier + suffix));
  // The package ships one glue for both.
  if (others.some((other) => !other.equals(first)))
    throw new Error(`the glue differs between the variants ${tiers.map((tier) => tier + suffix).join(' and ')}`);
}

// `npm run build:wasm`: the C++ core and its bindings, for each variant one WebAssembly file that computes and one that trains,
// with their glue, in build/wasm/VARIANT/. Only what changed is compiled.

import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPreset } from './cmake.mjs';
import { mapLimited } from './processes.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tiers = ['simd128', 'relaxed'];
/** The core, and the core with what training needs. */
const modules = ['fovea', 'fovea-train'];

/** Returns the glue of each module. */
async function buildVariant(variant) {
  const built = join(await buildPreset(`wasm-${variant}`, ['fovea_web', 'fovea_train_web']), 'web');
  const out = join(root, 'build/wasm', variant);
  mkdirSync(out, { recursive: true });
  return modules.map((name) => {
    copyFileSync(join(built, `${name}.wasm`), join(out, `${name}.wasm`));
    copyFileSync(join(built, `${name}.mjs`), join(out, `${name}.web.mjs`));
    return readFileSync(join(out, `${name}.web.mjs`));
  });
}

for (const suffix of ['', '-threads']) {
  // Side by side: configuring and linking use one core each.
  const [first, ...others] = await mapLimited(tiers, 2, (tier) => buildVariant(tier + suffix));
  // The package ships one glue for both.
  if (others.some((other) => other.some((glue, module) => !glue.equals(first[module]))))
    throw new Error(`the glue differs between the variants ${tiers.map((tier) => tier + suffix).join(' and ')}`);
}

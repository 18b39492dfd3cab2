// `npm run claims -- NAME`: a claim of docs/claims.md that takes training, computed again: its table. Needs dist (npm run build).

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from 'fovea/train';
import { importTypeScript } from '../import_typescript.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [name, ...rest] = process.argv.slice(2);
const file = `scripts/claims/${name}.ts`;
if (!existsSync(root + file)) {
  const names = readdirSync(`${root}scripts/claims`).filter((one) => one.endsWith('.ts'));
  throw new Error(`no claim ${name}; there are ${names.map((one) => one.slice(0, -3)).join(', ')}`);
}
const { run } = await importTypeScript(file);
const fovea = await load({ deterministic: true, threads: 1 });
await run(fovea, ...rest);
const { user, system } = process.cpuUsage();
console.error(`${((user + system) / 1e6).toFixed(0)} s of processor time`);
fovea.dispose();

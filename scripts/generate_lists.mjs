/**
 * Makes the lists of mechanisms in build/generated/lists, of the files that are there: catalog.ts has the default export of each
 * bindings/js/catalog/ID.ts, mechanisms.ts exports all of each bindings/js/mechanisms/ID.ts. The builds, `npm run check` and the
 * tests call it first.
 */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeIfChanged } from './generate_abi.mjs';

const source = fileURLToPath(new URL('../bindings/js', import.meta.url));
const origin = 'Made by scripts/generate_lists.mjs.';

/** The ids of the mechanisms that have a file in a folder, in order. */
export const idsIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && name !== 'index.ts')
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();

export const catalogList = (ids) => `/** The entries of all files of bindings/js/catalog, by their ids. ${origin} */
${ids.map((id) => `import ${id} from '../../../bindings/js/catalog/${id}.ts';\n`).join('')}
export const entries = [${ids.join(', ')}];
`;

export const mechanismsList = (ids) => `/** All functions of bindings/js/mechanisms. ${origin} */
${ids.map((id) => `export * from '../../../bindings/js/mechanisms/${id}.ts';\n`).join('')}`;

export function generateLists() {
  writeIfChanged('lists/catalog.ts', catalogList(idsIn(`${source}/catalog`)));
  writeIfChanged('lists/mechanisms.ts', mechanismsList(idsIn(`${source}/mechanisms`)));
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) generateLists();

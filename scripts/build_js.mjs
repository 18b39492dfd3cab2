// `npm run build:js`: the package in dist/. Needs build/wasm (npm run build:wasm).
//   NAME.js                what scripts/bundle_js.mjs makes
//   FOLDER/NAME.d.ts       the types of the entries and what they mention
//   fovea-VARIANT.wasm     fovea-train-VARIANT.wasm     NOTICE.txt

import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { bundleAll, root, wasmFiles } from './bundle_js.mjs';
import { budgetOf, measure } from './sizes.mjs';

/** Built beside and then exchanged, so that a build that fails leaves the last good one. */
const partial = join(root, 'build/partial');
const dist = join(partial, 'dist');

/** The sources of the types that package.json names. */
const { exports: exported } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const publicTypes = Object.values(exported).flatMap(({ types }) =>
  types === undefined ? [] : [types.replace('./dist/', 'bindings/js/').replace('.d.ts', '.ts')],
);

/** Where the declarations of a source are in dist/: in the folder of its name. */
const placeOf = (path) => path.replace(/^(bindings\/js|build\/generated)\//, '').replace(/\.ts$/, '');

/** Declarations of the public entries and of what they mention, with paths that every moduleResolution understands. */
async function emitTypes() {
  const out = await mkdtemp(join(root, 'build/types-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const config = join(out, 'tsconfig.json');
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      outDir: out,
      rootDir: root,
    };
    const files = [...publicTypes, 'bindings/js/runtime/generated.d.ts'].map((path) => join(root, path));
    await writeFile(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }));
    execFileSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' });
    const reached = new Set(publicTypes);
    for (const path of reached) {
      const text = await readFile(join(out, path.replace('.ts', '.d.ts')), 'utf8');
      const rewritten = text.replace(/(from\s+|import\(|import\s+)(['"])(\.{1,2}\/[\w./]+\.ts)\2/g, (_, lead, quote, other) => {
        const found = posix.join(posix.dirname(path), other);
        reached.add(found);
        const way = posix.relative(posix.dirname(placeOf(path)), placeOf(found));
        return `${lead}${quote}${way.startsWith('.') ? way : `./${way}`}.js${quote}`;
      });
      const file = join(dist, `${placeOf(path)}.d.ts`);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, rewritten);
    }
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

async function writeNotice() {
  const notices = await readFile(join(root, 'bindings/wasm/NOTICE.txt'), 'utf8');
  await writeFile(join(dist, 'NOTICE.txt'), `fovea contains the following third-party software.\n\n${notices.trimEnd()}\n`);
}

async function main() {
  await rm(partial, { recursive: true, force: true });
  await bundleAll(dist);
  for (const { file, built } of wasmFiles) await copyFile(built, join(dist, file));
  await emitTypes();
  await writeNotice();
  await copyFile(join(root, 'package.json'), join(partial, 'package.json'));
  for (const { what, bytes, files } of await measure(partial)) {
    const budget = budgetOf(what);
    const over = bytes > budget ? ': `npm run check` says what grew' : '';
    console.log(`build_js: ${what}: ${bytes} bytes gzipped, in ${files.length} files (budget ${budget})${over}`);
  }
  await rm(join(root, 'dist'), { recursive: true, force: true });
  await rename(dist, join(root, 'dist'));
}

await main();

// How many gzipped bytes the package costs a page, and how many it may: a tenth more than bindings/js/sizes.json remembers.
//   node scripts/sizes.mjs            fails where something is larger, and says in which modules (part of `npm run check`)
//   node scripts/sizes.mjs --write    remembers what is there (`npm run sizes`)

import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundleAll, entries, root, wasmFiles } from './bundle_js.mjs';

const ROOM = 1.1;
const file = join(root, 'bindings/js/sizes.json');
const remembered = JSON.parse(await readFile(file, 'utf8'));

/** The most bytes that something may have by its name here. load() is promised to stay under 32 kB. */
export function budgetOf(what) {
  const most = Math.floor((remembered.gzipped[what] ?? 0) * ROOM);
  return what === 'load() in a bundle' ? Math.min(most, 32_000) : most;
}

const web = (name) => `${name}.web.js`;

/** The files that a page without a bundler loads. `beside`: the files that it has already, fovea and entries that this one is used with. */
const pages = [
  { what: 'fovea', files: [web('index')] },
  { what: 'threads', files: [web('threads'), web('thread-worker')], beside: [web('index')] },
  ...entries
    .filter(({ source = '' }) => !/^(fovea|worker|errors)\//.test(source))
    .map(({ name, beside = [] }) => ({
      what: `fovea/${name}`,
      files: [web(name)],
      beside: ['index', ...beside].map(web),
    })),
  { what: 'fovea/supports', files: ['supports.js'] },
  { what: 'fovea/worker', files: [web('worker')] },
  { what: 'the worker of fovea/worker', files: ['fovea-worker.js'] },
];

/** Programs as a bundler gives them to a page. `beside`: the one whose bytes are not counted. */
const programs = [
  { what: 'load() in a bundle', program: "import { load } from 'fovea';\nload().then(console.log);" },
  { what: 'connect() in a bundle', program: "import { connect } from 'fovea/worker';\nconnect().then(console.log);" },
  ...['saliency', 'graphAttention', 'bahdanau'].map((name) => ({
    what: `${name}() in a bundle`,
    program: `import { load } from 'fovea';
import { ${name} } from 'fovea/mechanisms';
load().then((fovea) => console.log(${name}(fovea)));`,
    beside: 'load() in a bundle',
  })),
];

const gzipped = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** A program as its page has it: what is loaded with it, what only import() loads, and the files of the package that it begins with. */
export async function bundleProgram(installed, contents) {
  const { outputFiles, warnings, metafile } = await build({
    ...{ bundle: true, minify: true, format: 'esm', write: false, legalComments: 'none', logLevel: 'silent' },
    stdin: { contents, resolveDir: installed },
    splitting: true,
    outdir: installed,
    absWorkingDir: installed,
    metafile: true,
  });
  const unexpected = warnings.filter(({ text }) => !text.startsWith('Ignoring this import'));
  if (unexpected.length > 0) throw new Error(unexpected[0].text);
  const names = new Set(['stdin.js']);
  for (const name of names) {
    for (const { kind, path } of metafile.outputs[name].imports) if (kind === 'import-statement') names.add(path);
  }
  const isLoaded = ({ path }) => names.has(basename(path));
  const bytesOf = (chosen) => Buffer.concat(outputFiles.filter(chosen).map(({ contents }) => Buffer.from(contents)));
  const files = [...names].flatMap((name) => Object.keys(metafile.outputs[name].inputs)).map((path) => basename(path));
  return { loaded: bytesOf(isLoaded), later: bytesOf((output) => !isLoaded(output)), files };
}

/** The files that a page loads with these. */
async function loadedWith(dist, names) {
  const loaded = new Set(names);
  for (const name of loaded) {
    const text = await readFile(join(dist, name), 'utf8');
    for (const [, other] of text.matchAll(/\b(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) loaded.add(other);
  }
  return [...loaded];
}

async function measurePage(dist, { what, files, beside = [] }) {
  const there = await loadedWith(dist, beside);
  const added = (await loadedWith(dist, files)).filter((name) => !there.includes(name));
  const sizes = await Promise.all(added.map(async (name) => gzipped(await readFile(join(dist, name)))));
  return { what, bytes: sizes.reduce((sum, size) => sum + size, 0), files: added };
}

async function measurePrograms(installed) {
  const bundled = await Promise.all(
    programs.map(async ({ what, program, beside }) => {
      const { loaded, files } = await bundleProgram(installed, program);
      return { what, beside, bytes: gzipped(loaded), files };
    }),
  );
  const bytesOf = (name) => bundled.find(({ what }) => what === name)?.bytes ?? 0;
  return bundled.map(({ what, beside, bytes, files }) => ({ what, bytes: bytes - bytesOf(beside), files }));
}

/**
 * The gzipped bytes of all that has a budget, each with the files in which they are.
 *
 * @param installed the folder of the package: its package.json, and dist
 */
export async function measure(installed) {
  const dist = join(installed, 'dist');
  const wasm = async (name) => ({ what: name, bytes: gzipped(await readFile(join(dist, name))), files: [name] });
  const measured = await Promise.all([
    ...pages.map((page) => measurePage(dist, page)),
    measurePrograms(installed),
    ...wasmFiles.map(({ file }) => wasm(file)),
  ]);
  return measured.flat();
}

/** The modules of these files that are larger than is remembered, the one that grew most first. */
function grownModules(files, outputs) {
  return files
    .flatMap((name) => {
      const { bundle, modules = {} } = outputs.get(name) ?? {};
      return Object.entries(modules).map(([path, bytes]) => ({ path, bytes, before: remembered.modules[bundle]?.[path] ?? 0 }));
    })
    .map((module) => ({ ...module, more: module.bytes - module.before }))
    .filter(({ more }) => more > 0)
    .sort((a, b) => b.more - a.more);
}

/** Prints what is beyond its budget; returns whether something is. */
function report(sizes, outputs) {
  const over = sizes.filter(({ what, bytes }) => bytes > budgetOf(what));
  for (const { what, bytes, files } of over) {
    console.error(`sizes: ${what}: ${bytes} bytes gzipped, of at most ${budgetOf(what)}; before compression these grew most:`);
    for (const { path, more, before } of grownModules(files, outputs).slice(0, 12))
      console.error(`  +${more} ${path} (${before === 0 ? 'new' : `${before} before`})`);
  }
  if (over.length > 0) console.error('sizes: if it is worth them, `npm run sizes` writes the budgets anew');
  return over.length > 0;
}

/** The bytes of the modules of what is measured, by bundle. */
function modulesOf(outputs) {
  const bundles = {};
  for (const { bundle, modules } of outputs.values()) {
    if (bundle.endsWith('node') || bundle.endsWith('.node.js')) continue;
    const known = Object.entries(modules).filter(([, bytes]) => bytes > 0);
    bundles[bundle] = { ...bundles[bundle], ...Object.fromEntries(known) };
  }
  const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(Object.fromEntries(Object.entries(bundles).map(([bundle, modules]) => [bundle, sorted(modules)])));
}

async function main() {
  const installed = join(root, 'build/sizes/node_modules/fovea');
  const dist = join(installed, 'dist');
  await rm(installed, { recursive: true, force: true });
  const outputs = await bundleAll(dist);
  await copyFile(join(root, 'package.json'), join(installed, 'package.json'));
  for (const { file: name, built } of wasmFiles) await copyFile(built, join(dist, name));
  const sizes = await measure(installed);
  if (process.argv.includes('--write')) {
    const gzipped = Object.fromEntries(sizes.map(({ what, bytes }) => [what, bytes]));
    await writeFile(file, `${JSON.stringify({ gzipped, modules: modulesOf(outputs) }, null, 2)}\n`);
  } else if (report(sizes, outputs)) process.exitCode = 1;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await main();

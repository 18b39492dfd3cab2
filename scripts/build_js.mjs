// `npm run build:js`: the package's JavaScript, types and wasm files, in dist/. Needs build/wasm (npm run build:wasm).
//   base.js         errors and the checks of arguments; one file, so that AttentionError is the same in all entries
//   shared.js       everything else but where the wasm file comes from; one file for the same reason
//   index.node.js   index.web.js   inline.js       the entries
//   NAME.js, or NAME.node.js and NAME.web.js    the entries fovea/NAME that have a folder of their own
//   worker.node.js  worker.web.js  the entry fovea/worker
//   fovea-worker.node.js   fovea-worker.js   what its workers run
//   threads.node.js   threads.web.js   what is loaded when threads are asked for, and what their workers run
//   index.d.ts  inline.d.ts  FOLDER/index.d.ts   and the types they mention
//   fovea-VARIANT.wasm   NOTICE.txt

import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'bindings/js');
const shipped = join(root, 'dist');
/** Built beside and then exchanged, so that a build that fails leaves the last good one. */
const dist = join(root, 'build/dist.partial');
const variants = ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'];

/** What an entry may carry itself; all else is in base.js or shared.js, or a class would exist twice. */
const entryFiles = [
  'index.node.ts',
  'index.web.ts',
  'inline.ts',
  'platform.node.ts',
  'platform.web.ts',
  'modules.web.ts',
  'fetch_wasm.ts',
  'fovea.wasm',
];

/** What each worker of a pool runs carries nothing but the glue and how a worker is started. */
const threadsFiles = ['threads.node.ts', 'threads.web.ts', 'threads.ts', 'node_worker.ts', 'fovea.web.mjs'];

/** The sources of base.js. */
const baseFiles = ['arrays.ts', 'errors.ts', 'options.ts', 'programs.ts', 'reachable.ts', 'shapes.ts'];

/** Other sources that stay files of their own, by what they become. fovea/modules works with fovea/ops. */
const ownFiles = {
  'shared.ts': 'shared.js',
  'threads.node.ts': 'threads.node.js',
  'threads.web.ts': 'threads.web.js',
  'layers/index.ts': 'ops.js',
};

/**
 * The entries that have a folder of their own, with the most gzipped bytes that each may add to a page. A folder has one index.ts
 * for all platforms, or index.node.ts and index.web.ts. `also`: folders that it carries beside its own.
 */
const entries = [
  { name: 'pattern', folder: 'pattern', most: 8_000 },
  { name: 'linear', folder: 'linear_attention', most: 12_000 },
  { name: 'ops', folder: 'layers', also: ['recurrent'], most: 11_000 },
  { name: 'modules', folder: 'modules', also: ['layers', 'linear_attention'], most: 9_000 },
  { name: 'position', folder: 'position', also: ['recurrent'], most: 6_000 },
  { name: 'score', folder: 'score', most: 6_000 },
  { name: 'cache', folder: 'cache', most: 5_000 },
  { name: 'files', folder: 'files', platforms: ['node', 'web'], most: 7_000 },
].map((entry) => ({
  ...entry,
  outfiles: entry.platforms?.map((platform) => `${entry.name}.${platform}.js`) ?? [`${entry.name}.js`],
}));

/** Most gzipped bytes of JavaScript, by what loads it. */
const budgets = {
  'a page': { files: ['base.js', 'shared.js', 'index.web.js'], most: 34_000 },
  'when it asks for threads, further': { files: ['threads.web.js'], most: 15_000 },
  ...Object.fromEntries(
    entries.map(({ name, outfiles, most }) => [`when it uses fovea/${name}, further`, { files: [outfiles.at(-1)], most }]),
  ),
  'a page with fovea/worker': { files: ['base.js', 'worker.web.js'], most: 8_000 },
  'its worker': { files: ['base.js', 'shared.js', 'threads.web.js', 'fovea-worker.js'], most: 48_000 },
};

const common = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  keepNames: false,
  logLevel: 'warning',
  legalComments: 'inline',
};

/** Leaves imports of what is in other files as imports; of base.js, which exports `names`, as one for all modules. */
const keepImports = (names) => ({
  name: 'keep-imports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{1,2}\/[\w./]+\.[jt]s$/ }, ({ path, importer, kind, namespace }) => {
      if (kind === 'entry-point') return undefined;
      if (namespace === 'base') return { path, external: true };
      const target = relative(source, resolve(dirname(importer), path));
      if (baseFiles.includes(target)) return { path: 'base', namespace: 'base' };
      return target in ownFiles ? { path: `./${ownFiles[target]}`, external: true } : undefined;
    });
    onLoad({ filter: /./, namespace: 'base' }, () => ({ contents: `export { ${names.join(', ')} } from './base.js';` }));
  },
});

/** Returns the names that base.js exports. */
async function bundleBase() {
  const outfile = join(dist, 'base.js');
  const entryPoints = [join(source, 'base.ts')];
  const { metafile } = await build({ ...common, entryPoints, outfile, platform: 'neutral', metafile: true });
  return Object.values(metafile.outputs)[0].exports;
}

async function bundleShared(base) {
  await build({
    ...common,
    entryPoints: [join(source, 'shared.ts')],
    outfile: join(dist, 'shared.js'),
    platform: 'neutral',
    mainFields: ['module', 'main'],
    plugins: [keepImports(base)],
    banner: {
      js: '/* fovea, MIT. Contains wasm-feature-detect (Apache-2.0) and the glue of Emscripten (MIT): see NOTICE.txt */',
    },
  });
}

/** A second minifier makes it 5 % smaller. Not the entries: it would join their `new URL` literals, which bundlers look for. */
async function minifyAgain(name) {
  const file = join(dist, name);
  const format = { comments: /^ fovea, MIT|@license/ };
  const { code } = await minify(await readFile(file, 'utf8'), { module: true, ecma: 2020, compress: { passes: 3 }, format });
  await writeFile(file, code);
}

/** Bundles one entry; `isOwn` tells which sources it may carry. */
async function bundleEntry(base, entry, outfile, platform, isOwn) {
  const { metafile } = await build({
    ...common,
    entryPoints: [join(source, entry)],
    outfile: join(dist, outfile),
    platform,
    loader: { '.wasm': 'base64' },
    plugins: [keepImports(base)],
    metafile: true,
  });
  const foreign = Object.keys(metafile.inputs).filter((path) => path !== 'base:base' && !isOwn(path));
  if (foreign.length > 0)
    throw new Error(`${outfile} must not contain ${foreign.join(', ')}: import it through shared.ts or base.ts`);
}

const isEntry = (path) => entryFiles.includes(basename(path));
const isThreads = (path) => threadsFiles.includes(basename(path));
/** Two functions, so small that each of the entries that need them carries them. */
const isSeeds = (path) => path.endsWith('bindings/js/seeds.ts');
const isIn = (folders) => (path) => folders.some((folder) => dirname(path).endsWith(`bindings/js/${folder}`)) || isSeeds(path);
const isWorker = (path) =>
  isEntry(path) || dirname(path).endsWith('bindings/js/worker') || path.endsWith('bindings/js/pattern/fits.ts');

/** The types of the entries. */
const declared = [
  'index.d.ts',
  'inline.d.ts',
  ...[...entries.map(({ folder }) => folder), 'worker'].map((folder) => `${folder}/index.d.ts`),
];

/** Declarations of the public entries and of what they mention, with paths that every moduleResolution understands. */
async function emitTypes() {
  const out = await mkdtemp(join(root, 'build/types-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const config = join(out, 'tsconfig.json');
    const files = [...declared.map((name) => name.replace('.d.ts', '.ts')), 'generated.d.ts'].map((file) => join(source, file));
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      outDir: out,
      rootDir: source,
    };
    await writeFile(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }));
    execFileSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' });
    const open = [...declared];
    const done = new Set();
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (done.has(name)) continue;
      done.add(name);
      const text = await readFile(join(out, name), 'utf8');
      const rewritten = text.replace(/(from\s+|import\(|import\s+)(['"])(\.{1,2}\/[\w./]+)\.ts\2/g, (_, lead, quote, stem) => {
        open.push(posix.join(posix.dirname(name), `${stem}.d.ts`));
        return `${lead}${quote}${stem}.js${quote}`;
      });
      await mkdir(dirname(join(dist, name)), { recursive: true });
      await writeFile(join(dist, name), rewritten);
    }
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

async function writeNotice() {
  const licence = await readFile(join(root, 'node_modules/wasm-feature-detect/LICENSE'), 'utf8');
  const { version } = JSON.parse(await readFile(join(root, 'node_modules/wasm-feature-detect/package.json'), 'utf8'));
  const text = [
    'fovea contains the following third-party software.',
    `\n== wasm-feature-detect ${version}, https://github.com/GoogleChromeLabs/wasm-feature-detect (in shared.js)\n`,
    licence.trim(),
    `\n${await readFile(join(root, 'bindings/wasm/NOTICE.txt'), 'utf8')}`.trimEnd(),
  ];
  await writeFile(join(dist, 'NOTICE.txt'), `${text.join('\n')}\n`);
}

/** Bundles an entry with a folder of its own, for each platform it tells apart. */
function bundleFolder(base, { folder, also = [], platforms, outfiles }) {
  return outfiles.map(async (outfile, index) => {
    const platform = platforms?.[index];
    const source = platform === undefined ? `${folder}/index.ts` : `${folder}/index.${platform}.ts`;
    const target = { node: 'node', web: 'browser' }[platform] ?? 'neutral';
    await bundleEntry(base, source, outfile, target, isIn([folder, ...also]));
    await minifyAgain(outfile);
  });
}

async function gzipped(...names) {
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(join(dist, name)), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function buildAll() {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const base = await bundleBase();
  await Promise.all([
    bundleShared(base).then(() => minifyAgain('shared.js')),
    bundleEntry(base, 'index.node.ts', 'index.node.js', 'node', isEntry),
    bundleEntry(base, 'index.web.ts', 'index.web.js', 'browser', isEntry),
    bundleEntry(base, 'inline.ts', 'inline.js', 'neutral', isEntry),
    ...entries.flatMap((entry) => bundleFolder(base, entry)),
    bundleEntry(base, 'threads.node.ts', 'threads.node.js', 'node', isThreads),
    bundleEntry(base, 'threads.web.ts', 'threads.web.js', 'browser', isThreads),
    bundleEntry(base, 'worker/index.node.ts', 'worker.node.js', 'node', isWorker),
    bundleEntry(base, 'worker/index.web.ts', 'worker.web.js', 'browser', isWorker),
    bundleEntry(base, 'worker/fovea_worker.node.ts', 'fovea-worker.node.js', 'node', isWorker),
    bundleEntry(base, 'worker/fovea_worker.web.ts', 'fovea-worker.js', 'browser', isWorker),
  ]);
  for (const variant of variants)
    await copyFile(join(root, 'build/wasm', variant, 'fovea.wasm'), join(dist, `fovea-${variant}.wasm`));
  await emitTypes();
  await writeNotice();
  for (const [name, { files, most }] of Object.entries(budgets)) {
    const size = await gzipped(...files);
    console.log(`build_js: ${name} loads ${size} bytes of JavaScript, gzipped (budget ${most})`);
    if (size > most) throw new Error(`${files.join(' and ')}: over the budget`);
  }
  await rm(shipped, { recursive: true, force: true });
  await rename(dist, shipped);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await buildAll();

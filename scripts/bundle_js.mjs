// The package's JavaScript: its entries, and how esbuild bundles them.
//   NAME.node.js  NAME.web.js        the entries: fovea is index, fovea/NAME is NAME
//   node-HASH.js  web-HASH.js        what several entries of one platform share: each class exists once on each platform
//   errors.web.js                    the class of errors for worker.web.js, which shares nothing else
//   inline-wasm.js                   the wasm file of fovea/inline, as base64
//   fovea-worker.node.js   fovea-worker.js   what the workers of fovea/worker run
//   threads.node.js   threads.web.js   what is loaded when threads are asked for: how their workers are started
//   thread-worker.node.js   thread-worker.web.js   what each of them runs
//   cli.node.js   the program fovea, on the entries for Node
// The files for Node are not minified, so that an uncaught error prints a readable line.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { generateAbi } from './generate_abi.mjs';
import { generateLists } from './generate_lists.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The builds of the core. */
export const variants = ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'];
/** The wasm files of the package, and where they are built: the core alone, and with what fovea/train needs. */
export const wasmFiles = ['fovea', 'fovea-train'].flatMap((name) =>
  variants.map((variant) => ({ file: `${name}-${variant}.wasm`, built: join(root, 'build/wasm', variant, `${name}.wasm`) })),
);

const source = join(root, 'bindings/js');

/** The files that all entries share which read arrays. */
const ARRAYS = [
  'errors/errors.ts',
  'errors/inspect.ts',
  'errors/options.ts',
  'tensor/shapes.ts',
  'tensor/typed_arrays.ts',
  'tensor/reachable.ts',
  'tensor/arrays.ts',
  'attention/options/pattern_source.ts',
];

/** The files that all entries share which work on an instance. */
const CORE = [
  ...ARRAYS,
  'errors/seeds.ts',
  'fovea/load.ts',
  'runtime/fetch_wasm.ts',
  'runtime/instances.ts',
  'tensor/nested.ts',
  'tensor/print.ts',
  'tensor/number_lists.ts',
];

/**
 * The entries that share files, by their names.
 *   source      in bindings/js, where it is not NAME/index.ts; * stands for the platform
 *   platforms   where they are not node and web
 *   shares      where it is not CORE
 *   beside      the entries, beside fovea, of a page that has this one
 */
export const entries = [
  { name: 'index', source: 'fovea/index.*.ts', platforms: ['node', 'web', 'workerd'] },
  { name: 'inline', source: 'fovea/inline.ts' },
  { name: 'core', source: 'fovea/core.ts', platforms: ['web'] },
  { name: 'pattern' },
  { name: 'linear-attention', source: 'linear_attention/index.ts' },
  { name: 'ops' },
  { name: 'nn', beside: ['ops'] },
  { name: 'mechanisms', beside: ['ops', 'score', 'position', 'pattern'] },
  { name: 'catalog', beside: ['ops', 'score', 'position', 'pattern', 'linear-attention', 'mechanisms'] },
  { name: 'position' },
  { name: 'score' },
  { name: 'cache' },
  { name: 'files', source: 'files/index.*.ts', shares: ARRAYS },
  { name: 'models', source: 'models/index.*.ts', beside: ['ops', 'nn', 'cache', 'files'] },
  { name: 'train', source: 'train/index.*.ts', beside: ['ops', 'nn'] },
  { name: 'serve', source: 'serve/index.*.ts' },
  { name: 'worker', source: 'worker/index.*.ts', platforms: ['node'] },
  { name: 'fovea-worker', source: 'worker/fovea_worker.*.ts', platforms: ['node'] },
  { name: 'errors', source: 'errors/errors.ts', platforms: ['web'], shares: [] },
];

/** The names under which files import sources that are bundled apart. */
const APART = {
  'runtime/threads.node.ts': 'threads.node.js',
  'runtime/threads.web.ts': 'threads.web.js',
  'runtime/thread_worker.node.ts': 'thread-worker.node.js',
  'runtime/thread_worker.web.ts': 'thread-worker.web.js',
  '../../build/wasm/simd128/fovea.wasm': 'inline-wasm.js',
  '../../build/wasm/simd128/fovea.wasm?module': 'fovea-simd128.wasm',
};

/** The names under which the program imports the entries. */
const FOR_PROGRAM = Object.fromEntries(
  entries.map(({ name }) => [name === 'index' ? 'fovea' : `fovea/${name}`, `${name}.node.js`]),
);

/**
 * The files that share none: they hold all that they run.
 *   imports   what they import all the same
 *   holds     the only files of which they may be made
 */
const alone = [
  { file: 'threads.node.js', source: 'runtime/threads.node.ts', imports: APART, holds: ['threads.node.ts', 'threads.ts'] },
  { file: 'threads.web.js', source: 'runtime/threads.web.ts', imports: APART, holds: ['threads.web.ts', 'threads.ts'] },
  {
    file: 'thread-worker.node.js',
    source: 'runtime/thread_worker.node.ts',
    holds: ['thread_worker.node.ts', 'node_thread.ts', 'fovea.web.mjs'],
  },
  { file: 'thread-worker.web.js', source: 'runtime/thread_worker.web.ts', holds: ['thread_worker.web.ts', 'fovea.web.mjs'] },
  // A page has it in place of fovea: files that both share would make both larger.
  { file: 'worker.web.js', source: 'worker/index.web.ts', imports: { 'errors/errors.ts': 'errors.web.js' } },
  // Bundlers that take a worker along as it is do not see what it imports.
  { file: 'fovea-worker.js', source: 'worker/fovea_worker.web.ts' },
  { file: 'supports.js', source: 'supports/index.ts' },
  { file: 'cli.node.js', source: '../cli/main.ts', imports: FOR_PROGRAM, banner: { js: '#!/usr/bin/env node' } },
];

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  mainFields: ['module', 'main'],
  logLevel: 'warning',
  legalComments: 'inline',
  define: { FOVEA_VERSION: JSON.stringify(version) },
  metafile: true,
};

/** Packages that are bundled, in files of their own that are loaded when they are needed; NOTICE.txt has their licences. */
const NOTICED = ['@huggingface/jinja', '@huggingface/tokenizers', '@noble/hashes'];

const optionsOf = (platform) =>
  platform === 'node' ? { ...common, platform: 'node' } : { ...common, platform: 'browser', minify: true };

/** Leaves imports as they are of what has a file of its own, under the name of that file. */
const keepImports = (files) => ({
  name: 'keep-imports',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path, resolveDir, kind }) => {
      const file = files[path] ?? files[relative(source, resolve(resolveDir, path)).replaceAll('\\', '/')];
      return kind === 'entry-point' || file === undefined ? undefined : { path: `./${file}`, external: true };
    });
  },
});

/**
 * Writes the sources that esbuild begins with, one for each entry of a platform: it imports all that entries share, as esbuild
 * makes a file of what the same entries import. Else there would be dozens of small files, which compress worse.
 */
async function writeEntries(platform) {
  const folder = join(root, 'build/entries');
  await mkdir(folder, { recursive: true });
  const written = entries.flatMap(({ name, source: path = `${name}/index.ts`, platforms = ['node', 'web'], shares = CORE }) =>
    platforms
      .filter((one) => (one === 'node') === (platform === 'node'))
      .map(async (one) => {
        const imports = shares.map((shared) => `import '../../bindings/js/${shared}';\n`);
        const file = join(folder, `${name}.${one}.ts`);
        await writeFile(file, `${imports.join('')}export * from '../../bindings/js/${path.replace('*', one)}';\n`);
        return file;
      }),
  );
  return Promise.all(written);
}

/** Bundles all entries of a platform at once. */
async function bundleEntries(platform, folder) {
  const { metafile } = await build({
    ...optionsOf(platform),
    entryPoints: await writeEntries(platform),
    outdir: folder,
    chunkNames: `${platform}-[hash]`,
    splitting: true,
    ignoreAnnotations: true, // package.json says of all files that they have no side effects: imports without names would go
    plugins: [keepImports(APART)],
  });
  return outputsOf(metafile, platform);
}

async function bundleAlone(folder, { file, source: path, imports = {}, holds, banner = {} }) {
  const { metafile } = await build({
    ...optionsOf(file.endsWith('.node.js') ? 'node' : 'web'),
    entryPoints: [join(source, path)],
    outfile: join(folder, file),
    banner,
    plugins: [keepImports(imports)],
  });
  const foreign = Object.keys(metafile.inputs).filter((input) => holds !== undefined && !holds.includes(basename(input)));
  if (foreign.length > 0) throw new Error(`${file} must not contain ${foreign.join(', ')}`);
  return outputsOf(metafile, file);
}

/**
 * The files of one build by their names: the files that each imports statically, and the bytes in it of each module.
 * `bundle`: within it, no two files have the same module.
 */
function outputsOf(metafile, bundle) {
  const foreign = Object.keys(metafile.inputs).filter(
    (input) => input.includes('node_modules') && !NOTICED.some((name) => input.includes(`node_modules/${name}/`)),
  );
  if (foreign.length > 0) throw new Error(`NOTICE.txt has no licence for ${foreign.join(', ')}`);
  return Object.entries(metafile.outputs).map(([path, { imports, inputs }]) => {
    const loaded = imports.filter(({ kind }) => kind === 'import-statement').map((one) => basename(one.path));
    const modules = Object.entries(inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput]);
    return [basename(path), { bundle, imports: loaded, modules: Object.fromEntries(modules) }];
  });
}

/** Writes the package's JavaScript into a folder; returns what it wrote, by name. */
export async function bundleAll(folder) {
  generateAbi();
  generateLists();
  await mkdir(folder, { recursive: true });
  const outputs = await Promise.all([
    bundleEntries('node', folder),
    bundleEntries('web', folder),
    ...alone.map((one) => bundleAlone(folder, one)),
  ]);
  const wasm = await readFile(join(root, 'build/wasm/simd128/fovea.wasm'));
  await writeFile(join(folder, 'inline-wasm.js'), `export default "${wasm.toString('base64')}";\n`);
  return new Map(outputs.flat());
}

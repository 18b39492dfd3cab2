// `npm run build:js`: the package's JavaScript, types and wasm files, in dist/. Needs build/wasm (npm run build:wasm).
//   NAME.node.js  NAME.web.js        the entries: fovea is index, fovea/NAME is NAME
//   node-HASH.js  web-HASH.js        what several entries of one platform share: each class exists once on each platform
//   inline-wasm.js                   the wasm file of fovea/inline, as base64
//   fovea-worker.node.js   fovea-worker.js   what the workers of fovea/worker run
//   threads.node.js   threads.web.js   what is loaded when threads are asked for: how their workers are started
//   thread-worker.node.js   thread-worker.web.js   what each of them runs
//   cli.node.js   the program fovea, on the entries for Node
//   FOLDER/NAME.d.ts   the types of the entries and what they mention
//   fovea-VARIANT.wasm   NOTICE.txt
// The files for Node are not minified, so that an uncaught error prints a readable line.

import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { minify } from 'terser';
import { blocks, enums } from '../bindings/abi.mjs';
import { constantCase, enumLists, generateAbi, tsModule } from './generate_abi.mjs';
import { generateLists } from './generate_lists.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'bindings/js');
const shipped = join(root, 'dist');
/** Built beside and then exchanged, so that a build that fails leaves the last good one. */
const dist = join(root, 'build/dist.partial');
const variants = ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'];

/** Built apart, and imported by these names: how workers are started, and what each of them runs, the glue and nothing else. */
const apart = {
  'runtime/threads.node.ts': { file: 'threads.node.js', own: ['threads.node.ts', 'threads.ts'] },
  'runtime/threads.web.ts': { file: 'threads.web.js', own: ['threads.web.ts', 'threads.ts'] },
  'runtime/thread_worker.node.ts': {
    file: 'thread-worker.node.js',
    own: ['thread_worker.node.ts', 'node_thread.ts', 'fovea.web.mjs'],
  },
  'runtime/thread_worker.web.ts': { file: 'thread-worker.web.js', own: ['thread_worker.web.ts', 'fovea.web.mjs'] },
};

/** Files with all that they run: bundlers that take a worker along as it is do not see what it imports, and `supports` loads nothing else. */
const whole = { 'worker/fovea_worker.web.ts': 'fovea-worker.js', 'supports/index.ts': 'supports.js' };

/** The wasm file of fovea/inline, which both platforms share. */
const INLINE_WASM = 'inline-wasm.js';

/**
 * The entries by the names of their files, with their folders and the most gzipped bytes that each may add to a page that has
 * fovea. A folder has one index.ts for both platforms, or index.node.ts and index.web.ts.
 */
const entries = [
  { name: 'pattern', folder: 'pattern', most: 10_300 },
  { name: 'linear-attention', folder: 'linear_attention', most: 13_300 },
  { name: 'ops', folder: 'ops', most: 14_900 },
  { name: 'nn', folder: 'nn', most: 17_300, beside: ['ops'] },
  { name: 'mechanisms', folder: 'mechanisms', most: 44_000, beside: ['ops', 'score', 'position', 'pattern'] },
  {
    name: 'catalog',
    folder: 'catalog',
    most: 74_800,
    beside: ['ops', 'score', 'position', 'pattern', 'linear-attention', 'mechanisms'],
  },
  { name: 'position', folder: 'position', most: 7_500 },
  { name: 'score', folder: 'score', most: 9_100 },
  { name: 'cache', folder: 'cache', most: 5_500 },
  { name: 'files', folder: 'files', most: 7_800, platforms: ['node', 'web'] },
  { name: 'serve', folder: 'serve', most: 21_300, platforms: ['node', 'web'] },
];

/** What is built for a platform: sources by output names. */
function sourcesFor(platform) {
  const index = ({ folder, platforms }) => `${folder}/index${platforms === undefined ? '' : `.${platform}`}.ts`;
  return {
    [`index.${platform}`]: `fovea/index.${platform}.ts`,
    [`inline.${platform}`]: 'fovea/inline.ts',
    ...Object.fromEntries(entries.map((entry) => [`${entry.name}.${platform}`, index(entry)])),
    ...(platform === 'web' ? { 'core.web': 'fovea/core.ts', 'index.workerd': 'fovea/index.workerd.ts' } : {}),
    [`worker.${platform}`]: `worker/index.${platform}.ts`,
    ...(platform === 'node' ? { 'fovea-worker.node': 'worker/fovea_worker.node.ts' } : {}),
  };
}

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const common = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  mainFields: ['module', 'main'],
  logLevel: 'warning',
  legalComments: 'inline',
  define: { FOVEA_VERSION: JSON.stringify(version) },
  metafile: true,
};

/** Leaves imports of files that are built apart as imports. */
const keepApart = {
  name: 'keep-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/simd128\/fovea\.wasm$/ }, () => ({ path: `./${INLINE_WASM}`, external: true }));
    onResolve({ filter: /\/simd128\/fovea\.wasm\?module$/ }, () => ({ path: './fovea-simd128.wasm', external: true }));
    onResolve({ filter: /\/thread(s|_worker)\.(node|web)\.ts$/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined;
      const { file } = apart[relative(source, resolve(dirname(importer), path))];
      return { path: `./${file}`, external: true };
    });
  },
};

/** A module of each parameter block and enum, so that an entry carries those that it uses: files are what entries share. */
const splitBlocks = {
  name: 'split-blocks',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(block|enum):/ }, ({ path }) => ({ path, namespace: 'block', sideEffects: false }));
    onLoad({ filter: /./, namespace: 'block' }, ({ path }) => {
      const [kind, name] = path.split(':');
      if (kind === 'enum') return { contents: enumLists({ [name]: enums[name] }), loader: 'ts' };
      return { contents: tsModule(name === '' ? blocks : { [name]: blocks[name] }), loader: 'ts' };
    });
  },
};

/** Imports from the generated files, each from the module of its block or enum. */
function importBlocks(text) {
  return text.replace(/import \{([^}]*)\} from '[^']*\/generated\/(abi|enums)\.ts';/g, (_, names, file) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => {
        const [kind, found] =
          file === 'abi'
            ? ['block', Object.keys(blocks).find((one) => `${constantCase(one)}_BLOCK` === name)]
            : ['enum', Object.keys(enums).find((one) => constantCase(one) === name)];
        return `import { ${name} } from '${kind}:${found ?? ''}';`;
      })
      .join(''),
  );
}

/**
 * What the entries share that read arrays, and what those share that work on an instance: each in one file of a platform, not in
 * dozens. The class of errors has a file of its own, as fovea/worker has it, too.
 */
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

/** Some entries need no instance beside them. */
function sharedBy(path) {
  if (isConnection(path)) return [];
  return path.startsWith('files/') ? ARRAYS : CORE;
}

/** Whether it is the index of fovea/worker. */
const isConnection = (path) => path.endsWith('worker/index.web.ts');

/**
 * Gives fovea/worker copies of its own of all that it has in common with other entries, but for the class of errors: a page has it
 * in place of fovea, and shared files would make both larger.
 */
const copyForWorkers = {
  name: 'copy-for-workers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind, namespace }) => {
      const file = resolve(resolveDir, path);
      const isOfConnection =
        kind === 'entry-point' ? isConnection(path) : namespace === 'connection' && !file.endsWith('errors/errors.ts');
      return isOfConnection ? { path: file, namespace: 'connection' } : undefined;
    });
    onLoad({ filter: /\.ts$/ }, async ({ path, namespace }) => {
      if (namespace === 'file') return undefined;
      return { contents: importBlocks(await readFile(path, 'utf8')), loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

/** Each entry imports all that it shares: a file goes where all the entries are that import it. */
function shareFiles(sources) {
  const shared = new Map(sources.map((path) => [join(source, path), sharedBy(path)]));
  return {
    name: 'share-files',
    setup({ onLoad }) {
      onLoad({ filter: /bindings\/js\/.*\.ts$/ }, async ({ path }) => {
        const imports = (shared.get(path) ?? []).map((other) => `import ${JSON.stringify(join(source, other))};`);
        return { contents: [importBlocks(await readFile(path, 'utf8')), ...imports].join('\n'), loader: 'ts' };
      });
    },
  };
}

/**
 * A second minifier makes a file 5 % smaller. It must not join `new URL` literals, which bundlers look for, and keeps the comments that
 * tell bundlers what to leave alone.
 */
async function minifyAgain(name) {
  const file = join(dist, name);
  const text = await readFile(file, 'utf8');
  const literals = (code) => code.match(/new URL\("/g)?.length ?? 0;
  const format = { comments: /@license|@vite-ignore|Ignore: true/ };
  // Constants stay where they are written, mostly on the right: files of one order compress better.
  // Functions stay declarations, even those that are called once: the page's bundler gives them shorter names than function expressions.
  const compress = {
    passes: 3,
    unsafe_arrows: true,
    lhs_constants: false,
    reduce_funcs: false,
    hoist_funs: true,
    conditionals: literals(text) === 0,
  };
  const { code } = await minify(text, { module: true, ecma: 2022, compress, format });
  if (literals(code) !== literals(text)) throw new Error(`${name}: a literal of new URL is lost`);
  await writeFile(file, code);
}

/** Bundles all entries of a platform at once; returns what each output imports. */
async function bundlePlatform(platform) {
  const sources = sourcesFor(platform);
  const { metafile } = await build({
    ...common,
    entryPoints: Object.entries(sources).map(([out, path]) => ({ out, in: join(source, path) })),
    outdir: dist,
    chunkNames: `${platform}-[hash]`,
    splitting: true,
    ignoreAnnotations: true, // or what shareFiles imports would be left out again
    platform: platform === 'node' ? 'node' : 'browser',
    minifySyntax: platform === 'web',
    minifyIdentifiers: platform === 'web', // and white space later: with it go the comments in import()
    plugins: [splitBlocks, keepApart, ...(platform === 'web' ? [copyForWorkers] : []), shareFiles(Object.values(sources))],
  });
  return outputsOf(metafile);
}

/** Bundles a file that is built apart. */
async function bundleApart(path) {
  const { file, own } = apart[path];
  const platform = path.endsWith('.node.ts') ? 'node' : 'web';
  const { metafile } = await build({
    ...common,
    entryPoints: [join(source, path)],
    outfile: join(dist, file),
    platform: platform === 'node' ? 'node' : 'browser',
    minify: platform === 'web',
    plugins: [keepApart],
  });
  const foreign = Object.keys(metafile.inputs).filter((input) => !own.includes(basename(input)));
  if (foreign.length > 0) throw new Error(`${file} must not contain ${foreign.join(', ')}`);
  return outputsOf(metafile);
}

/** Bundles a file with all that it runs. */
async function bundleWhole([path, file]) {
  const { metafile } = await build({
    ...common,
    entryPoints: [join(source, path)],
    outfile: join(dist, file),
    platform: 'browser',
    minifySyntax: true,
    minifyIdentifiers: true,
    plugins: [splitBlocks, shareFiles([])],
  });
  await minifyAgain(file);
  return outputsOf(metafile);
}

/** Bundles the program `fovea`, which imports the entries as a user does. */
async function bundleProgram() {
  const byEntry = {
    name: 'by-entry',
    setup({ onResolve }) {
      const file = (entry) => `./${entry.replace(/^fovea\/?/, '') || 'index'}.node.js`;
      onResolve({ filter: /^fovea(\/|$)/ }, ({ path }) => ({ path: file(path), external: true }));
    },
  };
  const { metafile } = await build({
    ...common,
    entryPoints: [join(root, 'bindings/cli/main.ts')],
    outfile: join(dist, 'cli.node.js'),
    platform: 'node',
    banner: { js: '#!/usr/bin/env node' },
    plugins: [byEntry],
  });
  return outputsOf(metafile);
}

async function writeInlineWasm() {
  const wasm = await readFile(join(root, 'build/wasm/simd128/fovea.wasm'));
  await writeFile(join(dist, INLINE_WASM), `export default "${wasm.toString('base64')}";\n`);
}

/** The outputs of a build by name, each with the names that it imports statically. */
function outputsOf(metafile) {
  const foreign = Object.keys(metafile.inputs).filter((input) => input.includes('node_modules'));
  if (foreign.length > 0) throw new Error(`NOTICE.txt has no licence for ${foreign.join(', ')}`);
  return Object.entries(metafile.outputs).map(([path, { imports }]) => {
    const loaded = imports.filter(({ kind }) => kind === 'import-statement').map((one) => basename(one.path));
    return [basename(path), loaded];
  });
}

/** The files that are loaded with these. */
function loadedWith(imports, names) {
  const loaded = new Set(names);
  for (const name of loaded) for (const other of imports.get(name) ?? []) if (imports.has(other)) loaded.add(other);
  return [...loaded];
}

/** Gzipped bytes of JavaScript for a page, by what loads it, beyond which the build warns. `beside`: entries that are loaded already. */
const budgets = [
  { what: 'a page with fovea', files: ['index.web.js'], most: 33_900 },
  { what: 'threads, beside fovea', files: ['threads.web.js', 'thread-worker.web.js'], beside: ['index.web.js'], most: 6_500 },
  ...entries.map(({ name, most, beside = [] }) => ({
    what: `fovea/${name}, beside fovea${beside.map((other) => ` and fovea/${other}`).join('')}`,
    files: [`${name}.web.js`],
    beside: ['index.web.js', ...beside.map((other) => `${other}.web.js`)],
    most,
  })),
  { what: 'fovea/supports', files: ['supports.js'], most: 1_000 },
  { what: 'a page with fovea/worker', files: ['worker.web.js'], most: 10_500 },
  { what: 'its worker', files: ['fovea-worker.js'], most: 54_500 },
];

/** The types of the entries. */
const declared = [
  'fovea/index.d.ts',
  'fovea/inline.d.ts',
  'fovea/core.d.ts',
  'fovea/wasm_file.d.ts',
  'supports/index.d.ts',
  ...[...entries.map(({ folder }) => folder), 'worker'].map((folder) => `${folder}/index.d.ts`),
];

/** Where the declarations of a source are shipped, from dist/: in the folder of its name, made lists in lists/. */
const shippedAs = (path) => path.replace(/^(bindings\/js|build\/generated)\//, '');

/** Declarations of the public entries and of what they mention, with paths that every moduleResolution understands. */
async function emitTypes() {
  const out = await mkdtemp(join(root, 'build/types-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const config = join(out, 'tsconfig.json');
    const files = [...declared.map((name) => name.replace('.d.ts', '.ts')), 'runtime/generated.d.ts'].map((file) =>
      join(source, file),
    );
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      outDir: out,
      rootDir: root,
    };
    await writeFile(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }));
    execFileSync(process.execPath, [tsc, '-p', config], { stdio: 'inherit' });
    const open = declared.map((name) => `bindings/js/${name}`);
    const done = new Set();
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (done.has(name)) continue;
      done.add(name);
      const text = await readFile(join(out, name), 'utf8');
      const rewritten = text.replace(/(from\s+|import\(|import\s+)(['"])(\.{1,2}\/[\w./]+)\.ts\2/g, (_, lead, quote, stem) => {
        const mentioned = posix.join(posix.dirname(name), stem);
        open.push(`${mentioned}.d.ts`);
        const path = posix.relative(posix.dirname(shippedAs(name)), shippedAs(mentioned));
        return `${lead}${quote}${path.startsWith('.') ? '' : './'}${path}.js${quote}`;
      });
      const file = join(dist, shippedAs(name));
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

async function gzipped(...names) {
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(join(dist, name)), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function buildAll() {
  generateAbi();
  generateLists();
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const outputs = await Promise.all([
    bundlePlatform('node'),
    bundlePlatform('web').then(async (built) => {
      await Promise.all(built.map(([name]) => minifyAgain(name)));
      return built;
    }),
    ...Object.keys(apart).map(bundleApart),
    ...Object.entries(whole).map(bundleWhole),
    bundleProgram(),
    writeInlineWasm().then(() => []),
  ]);
  for (const variant of variants)
    await copyFile(join(root, 'build/wasm', variant, 'fovea.wasm'), join(dist, `fovea-${variant}.wasm`));
  await emitTypes();
  await writeNotice();
  const imports = new Map(outputs.flat());
  for (const { what, files, beside = [], most } of budgets) {
    const there = loadedWith(imports, beside);
    const added = loadedWith(imports, files).filter((name) => !there.includes(name));
    const size = await gzipped(...added);
    console.log(`build_js: ${what}: ${size} bytes of JavaScript in ${added.length} files, gzipped (budget ${most})`);
    if (size > most) console.warn(`build_js: ${what}: ${size - most} bytes over the budget`);
  }
  await rm(shipped, { recursive: true, force: true });
  await rename(dist, shipped);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await buildAll();

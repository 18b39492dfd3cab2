// `npm run build:js`: the package's JavaScript, types and wasm files, in dist/. Needs build/wasm (npm run build:wasm).
//   shared.js       everything but where the wasm file comes from; one file, so that classes are the same in all entries
//   index.node.js   index.web.js   inline.js       the entries
//   threads.node.js   threads.web.js   what is loaded when threads are asked for, and what their workers run
//   index.d.ts      inline.d.ts and the types they mention
//   fovea-VARIANT.wasm   NOTICE.txt

import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'bindings/js');
const shipped = join(root, 'dist');
/** Built beside and then exchanged, so that a build that fails leaves the last good one. */
const dist = join(root, 'build/dist.partial');
const variants = ['simd128', 'relaxed', 'simd128-threads', 'relaxed-threads'];

/** What an entry may carry itself; all else is in shared.js, or a class would exist twice. */
const entryFiles = [
  'index.node.ts',
  'index.web.ts',
  'inline.ts',
  'platform.node.ts',
  'platform.web.ts',
  'fetch_wasm.ts',
  'fovea.wasm',
];

/** What each worker runs carries nothing but the glue and how a worker is started. */
const threadsFiles = ['threads.node.ts', 'threads.web.ts', 'node_worker.ts', 'fovea.web.mjs'];

/** Most gzipped bytes of the JavaScript that a page loads, and of what it loads more when it asks for threads. */
const pageBudget = 30_000;
const threadsBudget = 15_000;

const common = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  keepNames: false,
  logLevel: 'warning',
  legalComments: 'inline',
};

/** What stays a file of its own: shared.js, and the files for threads, which are loaded when they are asked for. */
const shareModule = {
  name: 'share-module',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(shared|threads\.web|threads\.node)\.ts$/ }, ({ path, kind }) =>
      kind === 'entry-point' ? null : { path: path.replace(/ts$/, 'js'), external: true },
    );
  },
};

async function bundleShared() {
  await build({
    ...common,
    entryPoints: [join(source, 'shared.ts')],
    outfile: join(dist, 'shared.js'),
    platform: 'neutral',
    mainFields: ['module', 'main'],
    banner: {
      js: '/* fovea, MIT. Contains wasm-feature-detect (Apache-2.0) and the glue of Emscripten (MIT): see NOTICE.txt */',
    },
  });
}

async function bundleEntry(name, platform, allowed = entryFiles) {
  const { metafile } = await build({
    ...common,
    entryPoints: [join(source, `${name}.ts`)],
    outfile: join(dist, `${name}.js`),
    platform,
    loader: { '.wasm': 'base64' },
    plugins: [shareModule],
    metafile: true,
  });
  const foreign = Object.keys(metafile.inputs).filter((path) => !allowed.includes(basename(path)));
  if (foreign.length > 0) throw new Error(`${name}.js must not contain ${foreign.join(', ')}: import it through shared.ts`);
}

/** Declarations of the public entries and of what they mention, with paths that every moduleResolution understands. */
async function emitTypes() {
  const out = await mkdtemp(join(root, 'build/types-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const config = join(out, 'tsconfig.json');
    const files = ['index.ts', 'inline.ts', 'generated.d.ts'].map((file) => join(source, file));
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
    const open = ['index.d.ts', 'inline.d.ts'];
    const done = new Set();
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (done.has(name)) continue;
      done.add(name);
      const text = await readFile(join(out, name), 'utf8');
      const rewritten = text.replace(/(from\s+|import\(|import\s+)(['"])\.\/([\w.]+)\.ts\2/g, (_, lead, quote, stem) => {
        open.push(`${stem}.d.ts`);
        return `${lead}${quote}./${stem}.js${quote}`;
      });
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

async function gzipped(...names) {
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(join(dist, name)), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function checkBudget(what, budget, ...names) {
  const size = await gzipped(...names);
  console.log(`build_js: ${what} ${size} bytes of JavaScript, gzipped (budget ${budget})`);
  if (size > budget) throw new Error(`${names.join(' and ')}: over the budget`);
}

async function buildAll() {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await bundleShared();
  await Promise.all([
    bundleEntry('index.node', 'node'),
    bundleEntry('index.web', 'browser'),
    bundleEntry('inline', 'neutral'),
    bundleEntry('threads.node', 'node', threadsFiles),
    bundleEntry('threads.web', 'browser', threadsFiles),
  ]);
  for (const variant of variants)
    await copyFile(join(root, 'build/wasm', variant, 'fovea.wasm'), join(dist, `fovea-${variant}.wasm`));
  await emitTypes();
  await writeNotice();
  await checkBudget('a page loads', pageBudget, 'shared.js', 'index.web.js');
  await checkBudget('with threads it loads further', threadsBudget, 'threads.web.js');
  await rm(shipped, { recursive: true, force: true });
  await rename(dist, shipped);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await buildAll();

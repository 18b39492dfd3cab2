// The cases of the matrix. Each is a test, and a line of docs/matrix.md.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { isWorkedExample, note, versionOf, workedExample } from './consumers.mjs';
import { expectedVectors } from './tiny_model_in_node.mjs';

/** How much a user has to do. */
export const grades = {
  works: 'works as it is',
  line: 'needs a line',
  inline: '`fovea/inline`',
};

/**
 * Declares a case.
 *
 * @param {{
 *   group: string,
 *   consumer: string, as the table names it
 *   tool?: string, its package in tests/matrix/package.json, whose version the table tells
 *   version?: string,
 *   grade: keyof typeof grades,
 *   line?: string, what is needed, as Markdown
 * }} about
 * @param {(t: import('node:test').TestContext) => Promise<string[]>} body - returns what ran: 'one thread', 'threads', 'worker'
 */
export function consumer(about, body) {
  const { group, consumer: name, tool, grade, line } = about;
  assert.ok(Object.hasOwn(grades, grade) && (grade === 'works') === (line === undefined), name);
  test(`${group}: ${name} ${grade === 'works' ? grades.works : line}`, { timeout: 400_000 }, async (t) => {
    const version = about.version ?? (tool === undefined ? '' : await versionOf(tool));
    let ran;
    try {
      ran = await body(t);
    } finally {
      await note({ group, consumer: name, version, grade, line, ran: ran ?? null });
    }
  });
}

/** A page's script that can run the worked example by `load` and by `connect`. */
export const pageScript = `import { load, toNested } from 'fovea';
import { softmax } from 'fovea/ops';
import { connect } from 'fovea/worker';
const open = { load, connect };
window.run = async (kind, options) => {
  const fovea = await open[kind](options);
  const { output } = await fovea.${workedExample};
  if (kind === 'load') softmax(fovea, output);
  return { info: fovea.info, printed: JSON.stringify(toNested(output)) };
};
`;

/** The module of a model in a worker: entries of the package, messages, an end by a signal. */
const modelWorker = `import { toNested } from 'fovea';
import { modelFunctions } from 'fovea/models';
import { Linear } from 'fovea/nn';
import { softmax } from 'fovea/ops';
import { serve } from 'fovea/serve';
serve({
  functions: {
    ...modelFunctions,
    async example(fovea, x, { post }) {
      const layer = new Linear(fovea, { inFeatures: 2, outFeatures: 3, seed: 1 });
      await post(softmax(fovea, layer.forward(x)).shape);
      return toNested(fovea.${workedExample}.output);
    },
    async endless(fovea, _, { signal, post }) {
      while (!signal.aborted) await post('goes on');
    },
  },
});
`;

/**
 * A page's script that can also run the worked example by `serve`, in a worker of its own, and embed texts by a small model, in the page
 * and in that worker; all of its files.
 */
export const modelPage = {
  'main.js': `import { load, toNested } from 'fovea';
import { loadEncoder } from 'fovea/models';
import { softmax } from 'fovea/ops';
import { connect } from 'fovea/worker';
import { folder, texts } from './tiny_model.js';
const startWorker = () => new Worker(new URL('./model.worker.js', import.meta.url), { type: 'module' });
const served = (options) => connect({ ...options, worker: startWorker() });
const open = { load, connect, serve: served, embed: load, embedInWorker: served };
window.run = async (kind, options) => {
  const fovea = await open[kind](options);
  const { info } = fovea;
  if (kind.startsWith('embed')) {
    const encoder = await loadEncoder(fovea, folder);
    const { data, shape } = await encoder.embed(texts);
    await fovea.dispose();
    return { info, vectors: [...data], shape };
  }
  if (kind === 'serve') {
    const heard = [];
    const printed = JSON.stringify(await fovea.functions.example([[1, 2]], { onPost: (shape) => heard.push(shape.join()) }));
    const stop = new AbortController();
    const endless = fovea.functions.endless(undefined, { signal: stop.signal, onPost: () => stop.abort() });
    const ended = await endless.catch(({ name }) => name);
    await fovea.dispose();
    return { info, printed, told: [...heard, ended] };
  }
  const { output } = await fovea.${workedExample};
  if (kind === 'load') softmax(fovea, output);
  return { info, printed: JSON.stringify(toNested(output)) };
};
`,
  'model.worker.js': modelWorker,
  'tiny_model.js': await readFile(new URL('tiny_model.js', import.meta.url), 'utf8'),
};

/** A page's script that can run the worked example of one entry by \`load\`. */
export const loadScript = (entry = 'fovea', options = 'options') => `import { load, toNested } from '${entry}';
window.run = async (kind, options) => {
  const fovea = await load(${options});
  const { output } = fovea.${workedExample};
  return { info: fovea.info, printed: JSON.stringify(toNested(output)) };
};
`;

/** Where the package's files lie, seen from a project's own. */
export const DIST = './node_modules/fovea/dist';

/** A script that needs no import map. */
export const byPath = (script) =>
  script.replace(/'fovea\/(\w+)'/g, `'${DIST}/$1.web.js'`).replace("'fovea'", `'${DIST}/index.web.js'`);

export const html = (script = './main.js') =>
  `<!doctype html><html lang="en"><head><title>page</title><link rel="icon" href="data:,"><script type="module" src="${script}"></script></head><body></body></html>\n`;

const NAMES = {
  load: ['one thread', 'threads'],
  connect: ['worker', 'worker with threads'],
  serve: ['model in a worker', 'model in a worker with threads'],
  embed: ['texts embedded', 'texts embedded with threads'],
  embedInWorker: ['texts embedded in a worker', 'texts embedded in a worker with threads'],
};

/**
 * Runs the worked example in an open page in each of the ways; checks variant, threads and numbers, and that nothing else went wrong.
 *
 * @param {readonly (readonly ['load' | 'connect' | 'serve', 1 | 2])[]} ways
 */
export async function checkPage({ page, problems }, url, ways) {
  await page.goto(url);
  await page
    .waitForFunction(() => window.run, { timeout: 60_000 })
    .catch((error) => {
      throw new Error(`${url} defined no run(): ${problems.join('\n')}`, { cause: error });
    });
  for (const [kind, threads] of ways) {
    const { info, printed, told, vectors, shape } = await page.evaluate((...args) => window.run(...args), kind, { threads });
    assert.deepEqual([kind, info.threads, info.fallbackReason], [kind, threads, null]);
    assert.match(info.variant, threads === 1 ? /^(simd128|relaxed)$/ : /-threads$/);
    if (kind.startsWith('embed')) await checkVectors(vectors, shape);
    else assert.ok(await isWorkedExample(printed), printed);
    if (kind === 'serve') assert.deepEqual(told, ['1,3', 'AbortError']);
  }
  assert.deepEqual(problems, []);
  return ways.map(([kind, threads]) => NAMES[kind][threads - 1]);
}

/** They are those of Node, but for the last bits, in which relaxed SIMD differs. */
export async function checkVectors(vectors, shape) {
  const expected = await expectedVectors();
  assert.deepEqual(shape, expected.shape);
  vectors.forEach((x, n) => assert.ok(Math.abs(x - expected.data[n]) < 1e-5, `${vectors} beside ${expected.data}`));
}

/** Every way of pageScript. */
export const ALL_WAYS = [
  ['load', 1],
  ['load', 2],
  ['connect', 1],
  ['connect', 2],
];
/** The ways of modelPage. */
export const MODEL_WAYS = [...ALL_WAYS, ['serve', 1], ['serve', 2], ['embed', 1], ['embedInWorker', 2]];
export const ONE_THREAD = [['load', 1]];

/** The message of the \`load\` error that the page's load() gives. */
export async function loadError({ page }, url) {
  await page.goto(url);
  await page.waitForFunction(() => window.run, { timeout: 60_000 });
  return page.evaluate(() =>
    window.run('load', {}).then(
      () => 'it loaded',
      ({ name, code, message }) => `${name} ${code} ${message}`,
    ),
  );
}

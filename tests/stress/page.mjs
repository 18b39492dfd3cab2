// `npm run test:stress:page`: a visitor who turns everything. node tests/stress/page.mjs [--minutes N] [--seed S] [--browser chromium|firefox|webkit] [--page PATH]
// Goes through all pages once, then from page to page at random: every kind of control, hostile texts, files, keys, drags, back and forward, broken links,
// windows of other sizes. It fails at the first error that nobody handled, console message, violated policy or request to another host, and prints the
// steps before it. In Chromium it comes back to the first page each minute and measures what is left: nodes, listeners, workers, wasm memories and the
// JavaScript heap after a forced collection, the page's data and the engine's compiled code apart. Needs the built page (npm run build:page).

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { list } from 'fovea/catalog';
import puppeteer from 'puppeteer-core';
import { findFirefox, findWebKit } from '../../scripts/toolchain.mjs';
import { openChromium, openPage, servePage } from '../browser/support.mjs';
import { openWebKit } from '../browser/webdriver.mjs';
import { theilSen } from './soak.mjs';

export const PAGES = [
  '',
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((step) => `learn/${step}`),
  ...[
    'weights',
    'model',
    'model/own',
    'compare',
    'compare/recurrent',
    'laboratory',
    'image',
    'sound',
    'text',
    'words',
    'mechanisms',
  ],
  ...list().map(({ id }) => id.replaceAll('_', '-')),
];
const USER = readFileSync(fileURLToPath(new URL('page_user.js', import.meta.url)), 'utf8');
/** The user as an expression, for pages that are there already. */
const IN_PLACE = `(() => {\n${USER}\n})()`;
const SIZES = [
  [1280, 900],
  [390, 844],
  [844, 390],
  [320, 640],
  [1920, 1080],
];
/** Steps whose trail is printed. */
const TRAIL = 40;
const LAP_SECONDS = 60;
/** Where the first laps end, in parts of the run: the code of the pages has come by then. */
const WARM = 0.25;
/** The most that an hour may add, judged from half an hour on: of a shorter run it is noise. The heap is bytes of data and of code, which comes as long as some of
 *  the page's has not run. Of thousands of visits, one node each would be thousands. */
const MOST_GAIN = { data: 1e6, buffers: 1e6, heap: 3e6, nodes: 200, listeners: 100 };
const LEAST_MINUTES_FOR_SLOPES = 30;

export async function usePage({ minutes, seed, browser = 'chromium', pages = PAGES, say = console.log }) {
  const server = await servePage();
  const tab = await { chromium: inChromium, firefox: inFirefox, webkit: inWebKit }[browser]();
  const trail = [];
  const laps = [];
  let steps = 0;
  const begun = performance.now();
  const minutesUsed = () => (performance.now() - begun) / 60_000;
  let stopped = false;

  async function step(what) {
    trail.push(`${steps++}: ${what}`);
    if (trail.length > TRAIL) trail.shift();
    const found = await tab.faults();
    if (found.length > 0) throw new Error(`${found.slice(0, 3).join('; ')}\nafter seed ${seed}:\n${trail.join('\n')}`);
  }
  async function enter(page) {
    await tab.evaluate(`location.hash = ${JSON.stringify(`#/${page}`)}`);
    await tab.evaluate(`new Promise((done) => setTimeout(done, 150))`);
    await step(`#/${page}`);
  }
  try {
    await tab.open(server.url);
    await tab.evaluate(`visitor.seed(${seed})`);
    if (pages.length > 1 && minutes > 3) for (const page of pages) await enter(page);
    let random = seed;
    let lap = performance.now();
    while (minutesUsed() < minutes && !stopped) {
      if (steps % 25 === 0) await enter(pages[(random = (Math.imul(random, 48271) >>> 0) % 2147483647) % pages.length]);
      if (steps % 60 === 0) await tab.resize(...SIZES[steps % SIZES.length]);
      await step(await tab.evaluate(`visitor.step(${JSON.stringify(pages)})`));
      await tab.evaluate(`new Promise((done) => setTimeout(done, 5))`);
      if (tab.measure && performance.now() - lap > 1000 * LAP_SECONDS) {
        await enter('');
        await tab.resize(...SIZES[0]);
        await tab.evaluate(`new Promise((done) => setTimeout(done, 1500))`);
        laps.push({ hours: minutesUsed() / 60, ...(await tab.measure()) });
        lap = performance.now();
      }
    }
    const result = { browser, steps, minutes: minutesUsed(), ...judged(laps, minutes) };
    say(`page in ${browser}: ${describe(result)}, seed ${seed}`);
    return result;
  } finally {
    stopped = true;
    await tab.close();
    await server.close();
  }
}

export const describe = ({ steps, minutes, left }) =>
  `${steps} steps in ${minutes.toFixed(1)} minutes, nothing went wrong${left ? `; on the first page, from lap to lap: ${left}` : ''}`;

/** Nothing that a run leaves behind on the first page may grow. */
function judged(laps, minutes) {
  const later = laps.slice(Math.ceil(laps.length * WARM));
  if (later.length < 4) return { left: '' };
  const gain = (name) => theilSen(later.map((lap) => [lap.hours, lap[name]]));
  const range = (name) => {
    const values = later.map((lap) => lap[name]);
    return `${Math.min(...values)} to ${Math.max(...values)}`;
  };
  const middle = (name) => later.map((lap) => lap[name]).sort((a, b) => a - b)[later.length >> 1];
  const megabytes = (name) => `${(middle(name) / 1e6).toFixed(2)} MB (${(gain(name) / 1e6).toFixed(2)} MB an hour)`;
  const left = `nodes ${range('nodes')}, listeners ${range('listeners')}, workers ${range('workers')}, wasm memories of ${range('wasm')} bytes, all ArrayBuffers ${range('buffers')} bytes, heap ${megabytes('heap')}, of it data ${megabytes('data')}`;
  if (minutes >= LEAST_MINUTES_FOR_SLOPES) {
    const growing = Object.keys(MOST_GAIN).filter((name) => gain(name) > MOST_GAIN[name]);
    if (growing.length > 0) throw new Error(`more ${growing.join(', ')} from lap to lap; ${left}`);
  }
  return { left };
}

async function inChromium() {
  const browser = await openChromium({ whole: true });
  const { page, problems } = await openPage(browser, { savesData: false });
  await page.evaluateOnNewDocument(USER);
  const client = await page.createCDPSession();
  await client.send('Performance.enable');
  const evaluate = (script) => page.evaluate(script);
  return {
    open: (url) => page.goto(`${url}#/`, { waitUntil: 'load' }),
    evaluate,
    resize: (width, height) => page.setViewport({ width, height }),
    faults: async () => [...problems.splice(0), ...(await evaluate('visitor.faults.splice(0)'))],
    measure: async () => {
      // Objects that one collection frees can hold others, which the next one finds.
      for (let n = 0; n < 3; n++) await client.send('HeapProfiler.collectGarbage');
      const { metrics } = await client.send('Performance.getMetrics');
      const read = (name) => metrics.find((metric) => metric.name === name).value;
      const wasm = await evaluate('visitor.wasm()');
      return {
        ...(await heapIn(client)),
        ...{ nodes: read('Nodes'), listeners: read('JSEventListeners'), workers: page.workers().length, wasm },
      };
    },
    close: () => browser.close(),
  };
}

/** V8's work on functions as they run: bytecode, machine code, feedback, shapes of objects. Its size is bounded by that of the page's code. */
const CODE = new Set(['code', 'object shape']);
/** The document's own objects, which are not in V8's heap, and names for groups of objects. */
const OUTSIDE = new Set(['native', 'synthetic']);

/** Bytes of the JavaScript heap after a collection, of them those of the page's data, and of ArrayBuffers outside of it (wasm memory is one). */
async function heapIn(client) {
  const chunks = [];
  const take = ({ chunk }) => chunks.push(chunk);
  client.on('HeapProfiler.addHeapSnapshotChunk', take);
  await client.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  client.off('HeapProfiler.addHeapSnapshotChunk', take);
  const { snapshot, nodes, strings } = JSON.parse(chunks.join(''));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name, size] = ['type', 'name', 'self_size'].map((field) => fields.indexOf(field));
  const bytes = { data: 0, code: 0, buffers: 0 };
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[type][nodes[at + type]];
    if (strings[nodes[at + name]] === 'system / JSArrayBufferData') bytes.buffers += nodes[at + size];
    else if (!OUTSIDE.has(kind)) bytes[CODE.has(kind) ? 'code' : 'data'] += nodes[at + size];
  }
  return { data: bytes.data, heap: bytes.data + bytes.code, buffers: bytes.buffers };
}

async function inFirefox() {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: findFirefox() });
  const page = await browser.newPage();
  const evaluate = (script) => page.evaluate(script);
  return {
    open: async (url) => {
      await page.goto(`${url}#/`);
      await page.evaluate(IN_PLACE);
    },
    evaluate,
    resize: (width, height) => page.setViewport({ width, height }),
    faults: () => evaluate('visitor.faults.splice(0)'),
    close: () => browser.close(),
  };
}

async function inWebKit() {
  const webkit = await openWebKit(findWebKit());
  return {
    open: async (url) => {
      await webkit.open(`${url}#/`);
      await webkit.evaluate(IN_PLACE);
    },
    evaluate: webkit.evaluate,
    resize: async () => {},
    faults: () => webkit.evaluate('visitor.faults.splice(0)'),
    close: webkit.close,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string' },
      browser: { type: 'string', default: 'chromium' },
      page: { type: 'string' },
    },
  });
  await usePage({
    ...{
      minutes: Number(values.minutes),
      seed: Number(values.seed ?? Math.floor(Date.now() / 1000) % 2 ** 31),
      browser: values.browser,
    },
    ...(values.page !== undefined && { pages: [values.page] }),
  });
}

// Hours of mixed calls: node --expose-gc tests/stress/soak.mjs [--minutes N] [--engine node|chromium]
// Flat means: live bytes equal after each cycle of calls, the wasm memory unchanged after the first tenth, the JavaScript heap after a forced
// collection without a slope over 1 MB an hour, all bytes those of the first cycle, and no downward trend (Theil-Sen) of the calls in the time of
// a plain loop that runs between them: other work on the machine makes both slower.

import { parseArgs } from 'node:util';
import { makeSoak } from './workload.mjs';

const LEAST_SEGMENTS = 10;
/** Bytes an hour that the heap may gain. */
const MOST_HEAP_GAIN = 1e6;
/** The part of its calls that an hour may take. Other work on the machine does not slow both alike: some percent are noise. */
const MOST_SLOWING = 0.1;
/** A short run's heap has more noise than an hour gains: slopes are judged from half an hour on. */
const LEAST_MINUTES_FOR_SLOPES = 30;

/** The median of the slopes between all pairs of points (Theil 1950, Sen 1968). */
export function theilSen(points) {
  const slopes = points.flatMap(([x, y], i) => points.slice(i + 1).map(([u, v]) => (v - y) / (u - x))).sort((a, b) => a - b);
  return slopes.length === 0 ? 0 : slopes[slopes.length >> 1];
}

export async function soak({ minutes, engine = 'node', say = console.log }) {
  const { segment, heap, end } = engine === 'chromium' ? await inChromium() : await inNode();
  const seconds = Math.min(60, (60 * minutes) / LEAST_SEGMENTS);
  const seen = [];
  const start = performance.now();
  try {
    do {
      const { calls, perLoop, wasm, faults } = await segment(seconds);
      if (faults.length > 0) throw new Error(faults.slice(0, 3).join('; '));
      seen.push({ hours: (performance.now() - start) / 3.6e6, calls, perLoop, wasm, heap: await heap() });
    } while (performance.now() - start < 60_000 * minutes);
  } finally {
    await end();
  }
  const later = seen.slice(Math.ceil(seen.length / 10));
  const heapGain = theilSen(later.map(({ hours, heap }) => [hours, heap]));
  const trend = theilSen(later.map(({ hours, perLoop }) => [hours, perLoop]));
  const middle = later.map(({ perLoop }) => perLoop).sort((a, b) => a - b)[later.length >> 1];
  const total = seen.reduce((sum, { calls }) => sum + calls, 0);
  const slopes =
    minutes < LEAST_MINUTES_FOR_SLOPES
      ? ''
      : `, trend ${((100 * trend) / middle).toFixed(1)}% an hour; heap ${(heapGain / 1e6).toFixed(2)} MB an hour`;
  say(
    `soak in ${engine}: ${total} calls in ${(60 * seen.at(-1).hours).toFixed(1)} minutes, bytes as at first, wasm memory ${later[0].wasm}; ` +
      `calls in the time of a plain loop ${middle.toFixed(1)}${slopes}`,
  );
  const grown = later.find(({ wasm }) => wasm !== later[0].wasm);
  if (grown) throw new Error(`wasm memory grew from ${later[0].wasm} to ${grown.wasm} bytes`);
  if (minutes >= LEAST_MINUTES_FOR_SLOPES && heapGain > MOST_HEAP_GAIN)
    throw new Error(`the heap gains ${heapGain} bytes an hour`);
  if (minutes >= LEAST_MINUTES_FOR_SLOPES && -trend > MOST_SLOWING * middle)
    throw new Error(`it becomes slower: ${trend} of ${middle} calls in the time of a plain loop, an hour`);
  return { total, heapGain, trend: trend / middle, wasm: later[0].wasm };
}

async function inNode() {
  if (!globalThis.gc) throw new Error('run with node --expose-gc');
  const { segment, end } = await makeSoak();
  return {
    segment,
    end,
    heap() {
      globalThis.gc();
      globalThis.gc();
      return process.memoryUsage().heapUsed;
    },
  };
}

async function inChromium() {
  const { openChromium, openPage } = await import('../browser/support.mjs');
  const { serveFolder } = await import('../../scripts/serve.mjs');
  const { readFileSync } = await import('node:fs');
  const { fileURLToPath } = await import('node:url');
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const imports = Object.fromEntries(
    Object.entries(exports).flatMap(([entry, target]) =>
      target.default ? [[entry.replace('.', 'fovea'), target.default.replace('.', '')]] : [],
    ),
  );
  const server = await serveFolder({ root, base: '/' });
  const browser = await openChromium({ whole: true });
  const { page, problems } = await openPage(browser);
  const body = `<link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports })}</script>`;
  await page.setRequestInterception(true);
  page.once('request', (request) => void request.respond({ contentType: 'text/html', body }));
  await page.goto(new URL('soak.html', server.url).href);
  await page.setRequestInterception(false);
  await page.evaluate(async () => {
    const { makeSoak } = await import('/tests/stress/workload.mjs');
    globalThis.soak = await makeSoak();
  });
  const client = await page.createCDPSession();
  await client.send('HeapProfiler.enable');
  return {
    async segment(seconds) {
      const seen = await page.evaluate((seconds) => globalThis.soak.segment(seconds), seconds);
      return { ...seen, faults: [...seen.faults, ...problems] };
    },
    async heap() {
      await client.send('HeapProfiler.collectGarbage');
      return (await page.metrics()).JSHeapUsedSize;
    },
    async end() {
      await browser.close();
      await server.close();
    },
  };
}

if (import.meta.main ?? process.argv[1]?.endsWith('soak.mjs')) {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '60' }, engine: { type: 'string', default: 'node' } },
  });
  await soak({ minutes: Number(values.minutes), engine: values.engine });
}

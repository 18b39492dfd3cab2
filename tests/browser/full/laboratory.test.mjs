// The laboratory's times are those of the package itself in the same browser.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openChromium, openPage, servePackage, servePage } from '../support.mjs';

const [KIND, TOKENS, WIDTH] = ['full', 1024, 64];
/** A busy machine slows the one or the other: they take turns, and the medians of as many are compared. */
const TURNS = 7;
const TOLERANCE = 0.1;

/** Nine runs of some 20 ms, as the laboratory makes them. */
const JOB = `import { serve } from './dist/serve.web.js';
const measure = async (fovea, { n, width }) => {
  const x = fovea.tensor({ data: Float32Array.from({ length: n * width }, (_, i) => ((i * 7919) % 1000) / 1000 - 0.5), shape: [n, width] });
  const call = () => fovea.scope(() => void fovea.attention(x, x, x));
  const each = (count) => {
    const start = performance.now();
    for (let i = 0; i < count; i++) call();
    return (performance.now() - start) / count;
  };
  call();
  const count = Math.max(1, Math.floor(20 / each(1)));
  const runs = [];
  while (runs.length < 9) {
    await new Promise((done) => setTimeout(done));
    runs.push(each(count));
  }
  x.dispose();
  return runs.sort((a, b) => a - b)[4];
};
serve({ functions: { measure } });`;

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];

describe('the laboratory beside the package', () => {
  let site, own, browser;

  before(async () => {
    [site, own, browser] = await Promise.all([
      servePage(),
      servePackage({
        intercept: (path) => (path === '/pkg/job.mjs' ? { status: 200, type: 'text/javascript', body: JOB } : undefined),
      }),
      openChromium({ whole: true }),
    ]);
  });
  after(async () => {
    await browser?.close();
    await Promise.all([site?.close(), own?.close()]);
  });

  /** The page's median of the longest length; what it measures before that takes about as long again. */
  async function ofLaboratory(page) {
    await page.locator('[data-measure]').click();
    await page.waitForSelector('[data-cancel]');
    await page.waitForSelector('[data-measure]');
    return page.$eval(`[data-row=${KIND}] [data-median]`, (cell) => Number(cell.dataset.median));
  }

  /** Calls of the package in a worker of its own. */
  const ofPackage = (page) =>
    page.evaluate(
      async (n, width) => {
        const worker = new Worker('./job.mjs', { type: 'module' });
        const remote = await window.worker.connect({ worker });
        const took = await remote.functions.measure({ n, width });
        remote.terminate();
        return took;
      },
      TOKENS,
      WIDTH,
    );

  test(`the median of a call over ${TOKENS} tokens is within ${100 * TOLERANCE} % of the package's own`, async (t) => {
    const laboratory = await openPage(browser);
    await laboratory.page.goto(`${site.url}#/laboratory?lang=en`, { waitUntil: 'load' });
    await laboratory.page.waitForSelector('[data-measure]');
    await laboratory.page.$$eval(
      '[data-kind]',
      (boxes, kind) => boxes.forEach((box) => box.checked !== (box.dataset.kind === kind) && box.click()),
      KIND,
    );
    await laboratory.page.select('[data-most]', String(TOKENS));
    await laboratory.page.$eval('.stepper input', (slider) => slider.focus());
    await laboratory.page.keyboard.press('End');
    const plain = await openPage(browser);
    await plain.page.goto(own.url, { waitUntil: 'load' });
    await plain.page.waitForFunction(() => window.worker);
    const [theirs, ours] = [[], []];
    for (let turn = 0; turn < TURNS; turn++) {
      await laboratory.page.bringToFront();
      theirs.push(await ofLaboratory(laboratory.page));
      await plain.page.bringToFront();
      ours.push(await ofPackage(plain.page));
    }
    const [a, b] = [median(theirs), median(ours)];
    t.diagnostic(`laboratory ${a.toFixed(3)} ms, package ${b.toFixed(3)} ms, ratio ${(a / b).toFixed(3)}`);
    assert.ok(Math.abs(a / b - 1) <= TOLERANCE, `${a} ms, ${b} ms; of ${theirs.join(', ')} and ${ours.join(', ')}`);
    assert.deepEqual(laboratory.problems, []);
  });
});

// The laboratory counts, measures in a worker, cancels, and discards what a hidden page measured.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from 'fovea';
import { xformerCost } from 'fovea/mechanisms';
import { text, textMatching, withRoom } from '../support.mjs';

describe('the laboratory', () => {
  let server, opened, page, fovea;

  withRoom((room) => ({ server, opened, page } = room), { whole: true });
  before(async () => (fovea = await load({ deterministic: true })));
  after(() => fovea.dispose());

  const open = async (kinds, most) => {
    await page.goto('about:blank');
    await page.goto(`${server.url}#/laboratory?lang=en`, { waitUntil: 'load' });
    await page.waitForSelector('[data-measure]');
    await page.$$eval(
      '[data-kind]',
      (boxes, wanted) => boxes.forEach((box) => box.checked !== wanted.includes(box.dataset.kind) && box.click()),
      kinds,
    );
    await page.select('[data-most]', String(most));
  };
  const rows = () =>
    page.$$eval('[data-table=laboratory] tbody tr', (lines) =>
      lines.map((line) => [line.dataset.row, ...[...line.querySelectorAll('td')].map((cell) => cell.textContent.trim())]),
    );

  test('it opens on counts, which are the package’s; short texts are only counted', async () => {
    await open(['full', 'local'], 1024);
    const { full, local } = xformerCost(fovea, {}, {}, { n: 1024, d: 64, kinds: { full: {}, local: { k: 32 } } });
    const pairs = await page.$$eval('[data-pairs]', (cells) => cells.map((cell) => Number(cell.dataset.pairs)));
    assert.deepEqual(pairs, [full.pairs, local.pairs]);
    await page.focus('.stepper input');
    await page.keyboard.press('Home');
    await textMatching(page, '[data-row=full]', /too short to time/);
    await page.locator('[data-script] summary').click();
    await textMatching(page, '[data-code]', /n: 64, d: 64.*error\(fovea\.attention\(x, x, x, \{ pattern: pattern\.local\(32\)/);
    await page.waitForSelector('[data-save-matrices]');
    assert.match(await text(page, '[data-published]'), /TensorFlow\.js 4.*2026-\d\d-\d\d: AMD EPYC/);
    assert.deepEqual(opened.problems, []);
  });

  test('it measures: median within quartiles, runs, rate, share of the limit, error, rank, and says with what', async () => {
    await open(['full', 'linear'], 1024);
    await page.locator('[data-measure]').click();
    await page.waitForSelector('[data-row=linear] [data-median]');
    await page.waitForSelector('[data-measure]');
    for (const [id, , , median, quartiles, runs, rate, share, error, rank] of await rows()) {
      const [lower, upper] = quartiles.split(' … ').map(Number);
      assert.ok(lower <= Number(median) && Number(median) <= upper && Number(median) > 0, `${id}: ${median}, ${quartiles}`);
      assert.ok(Number(runs) >= 3 && Number(rate) > 0 && /^\d+%$/.test(share), `${id}: ${runs} ${rate} ${share}`);
      assert.equal(Number(error) === 0, id === 'full');
      assert.ok(Number(rank) === 64 || id === 'full');
    }
    assert.match(
      await text(page, '[data-machine]'),
      /Measured with (relaxed|simd128), 1 thread, page not isolated; timer step [\d.]+ ms.*GFLOP\/s/,
    );
    assert.deepEqual(opened.problems, []);
  });

  test('it tells which builds this browser runs, and which load() takes', async () => {
    await open(['full'], 1024);
    await page.locator('[data-examine]').click();
    await page.waitForSelector('[data-doctor]');
    const found = await page.$$eval('[data-doctor] tbody tr', (lines) =>
      lines.map((line) => [line.querySelector('th').textContent, line.dataset.works, line.lastElementChild.textContent]),
    );
    assert.deepEqual(found.map(([name]) => name).slice(0, 4), ['relaxed', 'simd128', 'relaxed-threads', 'simd128-threads']);
    const [relaxed, simd128, , threads, byItself, auto, deterministic] = found;
    assert.equal(simd128[1], 'true');
    assert.match(threads[2], /cross-origin isolated/); // this server sends no such headers
    assert.equal(byItself[2], `${relaxed[1] === 'true' ? 'relaxed' : 'simd128'} × 1`);
    assert.match(auto[2], /× 1: .*isolated/);
    assert.equal(deterministic[2], 'simd128 × 1');
    assert.deepEqual(opened.problems, []);
  });

  test('cancelling ends it at once and keeps what was finished', async () => {
    await open(['full', 'local', 'performer'], 65536);
    await page.locator('[data-measure]').click();
    await page.waitForSelector('[data-machine]');
    await page.locator('[data-cancel]').click();
    await page.waitForSelector('[data-ended=cancelled]');
    assert.equal(await page.$('[data-cancel]'), null);
    assert.deepEqual(opened.problems, []);
  });

  test('a page that is hidden discards the point under way', async () => {
    await open(['full'], 65536);
    await page.locator('[data-measure]').click();
    await page.waitForSelector('[data-machine]');
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.waitForSelector('[data-ended=hidden]');
    const [[, , , median]] = await rows();
    assert.equal(median, '–');
    assert.deepEqual(opened.problems, []);
  });

  test('a lost worker: said in place, and it measures again', async () => {
    await open(['full'], 1024);
    await page.locator('[data-measure]').click();
    await page.waitForSelector('[data-machine]');
    for (const worker of page.workers())
      await worker.evaluate(
        () =>
          void setTimeout(() => {
            throw new Error('lost');
          }),
      );
    await textMatching(page, '[role=alert]', /The worker stopped:.*lost/);
    await page.locator('[data-measure]').click();
    await page.waitForFunction(() => !document.querySelector('[data-cancel], [role=alert]'));
    const [[, , , median]] = await rows();
    assert.notEqual(median, '–');
    assert.deepEqual(
      opened.problems.splice(0).filter((problem) => !problem.includes('lost')),
      [],
    );
  });
});

// The trained sentence encoder on the page: it comes when asked for, its numbers are the package's on the same file, heads can be exchanged.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { build } from 'esbuild';
import { load } from 'fovea';
import { sentenceModelFile } from '../../scripts/make_sentence_model.mjs';
import { accessibilityFaults, layoutFaults } from './pages.mjs';
import { choose, openPage, root, servePage, text, textMatching, type, withRoom } from './support.mjs';

/** The page's encoder by itself, with the package by its name. */
async function openEncoder() {
  const outfile = `${root}build/tests/sentence_encoder.mjs`;
  const entryPoints = [`${root}web/model/sentences/encoder.ts`];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', packages: 'external', logLevel: 'error' });
  const { SentenceEncoder } = await import(outfile);
  return SentenceEncoder.open(await load({ deterministic: true }), await readFile(sentenceModelFile));
}

describe('the trained model', () => {
  let server, browser, opened, page;

  withRoom((room) => ({ server, browser, opened, page } = room));

  const visit = async (where = page) => {
    await where.goto('about:blank');
    await where.goto(`${server.url}#/model?lang=en`, { waitUntil: 'load' });
    return where.waitForSelector('[data-load-model]');
  };
  const loadModel = async () => {
    await (await visit()).click();
    await page.waitForSelector('[data-pair]');
    await page.waitForSelector('[data-large]');
  };
  const pair = () => page.$eval('[data-pair]', (one) => Number(one.dataset.pair));

  test('nothing of it is fetched before it is asked for; its size and licence are said first', async () => {
    const requests = [];
    page.on('request', (request) => requests.push(request.url()));
    await visit();
    assert.match(await text(page, '[data-load-model]'), /7\.2 MB/);
    assert.match(await text(page, '[data-notice]'), /Apache License 2\.0/);
    assert.deepEqual(
      requests.filter((url) => /safetensors|fovea-worker/.test(url)),
      [],
    );
    page.removeAllListeners('request');
  });

  test('similarities, weights and what a change does are those of the package on the same file', async () => {
    const encoder = await openEncoder();
    await loadModel();
    const texts = (await page.$eval('[data-sentences]', (field) => field.value)).split('\n');
    const wanted = (changed) => encoder.similarities(encoder.embed(texts, changed))[1];
    assert.equal(await pair(), wanted([]));

    const { layers, tokens } = encoder.look(texts[0]);
    await page.click('[data-head="1,2"]');
    await page.waitForSelector('[data-large="1,2"]');
    const shown = await page.$eval('[data-large] table', (table) =>
      [...table.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent)),
      ),
    );
    shown.forEach((row, i) =>
      row.forEach((x, j) => {
        const exact = layers[1].weights[(2 * tokens.length + i) * tokens.length + j];
        assert.ok(Math.abs(x - exact) <= 5e-5, `weight ${i}, ${j}: ${x}, not ${exact}`);
      }),
    );

    for (const [kind, change] of [
      ['off', { kind: 'off' }],
      ['window', { kind: 'window', reach: 1 }],
      ['topK', { kind: 'topK', k: 2 }],
      ['linear', { kind: 'linear' }],
    ]) {
      await choose(page, kind);
      const value = wanted([{ layer: 1, head: 2, change }]);
      await page.waitForFunction(
        (x) => Number(document.querySelector('[data-pair]').dataset.pair) === x,
        { timeout: 3000 },
        value,
      );
      assert.notEqual(value, wanted([]));
      if (kind === 'off') await textMatching(page, '[data-without="1,2"]', new RegExp(value.toFixed(3).replace('.', '\\.')));
    }
    await page.click('[data-reset]');
    await page.waitForFunction((x) => Number(document.querySelector('[data-pair]').dataset.pair) === x, {}, wanted([]));
    assert.deepEqual(opened.problems, []);
  });

  test('on a phone, in Chinese, in the dark: the loaded page is whole', async () => {
    const other = await openPage(browser, { width: 390, height: 844, dark: true });
    await other.page.goto(`${server.url}#/model?lang=zh`, { waitUntil: 'load' });
    await (await other.page.waitForSelector('[data-load-model]')).click();
    await other.page.waitForSelector('[data-large]');
    await other.page.waitForSelector('[data-without="1,3"]');
    assert.deepEqual(await layoutFaults(other.page), []);
    assert.deepEqual(await accessibilityFaults(other.page), []);
    assert.deepEqual(other.problems, []);
    await other.close();
  });

  test('sentences are typed, lines without words are left out, markup stays text', async () => {
    await loadModel();
    await type(page, 'A dog runs.\n\n<img src=x onerror=alert(1)>\n   \nThe puppy is running.');
    await page.waitForSelector('[data-similarities="3"]');
    assert.equal(await page.$('main img'), null);
    await type(page, 'Only one.');
    await page.waitForSelector('[data-similarities="1"]');
    assert.match(await text(page, '[data-similarities]'), /at least two/);
    assert.deepEqual(opened.problems, []);
  });

  test('a hand-made head stands beside the trained one; rounding is judged by stored float32 embeddings', async () => {
    await loadModel();
    await choose(page, 'previous');
    await page.waitForSelector('[data-beside=designed]');
    await page.click('[data-round]');
    const cosines = await page
      .waitForSelector('[data-cosine]')
      .then(() => page.$$eval('[data-cosine]', (all) => all.map((one) => Number(one.dataset.cosine))));
    assert.equal(cosines.length, 21);
    for (const cosine of cosines) assert.ok(cosine >= 0.997 && cosine <= 1.00001, String(cosine));
  });

  test('loading is cancelled; a file that does not come is said in place and can be asked for again', async () => {
    let answer;
    const own = await servePage({ intercept: (path) => (path.endsWith('.safetensors') ? answer : undefined) });
    const other = await openPage(browser);
    // A service worker, once it is there, would answer in the server's place.
    await other.page.evaluateOnNewDocument(() => delete Navigator.prototype.serviceWorker);
    const client = await other.page.createCDPSession();
    await client.send('Network.enable');
    const speed = (bytes) =>
      client.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 0 },
        ...{ downloadThroughput: bytes, uploadThroughput: bytes },
      });
    await other.page.goto(`${own.url}#/model?lang=en`, { waitUntil: 'load' });
    await other.page.waitForSelector('[data-load-model]');
    await speed(1e5); // the file would take a minute
    await other.page.click('[data-load-model]');
    await other.page.waitForSelector('[data-cancel]').then((cancel) => cancel.click());
    await other.page.waitForSelector('[data-load=idle]');
    await speed(-1);
    answer = { status: 404, type: 'text/plain', body: 'not here' };
    await other.page.click('[data-load-model]');
    await textMatching(other.page, '[data-failure]', /404/);
    answer = { status: 200, type: 'application/octet-stream', body: 'no safetensors' };
    await other.page.click('[data-load-model]');
    await textMatching(other.page, '[data-failure]', /readSafetensors/);
    answer = undefined;
    await other.page.click('[data-load-model]');
    await other.page.waitForSelector('[data-pair]');
    await own.close();
    await other.close();
  });
});

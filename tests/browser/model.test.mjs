// The trained sentence encoder on the page: it comes when asked for, its numbers are the package's on the same file, heads can be exchanged.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';
import { load } from 'fovea';
import { sentenceModelFile } from '../../scripts/make_sentence_model.mjs';
import { accessibilityFaults, layoutFaults } from './pages.mjs';
import {
  choose,
  linkOf,
  openPage,
  printedBy,
  root,
  servePage,
  settled,
  text,
  textMatching,
  type,
  withRoom,
} from './support.mjs';

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
    assert.match(await text(page, '[data-recorded]'), /because it was too tired/);
    const row = await page.waitForSelector('[data-table=similarities] tbody tr');
    assert.match(await row.evaluate(({ textContent }) => textContent), /0\.84/);
    await page.waitForSelector('[data-recorded] canvas');
    assert.deepEqual(
      requests.filter((url) => /safetensors|worker-/.test(url)),
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
    await page.locator('[data-head="1,2"]').click();
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

    const size = tokens.length ** 2;
    const scriptGives = async (weights) => {
      await page.waitForSelector('[data-code]');
      const printed = await printedBy(await page.$eval('[data-code]', (element) => element.textContent));
      assert.deepEqual(Float32Array.from(printed.weights.flat()), weights);
    };
    await page.locator('[data-script] summary').click();
    await scriptGives(layers[1].weights.slice(2 * size, 3 * size));

    for (const [kind, change] of [
      ['off', { kind: 'off' }],
      ['window', { kind: 'window', reach: 1 }],
      ['topK', { kind: 'topK', k: 2 }],
      ['linear', { kind: 'linear' }],
    ]) {
      await choose(page, kind);
      const value = wanted([{ layer: 1, head: 2, change }]);
      await page.waitForFunction((x) => Number(document.querySelector('[data-pair]').dataset.pair) === x, {}, value);
      assert.notEqual(value, wanted([]));
      if (kind === 'off') await textMatching(page, '[data-without="1,2"]', new RegExp(value.toFixed(3).replace('.', '\\.')));
    }
    await page.waitForFunction(() => document.querySelector('[data-code]').textContent.includes('linearAttention'));
    const linear = encoder.look(texts[0], [{ layer: 1, head: 2, change: { kind: 'linear' } }]).layers[1].weights;
    await scriptGives(linear.slice(2 * size, 3 * size));
    await page.locator('[data-reset]').click();
    await page.waitForFunction((x) => Number(document.querySelector('[data-pair]').dataset.pair) === x, {}, wanted([]));
    assert.deepEqual(opened.problems, []);
  });

  test('a link, a saved file and undo keep sentences, pair, head, view, and what stands in the heads', async () => {
    const shown = async (on) => {
      await on.waitForSelector('[data-large="1,2"] [data-table]');
      await on.waitForFunction(() => Number(document.querySelector('[data-similarities]')?.dataset.similarities) === 3);
      await on.waitForSelector('[data-without="1,3"]');
      return settled(() =>
        on.evaluate(() => ({
          sentences: document.querySelector('[data-sentences]').value,
          pair: { ...document.querySelector('[data-pair]').dataset },
          said: document.querySelector('[data-pair]').textContent,
          radios: [...document.querySelectorAll('article input:checked')].map(({ value }) => value),
          fields: [...document.querySelectorAll('article input[type=number]')].map(({ value }) => value),
          looked: document.querySelector('[data-look][aria-pressed=true]').dataset.look,
          cells: [...document.querySelectorAll('article [data-table] td, [data-beside] td, [data-without]')].map(
            (cell) => cell.textContent,
          ),
        })),
      );
    };
    await loadModel();
    const first = await pair();
    await type(page, 'A dog runs.\nThe puppy is running.\nMy phone is good.');
    await page.waitForSelector('[data-similarities="3"]');
    await page.locator('[data-look=col]').click();
    await page.locator('[data-head="1,2"]').click();
    await choose(page, 'contribution');
    await choose(page, 'next');
    await choose(page, 'topK');
    const link = await linkOf(page);
    const changed = await shown(page);
    assert.notEqual(changed.pair.pair, changed.pair.trained);

    const elsewhere = await openPage(browser);
    await elsewhere.page.goto(link, { waitUntil: 'load' });
    await (await elsewhere.page.waitForSelector('[data-load-model]')).click();
    assert.deepEqual(await shown(elsewhere.page), changed);
    assert.equal(await elsewhere.page.$('[data-notice=refused]'), null);

    const folder = await mkdtemp(join(tmpdir(), 'fovea-model-'));
    const client = await page.createCDPSession();
    const browserContextId = page.browserContext().id;
    await client.send('Browser.setDownloadBehavior', {
      ...{ behavior: 'allow', downloadPath: folder, eventsEnabled: true, browserContextId },
    });
    const saved = new Promise((resolve) =>
      client.on('Browser.downloadProgress', ({ state }) => state === 'completed' && resolve()),
    );
    await page.locator('[data-save]').click();
    await saved;
    const [name] = (await readdir(folder)).filter((file) => file.endsWith('.json'));
    await visit(elsewhere.page);
    await (await elsewhere.page.$('[data-open]')).uploadFile(join(folder, name));
    await elsewhere.page.waitForFunction(() => location.hash.includes('s=1.'));
    await elsewhere.page.locator('[data-load-model]').click();
    assert.deepEqual(await shown(elsewhere.page), changed);
    assert.deepEqual(elsewhere.problems, []);
    await elsewhere.close();
    await rm(folder, { recursive: true });

    for (let steps = 0; !(await page.$('[data-undo]:disabled')); steps++) {
      assert.ok(steps < 20);
      await page.locator('[data-undo]').click();
    }
    await page.waitForSelector('[data-large="0,0"]');
    await page.waitForFunction((x) => Number(document.querySelector('[data-pair]')?.dataset.pair) === x, {}, first);
    while (!(await page.$('[data-redo]:disabled'))) await page.locator('[data-redo]').click();
    assert.deepEqual(await shown(page), changed);
    assert.deepEqual(opened.problems, []);
  });

  test('a link to heads that the model has not opens without them; one that is no choice is said so', async () => {
    const address = (state) =>
      `${server.url}#/model?lang=en&s=1.${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
    const change = { kind: 'window', reach: 2 };
    await page.goto('about:blank');
    await page.goto(address({ heads: [9, 1].map((layer) => ({ layer, head: 1, change })), head: { layer: 9, head: 60 } }));
    await (await page.waitForSelector('[data-load-model]')).click();
    await page.waitForSelector('[data-large="1,3"]');
    await page.waitForFunction(
      () => document.querySelector('[data-pair]').dataset.pair !== document.querySelector('[data-pair]').dataset.trained,
    );
    for (const heads of [[{ layer: 0, head: 0, change: { kind: 'window', reach: -1 } }], [{ layer: 0, head: 0 }], 7]) {
      await page.goto('about:blank');
      await page.goto(address({ heads }));
      await page.waitForSelector('[role=status][data-notice=refused]');
    }
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
    await page.locator('[data-round]').click();
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
    await other.page.locator('[data-load-model]').click();
    await other.page.waitForSelector('[data-cancel]').then((cancel) => cancel.click());
    await other.page.waitForSelector('[data-load=idle]');
    await speed(-1);
    answer = { status: 404, type: 'text/plain', body: 'not here' };
    await other.page.locator('[data-load-model]').click();
    await textMatching(other.page, '[data-failure]', /404/);
    answer = { status: 200, type: 'application/octet-stream', body: 'no safetensors' };
    await other.page.locator('[data-load-model]').click();
    await textMatching(other.page, '[data-failure]', /readSafetensors/);
    answer = undefined;
    await other.page.locator('[data-load-model]').click();
    await other.page.waitForSelector('[data-pair]');
    await own.close();
    await other.close();
  });
  test('a lost worker: said in place, the sentences stay, and the model comes again', async () => {
    const lost = await openPage(browser);
    try {
      await (await visit(lost.page)).click();
      await lost.page.waitForSelector('[data-large]');
      await type(lost.page, 'A lost worker.\nIt comes again.');
      await lost.page.waitForFunction(() => document.querySelectorAll('[data-table] tbody tr').length > 0);
      // The worker fails at the next request, which the new sentences make: neither can come before the other.
      for (const worker of lost.page.workers())
        await worker.evaluate(() => {
          const fail = (event) => {
            event.stopImmediatePropagation();
            throw new Error('lost');
          };
          addEventListener('message', fail, { capture: true, once: true });
        });
      await type(lost.page, 'A lost worker.\nIt comes once more.');
      await lost.page.waitForSelector('[data-failure]');
      await lost.page.locator('[data-load-model]').click();
      await lost.page.waitForSelector('[data-large]');
      assert.equal(await lost.page.$eval('textarea', (field) => field.value), 'A lost worker.\nIt comes once more.');
    } finally {
      await lost.close();
    }
  });
});

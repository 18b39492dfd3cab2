// The trained weights on the page: each checkpoint's figures are those of its file, and its answers are what the package computes.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { goTo, openPage, root, text, textMatching, withBrowser, withRoom } from './support.mjs';

const MODELS = [
  ...['bahdanau', 'pointer_network', 'self_attention', 'hierarchical_attention'],
  ...['pointer_generator', 'attention_over_attention', 'key_value_memory', 'graph_attention'],
];

describe('where the weights come from', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  const open = async (model, checkpoint) => {
    await goTo(page, `${server.url}#/weights?lang=en&model=${model}&checkpoint=${checkpoint}&example=5`);
    await page.waitForSelector('[data-said]');
  };
  const files = async (model) => JSON.parse(await readFile(`${root}web/public/trained/${model}.json`, 'utf8'));

  for (const model of MODELS)
    test(`${model}: trained weights answer rightly, random ones do not`, async () => {
      const { checkpoints } = await files(model);
      await open(model, checkpoints.length - 1);
      assert.equal(await text(page, '[data-said]'), await text(page, '[data-right]'));
      assert.equal(await page.$eval('[data-accuracy]', (one) => Number(one.dataset.accuracy)), checkpoints.at(-1).accuracy);
      const sums = await page.$$eval('[data-table] tbody tr', (rows) =>
        rows.map((row) =>
          [...row.querySelectorAll('td')].reduce((sum, cell) => sum + Number(cell.textContent.replace('−', '-')), 0),
        ),
      );
      for (const sum of sums) assert.ok(Math.abs(sum - 1) < 0.01, `a row of weights sums to ${sum}`);
      assert.deepEqual(opened.problems, []);
    });

  test('the page opens before training, and plays it to its end', async () => {
    const { checkpoints } = await files('bahdanau');
    await goTo(page, `${server.url}#/weights?lang=en`);
    await page.waitForSelector('[data-said]');
    await textMatching(page, '.slider output', /before training/);
    await page.click('[data-play]');
    await textMatching(page, '[data-play]', /Pause/);
    await textMatching(page, '.slider output', new RegExp(`after ${checkpoints.at(-1).steps} steps`));
    await textMatching(page, '[data-play]', /Play/);
    assert.equal(await text(page, '[data-said]'), await text(page, '[data-right]'));
    assert.deepEqual(opened.problems, []);
  });

  test('arrow keys go through the checkpoints of training', async () => {
    const { checkpoints } = await files('bahdanau');
    await open('bahdanau', 3);
    await page.focus('#checkpoint');
    for (const { steps, accuracy } of [...checkpoints].reverse().slice(1)) {
      await page.keyboard.press('ArrowLeft');
      await textMatching(page, '.slider output', steps === 0 ? /before training/ : new RegExp(`after ${steps} steps`));
      assert.equal(await page.$eval('[data-accuracy]', (one) => Number(one.dataset.accuracy)), accuracy);
    }
    assert.notEqual(await text(page, '[data-said]'), await text(page, '[data-right]'));
    assert.match(await page.evaluate(() => location.hash), /^#\/weights/);
  });

  test('a mechanism with trained weights has them folded on its page, and loads them when they are opened', async () => {
    // The panel is that of the page of weights, which has shown each model's files by now.
    for (const model of ['bahdanau', 'key_value_memory']) {
      await goTo(page, `${server.url}#/${model.replaceAll('_', '-')}?lang=en`);
      const summary = await page.waitForSelector('[data-checkpoints] summary');
      assert.equal(await page.$('[data-trained]'), null);
      await summary.focus();
      await page.keyboard.press('Enter');
      await page.waitForSelector(`[data-trained=${model}]`);
      assert.equal(await text(page, '[data-said]'), await text(page, '[data-right]'));
      await page.focus('#checkpoint');
      await page.keyboard.press('Home');
      const { checkpoints } = await files(model);
      await textMatching(page, '.slider output', /before training/);
      assert.equal(await page.$eval('[data-accuracy]', (one) => Number(one.dataset.accuracy)), checkpoints[0].accuracy);
    }
    assert.deepEqual(opened.problems, []);
  });
});

describe('trained files that are slow to come', () => {
  let server, browser;
  let answered = Promise.resolve();
  let asked = () => {};
  const sent = [];
  withBrowser((given) => ({ server, browser } = given), {
    intercept: async (path) => {
      if (!path.includes('trained/')) return undefined;
      asked();
      await answered;
      sent.push(path);
      return undefined;
    },
  });

  test('a page that is left while its files are on the way says nothing', async () => {
    const { page, problems, close } = await openPage(browser);
    let release;
    answered = new Promise((resolve) => (release = resolve));
    const isAsked = new Promise((resolve) => (asked = resolve));
    try {
      await page.goto(`${server.url}#/bahdanau?lang=en`, { waitUntil: 'load' });
      const summary = await page.waitForSelector('[data-checkpoints] summary');
      await summary.focus();
      await page.keyboard.press('Enter');
      await isAsked;
      await page.evaluate(() => (location.hash = '#/words'));
      await page.waitForFunction(() => !document.querySelector('[data-checkpoints]'));
    } finally {
      release();
    }
    await page.waitForNetworkIdle({ idleTime: 200 });
    assert.ok(sent.length > 0);
    assert.deepEqual(problems, []);
    await close();
  });
});

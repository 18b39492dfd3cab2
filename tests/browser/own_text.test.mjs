// A visitor's own text in place of a mechanism's words: the picture, the numbers, the link, undo and the script are those of the text.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { fill, goTo, linkOf, openPage, printedBy, text, withRoom } from './support.mjs';

const FIELD = '[data-own-text] textarea';

describe('own text of a mechanism', () => {
  let room, page, problems, fovea;

  withRoom((given) => {
    room = given;
    ({ page, problems } = given.opened);
  });
  before(async () => (fovea = await load({ deterministic: true })));

  async function open(hash, on = page, stage = 'weights') {
    await goTo(on, `${room.server.url}#/${hash}`);
    await on.waitForSelector('[data-own-text]');
    await on.waitForSelector(`[data-table="stage.${stage}"] tbody td`);
    await on.waitForFunction(() => !document.querySelector('main .loading'));
  }
  async function type(words, on = page) {
    await on.$eval('[data-own-text]', (details) => (details.open = true));
    await fill(on, FIELD, words);
  }
  const typed = (on = page) => on.$eval(FIELD, (field) => field.value);
  const tokens = (on = page) => on.$$eval('[data-own-text] .token', (all) => all.map(({ textContent }) => textContent));
  const until = (words, on = page) =>
    on.waitForFunction(
      (expected) =>
        [...document.querySelectorAll('[data-own-text] .token')].map((one) => one.textContent).join('|') === expected,
      {},
      words.join('|'),
    );
  /** The weights, as the table of the stage has them: the first slice. */
  const weights = (on = page) =>
    on.$$eval('[data-table="stage.weights"] tbody td', (cells) => cells.map(({ textContent }) => Number(textContent)));
  const weightsOf = (id, words, options) => {
    const { inputs, params } = list()
      .find((entry) => entry.id === id)
      .sampleOf(words).en;
    const { data, shape } = run(fovea, id, inputs, params, options).trace.find(({ name }) => name === 'weights');
    return [...data.slice(0, shape.at(-1) * shape.at(-2))];
  };
  const near = (shown, computed) => {
    assert.equal(shown.length, computed.length);
    shown.forEach((x, n) => assert.ok(Math.abs(x - computed[n]) < 1e-3, `number ${n}: ${x}, not ${computed[n]}`));
  };

  for (const [id, words] of [
    ['multi_head', ['The', 'dog', 'saw', 'a', 'cat', 'and', 'the', 'cat', 'saw', 'it']],
    ['local', ['to', 'be', 'or', 'not', 'to', 'be']],
  ])
    test(`${id} reads a typed text: picture and stages have its words and numbers`, async () => {
      await open(`${id.replaceAll('_', '-')}?lang=en`);
      const sample = await weights();
      await type(words.join(' '));
      await until(words);
      near(await weights(), weightsOf(id, words));
      const drawn = await page.$eval('[data-view]', (view) => view.textContent);
      for (const word of words) assert.ok(drawn.includes(word), word);
      assert.ok(await page.$('[data-own-words]'));
      assert.equal(await page.$('[data-live]'), null);
      await page.$eval('[data-own-text] [data-back]', (button) => button.click());
      await page.waitForFunction(
        (n) => document.querySelectorAll('[data-table="stage.weights"] tbody td').length === n,
        {},
        sample.length,
      );
      assert.deepEqual(await weights(), sample);
      assert.ok(await page.$('[data-live]'));
    });

  test('a link opened in another profile has the text, its division, the option and the numbers of the visitor', async () => {
    await open('local?lang=en');
    await type('New York never sleeps at all');
    await until(['New', 'York', 'never', 'sleeps', 'at', 'all']);
    await page.$eval('[data-own-text] .sentence li button', (button) => button.click());
    await page.waitForSelector('[data-own-text] [data-merge]:not([disabled])');
    await page.$eval('[data-own-text] [data-merge]', (button) => button.click());
    const words = ['New York', 'never', 'sleeps', 'at', 'all'];
    await until(words);
    await fill(page, '.picture .controls input[type=number]', '2');
    const computed = weightsOf('local', words, { radius: 2 });
    await page.waitForFunction((n) => document.querySelectorAll('[data-table="stage.weights"] tbody td').length === n, {}, 25);
    near(await weights(), computed);
    const rows = words.map((_, i) => words.map((_, j) => (i === j ? 3 : 0)));
    await fill(page, '[data-own-matrices] textarea', rows.map((row) => row.join(' ')).join('\n'));
    await page.$eval('[data-own-matrices] [data-use]', (button) => button.click());
    const { data: output } = run(fovea, 'local', { x: rows }, {}, { radius: 2 }).output;
    const outputs = (on) =>
      on.$$eval('[data-table="stage.output"] tbody td', (cells) => cells.map(({ textContent }) => Number(textContent)));
    await page.waitForFunction(() => document.querySelector('[data-table="stage.output"] tbody td').textContent === '1');
    near(await outputs(page), output);
    const link = new URL(await linkOf(page)).hash.slice(2);
    const other = await openPage(room.browser);
    await open(link, other.page);
    await until(words, other.page);
    assert.equal(await typed(other.page), 'New York never sleeps at all');
    near(await weights(other.page), computed);
    near(await outputs(other.page), output);
    assert.deepEqual(other.problems, []);
    await other.close();
  });

  test('undo takes the text back, redo brings it again', async () => {
    await open('local?lang=en');
    const sample = await weights();
    await type('one two three');
    await until(['one', 'two', 'three']);
    await page.waitForSelector('[data-undo]:not([disabled])');
    await page.$eval('[data-undo]', (button) => button.click());
    await until([]);
    assert.deepEqual(await weights(), sample);
    await page.$eval('[data-redo]', (button) => button.click());
    await until(['one', 'two', 'three']);
    near(await weights(), weightsOf('local', ['one', 'two', 'three']));
  });

  test('the script computes the text in Node', async () => {
    await open('learned-positions?lang=en');
    await type('a rose is a rose');
    await until(['a', 'rose', 'is', 'a', 'rose']);
    await page.waitForSelector('[data-reference] [data-script]');
    await page.$eval('[data-reference] [data-script]', (details) => (details.open = true));
    await page.waitForSelector('[data-code]');
    const printed = await printedBy(await page.$eval('[data-code]', ({ textContent }) => textContent));
    near(printed.weights.flat(), weightsOf('learned_positions', ['a', 'rose', 'is', 'a', 'rose']));
  });

  test('nothing, too much, emoji and Chinese', async () => {
    await open('saliency?lang=en', page, 'gate');
    await type('  ');
    await page.waitForSelector('[data-own-text] [data-note=empty]');
    assert.ok(await page.$('[data-live]'), 'the sample is shown');
    await type(Array.from({ length: 40 }, (_, n) => `w${n}`).join(' '));
    await page.waitForSelector('[data-own-text] [data-note=limit]');
    assert.equal((await tokens()).length, 24);
    assert.match(await text(page, '[data-own-text] [data-note=limit]'), /40 tokens.* 24 /);
    await type('🐈‍⬛ 追 🐁');
    await until(['🐈‍⬛', '追', '🐁']);
    await type('猫追蜥蜴');
    await until(['猫', '追', '蜥蜴']);
    await page.$eval('[data-own-text] input[value=character]', (radio) => radio.click());
    await until(['猫', '追', '蜥', '蜴']);
    assert.match(await text(page, '[data-own-text] [data-note=words]'), /蜥、蜴|蜥, 蜴/);
  });

  test('what anybody may send as a text opens the page as it begins', async () => {
    const { deflateRawSync } = await import('node:zlib');
    await open('local?lang=en');
    const sample = await weights();
    for (const ownText of [
      7,
      { text: 5 },
      { text: 'a'.repeat(2001) },
      { text: 'a b', splitting: 'letter' },
      { text: 'a', ends: 3 },
    ]) {
      await open(`local?lang=en&s=1.${deflateRawSync(JSON.stringify({ ownText })).toString('base64url')}`);
      assert.deepEqual(await weights(), sample);
    }
  });

  test('mechanisms whose inputs are no text have no field for one', async () => {
    for (const { id, sampleOf } of list().filter(({ family }) => family === 'beyondText' || family === 'memory')) {
      await goTo(page, `${room.server.url}#/${id.replaceAll('_', '-')}?lang=en`);
      await page.waitForSelector(`[data-view="${id}"]`);
      if (sampleOf) await page.waitForSelector('[data-own-text]');
      else assert.equal(await page.$('[data-own-text]'), null, id);
    }
  });

  test('nothing went wrong', () => assert.deepEqual(problems, []));
});

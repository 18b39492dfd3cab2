// The family self-attention and positions: each page shows what the package computes, by the keyboard alone and by touch.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { choose, goTo, linkOf, settled, textMatching, withRoom } from './support.mjs';

describe('self-attention and positions', () => {
  let server, opened, page, fovea, catalog;

  withRoom((room) => ({ server, opened, page } = room));
  before(async () => {
    const { load } = await import('../../dist/index.node.js');
    catalog = await import('../../dist/catalog.node.js');
    fovea = await load({ deterministic: true });
  });

  async function open(id) {
    await page.evaluate((path) => (location.hash = `/${path}?lang=en`), id.replaceAll('_', '-'));
    await page.waitForSelector(`[data-view="${id}"] [data-arcs]`);
  }
  const shown = () => page.$$eval('[data-arcs] [data-weight]', (cells) => cells.map((cell) => Number(cell.dataset.weight)));

  test('each page opens on a picture whose weights are rows of the trace', async () => {
    await page.goto(`${server.url}#/self-attention?lang=en&notation=rows`, { waitUntil: 'load' });
    const entries = catalog.list().filter(({ family }) => family === 'selfAttention');
    assert.equal(entries.length, 16);
    for (const { id } of entries) {
      await open(id);
      const weights = await shown();
      assert.ok(weights.length > 1, id);
      // A generated text is read again as a whole: its weights are not in the trace of the generation.
      if (id === 'transformer_generate') continue;
      const computed = catalog.run(fovea, id).trace.filter(({ name }) => /weights$/i.test(name));
      const rows = computed.flatMap(({ axes, shape, data }) => {
        const features = axes.at(-1) === 'feature' && axes.length === 3 ? shape.at(-1) : 1;
        const keys = axes.at(-1) === 'feature' ? shape.at(-2) : shape.at(-1);
        return Array.from({ length: data.length / keys }, (_, n) =>
          Array.from(
            { length: keys },
            (_, j) => data[Math.floor(n / features) * keys * features + j * features + (n % features)],
          ),
        );
      });
      assert.ok(
        rows.some((row) => row.length === weights.length && row.every((x, j) => x === weights[j])),
        id,
      );
      assert.equal(await page.$eval('[data-holds]', (note) => note.dataset.holds), 'true', id);
    }
  });

  test('by keyboard the arcs and the matrix follow the chosen word', async () => {
    await open('self_attention');
    const { data } = catalog.run(fovea, 'self_attention').trace.find(({ name }) => name === 'weights');
    await page.focus('[data-arcs] input:checked');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('[data-arcs="7"]');
    assert.deepEqual(await shown(), [...data.slice(63, 72)]);
    await textMatching(page, '[data-spoken]', /^query was, key was, weight 1\.00, 1st of 9$/);
    await page.focus('[data-view] [data-matrix=weights]');
    await page.keyboard.press('ArrowUp');
    await page.waitForSelector('[data-arcs="6"]');
  });

  test('the second layer decides, and one other word turns it', async () => {
    await open('self_attention');
    const given = async (cat, prey) =>
      page.waitForFunction(
        (a, b) => {
          const cells = [...document.querySelectorAll('[data-arcs] [data-weight]')].map((cell) => Number(cell.dataset.weight));
          return Math.abs(cells[1] - a) < 0.01 && Math.abs(cells[4] - b) < 0.01;
        },
        {},
        cat,
        prey,
      );
    await given(0.5, 0.5);
    await choose(page, '2');
    await given(1, 0);
    await choose(page, 'afraid');
    await given(0, 1);
  });

  test('the sentence stands in the language of the page; another one of it belongs to its language, in links too', async () => {
    const read = (words, cat, prey) =>
      page.waitForFunction(
        (expected, a, b) => {
          const found = [...document.querySelectorAll('[data-arcs] label.word')].map((label) => label.textContent.trim());
          const cells = [...document.querySelectorAll('[data-arcs] [data-weight]')].map((cell) => Number(cell.dataset.weight));
          const at = (word) => cells[expected.indexOf(word)];
          return found.join(' ') === expected.join(' ') && Math.abs(at(a[0]) - a[1]) < 0.01 && Math.abs(at(b[0]) - b[1]) < 0.01;
        },
        {},
        words,
        cat,
        prey,
      );
    const english = 'the cat chased the mouse because it was hungry'.split(' ');
    const chinese = ['猫', '追', '老鼠', '，', '因为', '它', '饿', '了'];
    await goTo(page, `${server.url}#/self-attention?lang=en`);
    await page.waitForSelector('[data-view=self_attention] [data-arcs]');
    await read(english, ['cat', 0.5], ['mouse', 0.5]);
    await choose(page, '2');
    await read(english, ['cat', 1], ['mouse', 0]);
    const link = await linkOf(page);
    await choose(page, 'zh');
    await read(chinese, ['猫', 0.5], ['老鼠', 0.5]);
    await choose(page, 'en');
    await read(english, ['cat', 1], ['mouse', 0]);
    for (const [url, words, cat, mouse] of [
      [link, english, ['cat', 1], ['mouse', 0]],
      [link.replace('lang=en', 'lang=zh'), chinese, ['猫', 1], ['老鼠', 0]],
    ]) {
      await page.goto('about:blank');
      await page.goto(url);
      await page.waitForSelector('[data-view=self_attention] [data-arcs]');
      await read(words, cat, mouse);
      assert.equal(await page.$('[data-notice]'), null);
    }
  });

  test('two words saw are told apart by positions alone; the guess is answered by the package', async () => {
    await open('learned_positions');
    await page.$eval('[data-prediction=outputs_of_saw] input[value="1"]', (input) => input.click());
    await page.$eval('[data-prediction=outputs_of_saw] .primary', (button) => button.click());
    await textMatching(page, '[data-revealed="1"]', /Right: “No, exactly equal”\. Without positions they differ by 0:/);
  });

  test('by touch at 390 × 844: a word is tapped, nothing is wider than the screen', async () => {
    await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    for (const id of ['multi_head', 'rope', 'transformer']) {
      await open(id);
      const [word] = await page.$$('[data-arcs] label.word');
      // The picture may open further on: a finger pulls its beginning out from under the names of the rows.
      await settled(async () => {
        await word.evaluate((element) => element.scrollIntoView({ block: 'center', inline: 'center' }));
        return word.boundingBox();
      });
      await word.tap();
      await page.waitForSelector('[data-arcs="0"]');
      const [scroll, client] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      assert.ok(scroll <= client, `${id}: ${scroll} > ${client}`);
    }
    await page.setViewport({ width: 1280, height: 900 });
  });

  test('nothing went wrong on the way', () => assert.deepEqual(opened.problems, []));

  test('a row of variants that goes on says so at its end; the arcs of a poem are seen whole at a desk', async () => {
    const cut = () => page.$eval('nav ul', (row) => [row.dataset.cut, getComputedStyle(row).maskImage !== 'none']);
    await page.goto(`${server.url}#/sinusoidal?lang=en`, { waitUntil: 'load' });
    await open('self_attention');
    await page.waitForFunction(() => document.querySelector('nav ul').dataset.cut === 'end');
    assert.deepEqual(await cut(), ['end', true]);
    await page.$eval('nav ul', (row) => (row.scrollLeft = row.scrollWidth));
    await page.waitForFunction(() => document.querySelector('nav ul').dataset.cut === 'start');
    await open('rope');
    await page.waitForFunction(() => document.querySelector('nav ul').dataset.cut === 'start end');
    await page.waitForFunction(() => document.querySelector('[data-arcs] .scroll').dataset.cut === '');
  });
});

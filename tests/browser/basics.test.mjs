// The family of basics: each page shows the package's numbers, and its question is answered by keyboard and by touch.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { goTo, text, textMatching, withRoom } from './support.mjs';

const fovea = await load({ deterministic: true });
const ids = list()
  .filter(({ family }) => family === 'basics')
  .map(({ id }) => id);
const stageOf = (id, name, options) => run(fovea, id, undefined, undefined, options).trace.find((stage) => stage.name === name);
const firstRow = ({ data, shape }) => [...data.slice(0, shape.at(-1))];
/** Reads a number that the page writes with a true minus sign. */
const read = (shown) => Number(shown.replace('−', '-'));

describe('the family of basics', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  async function open(id, { language = 'en', touch = false } = {}) {
    await page.setViewport(touch ? { width: 390, height: 844, hasTouch: true, isMobile: true } : { width: 1280, height: 800 });
    await goTo(page, `${server.url}#/${id.replaceAll('_', '-')}?lang=${language}`);
    await page.waitForSelector('[data-bars]');
  }
  const column = async (name) =>
    (await page.$$eval(`[data-table=bars] td[data-column=${name}]`, (cells) => cells.map((cell) => cell.textContent))).map(
      read,
    );
  /** Numbers with three decimals, or in scientific notation with two. */
  const areNear = (shown, numbers) => {
    assert.equal(shown.length, numbers.length);
    for (const [i, x] of numbers.entries())
      assert.ok(Math.abs(shown[i] - x) <= 5.01e-4 * Math.max(1, Math.abs(x)), `${shown} against ${numbers}`);
  };
  const answered = async () => {
    await page.waitForSelector('[data-prediction] [data-revealed]');
    assert.match(await text(page, '[data-prediction] .shown'), /\d/);
    assert.ok(await page.$('[data-prediction] label.right'));
  };

  for (const id of ids)
    test(`${id}: the picture has the package's numbers, and the keyboard alone answers the question`, async () => {
      await open(id);
      if (id === 'fully_connected') {
        const { data, shape } = stageOf(id, 'output');
        areNear(await column('output'), [...data.slice(shape[1], 2 * shape[1])]);
      } else {
        areNear(await column('score'), firstRow(stageOf(id, 'scores')));
        if (id === 'hard_sampled') areNear(await column('soft'), firstRow(stageOf(id, 'weights', { normalizer: 'softmax' })));
        else areNear(await column('weight'), firstRow(stageOf(id, 'weights')));
      }
      assert.equal(
        await page.$$eval('.picture svg[tabindex="0"]', (all) => all.every((svg) => svg.ariaLabel.length > 20)),
        true,
      );
      await page.focus('[data-prediction] input');
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await answered();
      assert.deepEqual(opened.problems, []);
    });

  test('by touch at 390 × 844, in Chinese, the question is answered and a score is changed', async () => {
    await open('sparsemax', { language: 'zh', touch: true });
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
    await (await page.waitForSelector('[data-change=more]')).tap();
    areNear(await column('score'), [1.5, 0.5, -1]);
    const label = await page.waitForSelector('[data-prediction] label');
    await label.tap();
    await (await page.waitForSelector('[data-prediction] .primary')).tap();
    await answered();
    assert.deepEqual(opened.problems, []);
  });

  test('a score is changed with the arrow keys and by dragging, and the weights follow', async () => {
    await open('sparsemax');
    await page.$eval('[data-bars]', (svg) => svg.focus());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const expected = (scores) => {
      const numbers = scores.map((score) => [score]);
      return firstRow(
        run(fovea, 'sparsemax', { q: [[1]], k: numbers, v: numbers }).trace.find(({ name }) => name === 'weights'),
      );
    };
    areNear(await column('score'), [1, 1, -1]);
    areNear(await column('weight'), expected([1, 1, -1]));
    const grip = await page.waitForSelector('[data-bars] .grip');
    const { x, y } = await grip.boundingBox();
    await page.mouse.move(x + 6, y + 6);
    await page.mouse.down();
    await page.mouse.move(x + 30, y + 6);
    await page.mouse.up();
    const scores = await column('score');
    assert.ok(scores[0] > 1.2, `${scores}`);
    areNear(await column('weight'), expected(scores));
    await page.$eval('.below .quiet-button', (button) => button.click());
    await textMatching(page, '[data-table=bars] td[data-column=score]', /^1$/);
  });

  test('switches, the plane and cells change what the package computes', async () => {
    await open('scaled_dot');
    await page.$eval('input[type=radio][value=one]', (input) => input.click());
    areNear(await column('weight'), firstRow(stageOf('scaled_dot', 'weights', { scale: 1 })));

    await open('cosine');
    await page.$eval('[data-plane]', (svg) => svg.focus());
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
    const { k, v } = list().find(({ id }) => id === 'cosine').defaults.inputs;
    const turned = run(fovea, 'cosine', { q: [[1, 1]], k, v }).trace.find(({ name }) => name === 'weights');
    areNear(await column('weight'), firstRow(turned));

    await open('key_value');
    await page.$eval('input[type=radio][value=tied]', (input) => input.click());
    assert.equal(await page.$$eval('[data-cells=mix] thead th', (cells) => cells.length), 3);

    await open('bilinear');
    await page.focus('[data-cells=W] button[tabindex="0"]');
    await page.keyboard.press('Enter');
    const [tokyo, beijing, paris] = await column('weight');
    assert.ok(tokyo === paris && tokyo > beijing, `${tokyo} ${beijing} ${paris}`);
    assert.deepEqual(opened.problems, []);
  });
});

// The first page: attention with one query that is moved with keys, by mouse and by touch; its numbers are the package's.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from 'fovea';
import { middleOf, openPage, settledParams, withRoom } from './support.mjs';

const KEYS = [[2, 0.4], [0.2, 2], [-1.3, 1.5], [-1.5, -1.3], [0.9, -1.8]]; // prettier-ignore
const VALUES = [[3.3, 0.9], [1, 3.1], [-2.9, 1.7], [-2.2, -2.5], [2.1, -2.9]]; // prettier-ignore

describe('the dial', () => {
  let server, browser, opened, page, fovea;

  withRoom((room) => ({ server, browser, opened, page } = room));
  before(async () => (fovea = await load({ deterministic: true })));

  const open = async (on, language) => {
    await on.goto(`${server.url}#/?lang=${language}`, { waitUntil: 'load' });
    await ready(on);
  };
  /** The numbers are computed in several tasks, and the page's size settles with them. */
  const ready = (on) =>
    on.waitForFunction(() => {
      const names = [...document.querySelectorAll('[data-table=plane] tbody th')].map((name) => name.textContent);
      return names.includes('q') && document.querySelector('[data-dial]') && !document.querySelector('main .loading');
    });
  /** Where the query is, the weights and the output as they are shown. */
  const shown = (on) =>
    on.evaluate(() => ({
      query: [...document.querySelectorAll('[data-table=plane] tbody tr')]
        .find((row) => row.querySelector('th').textContent === 'q')
        .querySelectorAll('td')
        .values()
        .map((cell) => Number(cell.textContent.replace('−', '-')))
        .toArray(),
      weights: [...document.querySelectorAll('[data-column=weight]')].map((cell) => cell.textContent),
      output: document.querySelector('[data-dial]').dataset.dial.split(',').map(Number),
    }));
  /** Checks that the page shows the package's results for the query, and that the output lies inside the polygon of the values. */
  const check = async (on) => {
    const state = await shown(on);
    const { output, weights } = fovea.attention([state.query], KEYS, VALUES, { returnWeights: true });
    assert.deepEqual(state.output, [...output.data]);
    state.weights.forEach((text, i) => {
      const written = Number(text.replace('−', '-'));
      assert.ok(Math.abs(written - weights.data[i]) <= 5e-4, `weight ${i}: ${text}, ${weights.data[i]}`);
    });
    VALUES.forEach(([x, y], i) => {
      const [u, v] = VALUES[(i + 1) % VALUES.length];
      const side = (u - x) * (state.output[1] - y) - (v - y) * (state.output[0] - x);
      assert.ok(side >= -1e-5, `the output ${state.output} is outside of edge ${i}`);
    });
    return state.query;
  };
  const gripAt = async (on) => {
    await ready(on);
    return middleOf(on, '.grip');
  };

  test('the arrow keys, the buttons and the mouse move the query; the output stays inside the values', async () => {
    await open(page, 'en');
    assert.deepEqual(await check(page), [1.2, 1.6]);
    await page.$eval('[data-plane]', (svg) => svg.focus());
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowUp');
    assert.deepEqual(await check(page), [1, 1.8]);
    await page.focus('[data-move=down]');
    await page.keyboard.press('Enter');
    assert.deepEqual(await check(page), [1, 1.6]);
    await page.focus('[data-try=zero]');
    await page.keyboard.press('Enter');
    assert.deepEqual(await check(page), [0, 0]);
    const [x, y] = await gripAt(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 900, y + 40);
    await page.mouse.up();
    const [left] = await check(page);
    assert.equal(left, -4);
    assert.deepEqual(opened.problems, []);
  });

  test('the query is kept in the address, and a link opens with it; one that the picture cannot show is left out', async () => {
    await open(page, 'en');
    await page.$eval('[data-try=aim]', (button) => button.click());
    assert.deepEqual(await check(page), [-2.9, 2.2]);
    assert.equal((await settledParams(page)).q, '-2.9,2.2');
    await page.reload();
    await ready(page);
    assert.deepEqual(await check(page), [-2.9, 2.2]);
    for (const wrong of ['9,1', '1', '1,2,3', 'x,', 'NaN,0']) {
      await page.goto(`${server.url}#/?lang=en&q=${wrong}`);
      await page.waitForFunction(() =>
        document.querySelector('[data-plane] ~ .buttons [role=status]').textContent.includes('1.2'),
      );
      assert.deepEqual(await check(page), [1.2, 1.6], wrong);
    }
  });

  test('a finger moves it by its tip on a phone, in Chinese and dark; the rest of the picture scrolls', async () => {
    const phone = await openPage(browser, { width: 390, height: 844, dark: true });
    await phone.page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    await open(phone.page, 'zh');
    const [x, y] = await gripAt(phone.page);
    await phone.page.touchscreen.touchStart(x, y);
    await phone.page.touchscreen.touchMove(x - 40, y + 30);
    await phone.page.touchscreen.touchEnd();
    const moved = await check(phone.page);
    assert.ok(moved[0] < 1.2 && moved[1] < 1.6, String(moved));
    assert.equal(await phone.page.$eval('[data-plane]', (svg) => getComputedStyle(svg).touchAction), 'auto');
    assert.equal(await phone.page.evaluate(() => document.documentElement.scrollWidth), 390);
    assert.equal(await phone.page.$$eval('[data-family]', (all) => all.length), 9);
    assert.deepEqual(phone.problems, []);
    await phone.close();
  });
});

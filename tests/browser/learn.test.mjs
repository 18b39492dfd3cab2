// The course: ten steps done with the keys and with a finger, the step reached, and what a step shows against the package.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { load } from 'fovea';
import { run } from 'fovea/catalog';
import { pattern } from 'fovea/pattern';
import { goTo, openPage, withRoom } from './support.mjs';

/** The last step ends with pages to go on with. */
const NEXT = '[data-next], [data-end] a[href="#/mechanisms"]';
const STEPS = Array.from({ length: 10 }, (_, i) => i + 1);

describe('the course', () => {
  let server, browser, opened, page, fovea;

  withRoom((room) => ({ server, browser, opened, page } = room));
  before(async () => (fovea = await load()));

  const open = async (on, path, language) => {
    await goTo(on, `${server.url}#/${path}?lang=${language}`);
    await on.waitForSelector('main h1');
  };
  /** A step with its picture and its question. */
  const arrived = async (on, step) => {
    await on.waitForSelector(`[data-step="${step}"] [data-prediction]`);
    await on.waitForSelector(`[data-step="${step}"] .picture > *:not(.loading)`);
  };
  const focused = (on, selector) => on.evaluate((s) => document.activeElement?.matches(s) ?? false, selector);
  /** Presses Tab until what has the focus is one of `selector`: as far as the keyboard reaches. */
  const tabTo = async (on, selector) => {
    for (let presses = 0; presses < 150; presses++) {
      if (await focused(on, selector)) return;
      await on.keyboard.press('Tab');
    }
    assert.fail(`Tab does not reach ${selector}`);
  };
  const drawn = (on) => on.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const tap = async (on, selector) => {
    const element = await on.waitForSelector(selector);
    await element.evaluate((found) => found.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await drawn(on);
    await element.tap();
  };
  const asPhone = async () => {
    const phone = await openPage(browser, { width: 390, height: 844, dark: true });
    await phone.page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    return phone;
  };

  test('all ten steps by the keyboard: answer, reveal, go on', async () => {
    await page.setViewport({ width: 1280, height: 800 });
    await open(page, 'learn', 'en');
    assert.equal(await page.$$eval('ol.list a', (links) => links.length), STEPS.length);
    await tabTo(page, 'a.primary[href="#/learn/1"]');
    await page.keyboard.press('Enter');
    const titles = new Set();
    for (const step of STEPS) {
      await arrived(page, step);
      titles.add(await page.$eval('main h1', (title) => title.textContent));
      assert.equal(await page.$('[data-next]'), null, `step ${step} asks before it goes on`);
      await tabTo(page, '[data-prediction] input[type=radio]');
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      assert.equal(await page.$eval('[data-prediction] input:checked', (input) => input.value), '0');
      await tabTo(page, '[data-prediction] button');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-revealed]');
      const right = await page.$eval('[data-revealed]', (shown) => shown.dataset.revealed);
      assert.ok(
        await page.$(`[data-prediction] input[value="${right}"]`),
        `step ${step}: one of the choices is right, not ${right}`,
      );
      await tabTo(page, NEXT);
      await page.keyboard.press('Enter');
    }
    await page.waitForFunction(() => location.hash.startsWith('#/mechanisms'));
    assert.equal(titles.size, STEPS.length, 'every step has a title of its own');
    assert.deepEqual(opened.problems, []);
  });

  test('the question of step 3 is a few presses of Tab away, and a link leads there; each matrix has one menu', async () => {
    await open(page, 'learn/3', 'en');
    await arrived(page, 3);
    await page.waitForFunction(() => document.querySelectorAll('.picture figure canvas').length === 6);
    await page.focus('#main');
    let presses = 0;
    while (!(await focused(page, '[data-prediction] input'))) {
      await page.keyboard.press('Tab');
      assert.ok(++presses < 20, 'Tab does not reach the question');
    }
    await page.focus('[data-to-question]');
    await page.keyboard.press('Enter');
    assert.ok(await focused(page, '[data-prediction] input'));
    // Each matrix is one stop for its cells and one for its menu.
    assert.equal(await page.$$eval('.picture figure button', (buttons) => buttons.length), 6);
  });

  test('the menu of a matrix: arrow keys walk through it, Escape returns to its button, on a phone a finger finds it', async () => {
    await open(page, 'learn/3', 'en');
    await arrived(page, 3);
    const menu = await page.waitForSelector('.picture [data-menu]');
    await menu.focus();
    const expanded = () => menu.evaluate((button) => [button.ariaHasPopup, button.ariaExpanded]);
    const at = () => page.evaluate(() => document.activeElement.dataset.item ?? null);
    assert.deepEqual(await expanded(), ['menu', 'false']);
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=menu]');
    assert.deepEqual(await expanded(), ['menu', 'true']);
    await page.waitForFunction(() => document.activeElement.dataset.item === 'per-row');
    const walked = [];
    for (const key of ['ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'End', 'Home']) {
      await page.keyboard.press(key);
      walked.push(await at());
    }
    assert.deepEqual(walked, ['log', 'per-row', 'html', 'per-row', 'html', 'per-row']);
    await page.keyboard.press('Escape');
    assert.equal(await page.$('[role=menu]'), null);
    assert.ok(await focused(page, '[data-menu]'));
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction(() => document.activeElement.dataset.item === 'html');
    await page.keyboard.press('ArrowUp');
    for (let item = await at(); item !== 'table'; item = await at()) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.picture .visible[data-table=query]');
    assert.ok(await focused(page, '[data-menu]'), 'the focus is where it was');
    await menu.click();
    assert.equal(await page.$eval('[data-item=table]', (item) => item.ariaChecked), 'true');
    await page.mouse.click(5, 500);
    await page.waitForFunction(() => !document.querySelector('[role=menu]'));
    const phone = await asPhone();
    await open(phone.page, 'learn/3', 'zh');
    await arrived(phone.page, 3);
    // Words come before the picture.
    const [text, picture] = await phone.page.$$eval('.text, .picture', (parts) =>
      parts.map((part) => part.getBoundingClientRect().toJSON()),
    );
    assert.ok(text.bottom <= picture.top);
    await tap(phone.page, '.picture figure:has([data-table=scores]) [data-menu]');
    await phone.page.waitForSelector('[role=menu]');
    const boxes = await phone.page.$$eval('[role=menu], [role=menu] button', (all) =>
      all.map((one) => one.getBoundingClientRect().toJSON()),
    );
    for (const { left, right, top, bottom, height } of boxes) {
      assert.ok(left >= 0 && right <= 390 && top >= 0 && bottom <= 844, JSON.stringify({ left, right, top, bottom }));
      assert.ok(height >= 44);
    }
    assert.deepEqual([...opened.problems, ...phone.problems], []);
    await phone.close();
  });

  test('the last step ends with what was learned and where to go on', async () => {
    for (const language of ['en', 'zh']) {
      await open(page, 'learn/10', language);
      await arrived(page, 10);
      assert.equal(await page.$('[data-end]'), null);
      await page.$eval('[data-prediction] [data-show]', (show) => show.click());
      await page.waitForSelector('[data-end]');
      const links = await page.$$eval('[data-end] a', (all) => all.map(({ hash }) => hash));
      assert.deepEqual(links, ['#/model', '#/text', '#/compare', '#/mechanisms']);
      assert.equal(await page.$$eval('[data-end] ul:first-of-type li', (all) => all.length), 5);
    }
  });

  test('all ten steps by touch on a phone, in Chinese and dark; none is wider than the screen', async () => {
    const phone = await asPhone();
    await open(phone.page, 'learn', 'zh');
    await tap(phone.page, 'a.primary');
    for (const step of STEPS) {
      await arrived(phone.page, step);
      assert.equal(await phone.page.evaluate(() => document.documentElement.scrollWidth), 390, `step ${step}`);
      const covers = await phone.page.$$eval('[data-covered]', (parts) => parts.map((part) => part.clientHeight));
      assert.ok(
        covers.every((height) => height < 100),
        `step ${step}: empty boxes of ${covers} px`,
      );
      await tap(phone.page, '[data-prediction] label:nth-of-type(2)');
      await tap(phone.page, '[data-prediction] button:not(:disabled)');
      await phone.page.waitForSelector('[data-revealed]');
      await tap(phone.page, NEXT);
    }
    await phone.page.waitForFunction(() => location.hash.startsWith('#/mechanisms'));
    assert.deepEqual(phone.problems, []);
    await phone.close();
  });

  test('who would rather look than guess is shown the answer; the course goes on where the visitor was, after a reload too', async () => {
    const visitor = await openPage(browser);
    await open(visitor.page, 'learn/4', 'en');
    await arrived(visitor.page, 4);
    await visitor.page.focus('[data-prediction] [data-show]');
    await visitor.page.keyboard.press('Enter');
    assert.match(await visitor.page.$eval('[data-revealed]', (shown) => shown.textContent.trim()), /^The answer is “/);
    assert.ok(await focused(visitor.page, '[data-revealed]'), 'the focus is on the answer');
    await visitor.page.waitForSelector('[data-next]');
    await visitor.page.focus('[data-next]');
    await visitor.page.keyboard.press('Enter');
    await arrived(visitor.page, 5);
    assert.equal(await visitor.page.$('[data-next]'), null, 'the next question is open again');
    await open(visitor.page, 'learn/2', 'en');
    await arrived(visitor.page, 2);
    await open(visitor.page, 'learn', 'en');
    await visitor.page.reload({ waitUntil: 'load' });
    await visitor.page.waitForSelector('a.primary[href="#/learn/5"]');
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });

  test('positions: the two outputs of saw are equal without them, and differ as the package says with them', async () => {
    await open(page, 'learn/8', 'en');
    await page.waitForSelector('[data-apart="0"]');
    await page.focus('.picture input[value="off"]');
    await page.keyboard.press('ArrowRight');
    const { data, shape } = run(fovea, 'learned_positions').trace.find(({ name }) => name === 'output');
    const width = shape.at(-1);
    const apart = Math.max(...Array.from({ length: width }, (_, i) => Math.abs(data[width + i] - data[3 * width + i])));
    assert.ok(apart > 0.9);
    await page.waitForSelector(`[data-apart="${apart}"]`);
    assert.deepEqual(opened.problems, []);
  });

  test('masks: word by word gives the rows of the causal matrix, and others without the causal mask', async () => {
    await open(page, 'learn/9', 'en');
    await page.waitForSelector('[data-apart]');
    const apart = () => page.$eval('[data-apart]', (shown) => Number(shown.dataset.apart));
    await page.focus('.picture input[type=range]');
    for (const word of [4, 5]) {
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(
        (value) => document.querySelector('.picture input[type=range]').value === value,
        {},
        `${word - 1}`,
      );
      assert.ok((await apart()) < 1e-6);
    }
    await page.focus('.picture [role=switch]');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => Number(document.querySelector('[data-apart]').dataset.apart) > 0.01);
    assert.deepEqual(opened.problems, []);
  });

  test('cost: four times the pairs for twice the words; the pairs of the window are those of the package', async () => {
    await open(page, 'learn/10', 'en');
    await page.waitForSelector('[data-cost="512"]');
    await page.click('[data-covered=picture] [data-show]');
    await page.focus('.picture input[type=range]');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('[data-cost="1024"]');
    const count = (id) => page.$eval(`[data-count="${id}"]`, (cell) => Number(cell.textContent.replaceAll(',', '')));
    assert.equal(await count('dense'), 4 * 512 ** 2);
    const { indices } = pattern.window(64, 64).pairs(fovea, { queries: 1024, keys: 1024 });
    assert.equal(await count('window'), indices.length);
    await page.keyboard.press('End');
    await page.waitForSelector('[data-cost="65536"]');
    assert.equal(await count('dense'), 2 ** 32);
    assert.deepEqual(opened.problems, []);
  });
});

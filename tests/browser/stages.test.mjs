// Stage by stage: every mechanism's numbers as pictures, the arithmetic of any cell, by keyboard and by touch.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { goTo, settledAddress, text, textMatching, withRoom } from './support.mjs';

const fovea = await load({ deterministic: true });
const stageOf = (id, name) => run(fovea, id).trace.find((stage) => stage.name === name);
/** Reads a number that the page writes with a true minus sign. */
const read = (shown) => Number(shown.replace('−', '-').replace('∞', 'Infinity'));

describe('stages of a mechanism', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  async function open(id, { language = 'en', width = 1280, height = 800, touch = false } = {}) {
    await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
    await goTo(page, `${server.url}#/${id.replaceAll('_', '-')}?lang=${language}`);
    await page.waitForSelector('[data-trace-stage]');
  }
  /** Brings a stage's picture to the screen, and the keyboard onto it. */
  async function focus(name) {
    await page.$eval(`[data-trace-stage="${name}"]`, (stage) => stage.scrollIntoView({ behavior: 'instant', block: 'center' }));
    const picture = await page.waitForSelector(`[data-matrix="stage.${name}"]`);
    await picture.focus();
  }
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const value = async () => read(await text(page, '[data-value]'));
  const isNear = (a, b) => assert.ok(Math.abs(a - b) <= 6e-5 * Math.max(1, Math.abs(b)), `${a} against ${b}`);

  for (const id of ['scaled_dot', 'multi_head', 'bahdanau', 'em_attention'])
    test(`${id}: every stage is there with its number, shape and table`, async () => {
      await open(id);
      const { trace } = run(fovea, id);
      const names = await page.$$eval('[data-trace-stage]', (all) => all.map((one) => one.dataset.traceStage));
      assert.deepEqual(
        names,
        trace.map(({ name }) => name),
      );
      const { name, data, shape } = trace.at(-1);
      await focus(name);
      const [cols, rows] = [shape.at(-1), shape.at(-2) ?? 1];
      const shown = await page.$eval(`[data-table="stage.${name}"]`, (table) =>
        [...table.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
      );
      assert.deepEqual([shown.length, shown[0].length], [rows, cols]);
      shown.flat().forEach((number, i) => isNear(read(number), data[i]));
      assert.deepEqual(opened.problems, []);
    });

  test('arrow keys choose a cell; its arithmetic is spelled out, and its sources are named', async () => {
    await open('scaled_dot');
    const { data, shape } = stageOf('scaled_dot', 'weights');
    await focus('weights');
    await press('Home', 'ArrowDown', 'ArrowRight');
    isNear(await value(), data[shape[1] + 1]);
    await page.waitForSelector('[data-step="softmax"]');
    assert.match(await text(page, '[data-step="softmax"]'), /^softmax scaled score /);
    const line = await page.$$eval('[data-step="softmax"] tbody tr', (rows) =>
      rows.map((row) => Number(row.lastChild.textContent)),
    );
    line.forEach((weight, key) => isNear(weight, data[shape[1] + key]));
    assert.match(await text(page, '[data-step="softmax"] [data-sum]'), /^0?\.?\d+ ÷ [\d.]+ = 0\.\d+$/);
    // A weight is a changed form of a score: how that came about stands before it.
    assert.deepEqual(await page.$$eval('[data-arithmetic] [data-step]', (all) => all.map((one) => one.dataset.step)), [
      'dot',
      'divide',
      'softmax',
    ]);
    assert.match(
      await text(page, '[data-trace-stage="weights"] [data-reading]'),
      /^query token 2, key token 2, weight 0\.\d+, \d(st|nd|rd) of 3$/,
    );
    await focus('scores');
    await press('Home');
    const [q, k] = [stageOf('scaled_dot', 'query').data, stageOf('scaled_dot', 'key').data];
    const terms = [0, 1, 2].map((i) => `${q[i]}·${k[i]}`);
    const sum = stageOf('scaled_dot', 'scores').data[0];
    await page.waitForSelector('[data-step="dot"]');
    assert.equal(await text(page, '[data-step="dot"] [data-sum]'), `${terms.join(' + ')} = ${sum}`);
    assert.deepEqual(opened.problems, []);
  });

  test('a number is shown for as long as the pointer is on it; the term under the pointer outlines its two factors alone', async () => {
    await open('scaled_dot');
    await focus('scores');
    await press('Home');
    const first = await text(page, '[data-value]');
    const { x, y, width, height } = await (await page.$('[data-matrix="stage.scores"]')).boundingBox();
    await page.mouse.move(x + width - 20, y + height - 12);
    await page.waitForFunction((before) => document.querySelector('[data-value]').textContent !== before, {}, first);
    isNear(await value(), stageOf('scaled_dot', 'scores').data.at(-1));
    await page.mouse.move(2, 2);
    await page.waitForFunction((before) => document.querySelector('[data-value]').textContent === before, {}, first);
    const pixels = () =>
      page.$eval('[data-matrix="stage.query"] canvas', (canvas) => canvas.toDataURL().length + canvas.toDataURL());
    const before = await pixels();
    await page.hover('[data-step="dot"] .term');
    await page.waitForFunction(
      (old) => {
        const url = document.querySelector('[data-matrix="stage.query"] canvas').toDataURL();
        return url.length + url !== old;
      },
      {},
      before,
    );
    assert.deepEqual(opened.problems, []);
  });

  test('the factors of a product stand beside it, turned as its formula and the notation turn them', async () => {
    await open('scaled_dot');
    const lines = await page.waitForSelector('::-p-aria([name="Factors beside each result"][role="switch"])');
    await lines.click();
    await page.$eval('[data-trace-stage="scores"]', (stage) => stage.scrollIntoView({ behavior: 'instant', block: 'center' }));
    await page.waitForSelector('[data-trace-stage="scores"] [data-matrix="stage.key"]');
    const drawn = () =>
      page.$$eval('[data-trace-stage="scores"] :is([data-matrix], .sign)', (all) =>
        all.map((one) => one.dataset.matrix ?? one.textContent),
      );
    assert.deepEqual(await drawn(), ['stage.query', '·', 'stage.key', '=', 'stage.scores']);
    assert.match(await text(page, '[data-trace-stage="scores"]'), /Q ?3 × 3 .*K⊤ ?3 × 3/);
    await page.focus('[data-trace-stage="scores"] [data-matrix="stage.key"]');
    await press('Home');
    await textMatching(page, '[data-arithmetic] .where', /^key key/);
    await page.$eval('input[type=radio][value=columns]', (input) => input.click());
    await page.waitForFunction(
      () => document.querySelector('[data-trace-stage="scores"] [data-matrix]').dataset.matrix === 'stage.key',
    );
    assert.deepEqual(await drawn(), ['stage.key', '·', 'stage.query', '=', 'stage.scores']);
    await page.$eval('input[type=radio][value=rows]', (input) => input.click());
    assert.deepEqual(opened.problems, []);
  });

  test('every digit of a number is shown where that is asked for', async () => {
    await open('scaled_dot');
    await focus('weights');
    await press('Home');
    const all = await page.waitForSelector('::-p-aria([name="All digits"][role="switch"])');
    await all.click();
    const [weight] = stageOf('scaled_dot', 'weights').data;
    await page.waitForFunction(
      (x) => Math.fround(Number(document.querySelector('[data-value]').textContent)) === x,
      {},
      weight,
    );
    const shown = await page.$eval('[data-table="stage.weights"] td:not(:empty)', (cell) => cell.textContent);
    assert.equal(Math.fround(Number(shown)), weight);
  });

  test('a number of an input is replaced, beside its arithmetic or on its cell; what follows and the link have it', async () => {
    await open('scaled_dot');
    const openGiven = () =>
      page.$eval('[data-given]', (details) => {
        details.open = true;
        details.scrollIntoView({ behavior: 'instant' });
      });
    await openGiven();
    const picture = await page.waitForSelector('[data-matrix="inputs.q"]');
    await picture.focus();
    await press('Home');
    const field = await page.waitForSelector('[data-arithmetic] input[type=number]');
    await field.click({ clickCount: 3 });
    await field.type('7');
    await textMatching(page, '[data-value]', /^7$/);
    await picture.focus();
    await press('ArrowDown', 'Enter');
    await page.waitForSelector('.heatmap input[type=number]');
    await press('8', 'Enter');
    await textMatching(page, '[data-value]', /^8$/);
    const changed = async () =>
      page.$$eval('[data-table="inputs.q"] tbody tr', (rows) => rows.map((row) => row.querySelector('td').textContent));
    assert.deepEqual((await changed()).slice(0, 2), ['7', '8']);
    await page.waitForFunction(() => /[?&]s=/.test(location.hash));
    const link = await settledAddress(page);
    await page.goto('about:blank');
    await page.goto(link, { waitUntil: 'load' });
    await page.waitForSelector('[data-trace-stage]');
    await openGiven();
    await page.waitForSelector('[data-table="inputs.q"]');
    assert.deepEqual((await changed()).slice(0, 2), ['7', '8']);
    assert.deepEqual(opened.problems, []);
  });

  test('a chosen cell turns the pictures it comes from to its head', async () => {
    await open('multi_head');
    await focus('heads');
    await press('Home', 'End');
    const { axes } = stageOf('multi_head', 'weights');
    assert.equal(axes[0], 'head');
    await page.$eval('[data-trace-stage="weights"]', (stage) => stage.scrollIntoView({ behavior: 'instant', block: 'center' }));
    await textMatching(page, '[data-trace-stage="weights"] .stepper', /4 of 4/);
    assert.match(await text(page, '[data-arithmetic]'), /weight, value/);
  });

  test('a stage that no reading of its formula gives has no arithmetic, and says so', async () => {
    await open('bahdanau', { language: 'zh' });
    await focus('states');
    await press('Home');
    await page.waitForSelector('[data-not-derived]');
    assert.match(await text(page, '[data-not-derived]'), /计算核心/);
    assert.equal(await page.$('[data-arithmetic] [data-step]'), null);
  });

  test('letters of the equation are lit with their stage, and open it', async () => {
    await open('scaled_dot');
    await focus('value');
    await press('Home');
    const lit = await page.$$eval('[data-equation] .lit', (all) => all.map((one) => one.dataset.stage));
    assert.deepEqual([...new Set(lit)], ['value']);
    const letters = await page.$$eval('[data-equation] [data-stage]', (all) => all.map((one) => one.dataset.stage));
    assert.deepEqual([...new Set(letters)].sort(), ['key', 'query', 'value', 'weights']);
  });

  test('on a phone: one stage at a time, a tap opens the arithmetic, the next cell follows', async () => {
    await open('em_attention', { language: 'zh', width: 390, height: 844, touch: true });
    assert.equal((await page.$$('[data-trace-stage]')).length, 1);
    const next = await page.waitForSelector('::-p-aria([name="下一步"])');
    await next.tap();
    await next.tap();
    await page.waitForSelector('[data-trace-stage="reconstruction"]');
    const picture = await page.waitForSelector('[data-matrix="stage.reconstruction"]');
    await picture.evaluate((one) => one.scrollIntoView({ behavior: 'instant', block: 'center' }));
    await picture.tap();
    await page.waitForSelector('[data-step="dot"]');
    const { data, shape } = stageOf('em_attention', 'reconstruction');
    const first = await text(page, '[data-value]');
    const at = data.findIndex((x) => Math.abs(x - read(first)) <= 6e-5);
    assert.ok(at >= 0);
    await (await page.waitForSelector('::-p-aria([name="下一格"])')).tap();
    await page.waitForFunction((before) => document.querySelector('[data-value]').textContent !== before, {}, first);
    isNear(await value(), data[(at + 1) % (shape[0] * shape[1])]);
    const [needed, given] = await page.$eval('[data-reference]', (one) => [one.scrollWidth, one.clientWidth]);
    assert.ok(needed <= given, `${needed} px in ${given}`);
    assert.deepEqual(opened.problems, []);
  });

  test('a parameter with a range changes the numbers', async () => {
    await open('local');
    await page.$eval('[data-parameters]', (details) => (details.open = true));
    const slider = await page.waitForSelector('[data-parameters] input[type=range]');
    await slider.focus();
    await press('ArrowRight');
    await focus('weights');
    const { trace } = run(fovea, 'local', undefined, undefined, { radius: 2 });
    const { data } = trace.find(({ name }) => name === 'weights');
    await press('Home');
    isNear(await value(), data[0]);
    assert.equal(list().find(({ id }) => id === 'local').ranges['options.radius'].step, 1);
  });
});

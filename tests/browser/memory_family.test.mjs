// The family of memory: hops are stepped by the keyboard and by touch, and the numbers shown are the package's.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { assertSound } from './pages.mjs';
import { choose, goTo, text, textMatching, withRoom } from './support.mjs';

const fovea = await load({ deterministic: true });
const ids = list()
  .filter(({ family }) => family === 'memory')
  .map(({ id }) => id);
const defaultsOf = (id) => list().find((entry) => entry.id === id).defaults;
const stageOf = ({ trace }, name) => trace.find((stage) => stage.name === name);
const row = ({ data, shape }, n) => [...data.slice(n * shape.at(-1), (n + 1) * shape.at(-1))];

describe('the family of memory', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  async function open(id, { language = 'en', touch = false } = {}) {
    await page.setViewport(touch ? { width: 390, height: 844, hasTouch: true, isMobile: true } : { width: 1280, height: 800 });
    await goTo(page, `${server.url}#/${id.replaceAll('_', '-')}?lang=${language}`);
    await page.waitForSelector(`[data-view="${id}"]`);
  }
  /** The weights of hop `n` (1 is the first) as the lines have them; null for what is not shown. */
  const shown = (n) =>
    page.$$eval(
      `[data-lines] tbody tr`,
      (rows, at) => rows.map((line) => JSON.parse(line.querySelectorAll('td')[at].dataset.weight ?? 'null')),
      n - 1,
    );
  const parts = (id) => page.$$eval(`[data-parts=${id}] [data-part]`, (all) => all.map((part) => part.dataset.part));

  for (const [id, stage] of [
    ['memory_network', 'weights'],
    ['key_value_memory', 'weights'],
    ['dynamic_memory', 'gates'],
  ])
    test(`${id}: each step shows a row of the trace, and the answer is the package's`, async () => {
      await open(id);
      const computed = run(fovea, id);
      assert.deepEqual(await shown(1), row(stageOf(computed, stage), 0));
      assert.ok((await shown(2)).every((x) => x === null));
      await page.focus('[data-next]');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-step="1"]');
      assert.deepEqual(await shown(2), row(stageOf(computed, stage), 1));
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-step="2"]');
      const best = Math.max(...stageOf(computed, 'probability').data);
      assert.match(await text(page, '[data-answers] .best'), new RegExp(`^(bedroom|London) ${best.toFixed(4)}$`));
      assert.deepEqual(opened.problems, []);
    });

  test('the query moves from the thing to the person; with one table it stays where it is', async () => {
    await open('memory_network');
    assert.deepEqual(await parts('asks'), ['football', 'going', 'age']);
    await choose(page, 'step1');
    assert.ok((await parts('asks')).includes('john'));
    await choose(page, 'shared');
    const { contrast } = defaultsOf('memory_network');
    const weights = row(stageOf(run(fovea, 'memory_network', undefined, contrast.params), 'weights'), 1);
    assert.deepEqual(await shown(2), weights);
    assert.ok(weights[0] > 0.99);
    assert.equal((await parts('asks')).includes('john'), false);
  });

  test('a sentence is taken out of the memory, and another question is asked', async () => {
    await open('memory_network');
    await page.$$eval('[data-lines] input', (boxes) => boxes[3].click());
    await choose(page, 'step2');
    await textMatching(page, '[data-answers] .best', /^kitchen /);
    await choose(page, 'question1');
    await textMatching(page, '[data-answers] .best', /^garden /);
    await open('dynamic_memory');
    await page.$$eval('[data-lines] input', (boxes) => boxes[3].click());
    await choose(page, 'step2');
    await textMatching(page, '[data-answers] .best', /^kitchen /);
  });

  test('values tied to their keys give the question back', async () => {
    await open('key_value_memory');
    assert.deepEqual(await parts('reads'), ['Nolan']);
    await choose(page, 'tied');
    assert.deepEqual(await parts('reads'), ['Inception', 'director']);
  });

  test('another prediction leaves the weights as they are; another key and a short window do not', async () => {
    await open('key_value_predict');
    const weights = () => page.$$eval('[data-arcs] [data-weight]', (cells) => cells.map((cell) => Number(cell.dataset.weight)));
    const before = await weights();
    assert.deepEqual(before, row(stageOf(run(fovea, 'key_value_predict'), 'weights'), 4));
    const pick = (label, n) => page.$$eval('fieldset', (all, [name, at]) => {
      all.find((set) => set.querySelector('legend')?.textContent.includes(name)).querySelectorAll('input')[at].click();
    }, [label, n]); // prettier-ignore
    await pick('its prediction', 1);
    await textMatching(page, '[data-moved]', /weights moved by 0 at most, the output h\* by 0\.9/);
    assert.deepEqual(await weights(), before);
    await pick('its key', 1);
    await textMatching(page, '[data-moved]', /weights moved by 0\.9/);
    assert.ok((await weights())[2] > 0.9);
    await page.$eval('[data-view] input[type=range]', (slider) => {
      slider.value = '0';
      slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    await textMatching(page, '.stepper b', /^L = 1$/);
    assert.deepEqual((await weights()).map(Number), [0, 0, 0, 1, 0, 0, 0]);
  });

  test('the window without attention reads three parts', async () => {
    await open('ngram_rnn');
    const { data, shape } = stageOf(run(fovea, 'ngram_rnn'), 'hStar');
    const numbers = await page.$$eval('[data-table=bars] td', (cells) => cells.map((cell) => Number(cell.textContent)));
    numbers.forEach((x, n) => assert.ok(Math.abs(x - data[3 * shape[1] + n]) < 6e-4));
    assert.equal((await page.$$('[data-read]')).length, 3);
    await choose(page, 'one');
    assert.equal((await page.$$('[data-read]')).length, 1);
  });

  test('by touch at 390 × 844 in Chinese: a step is tapped, and every page is sound', async () => {
    await open('dynamic_memory', { language: 'zh', touch: true });
    await (await page.waitForSelector('[data-next]')).tap();
    await page.waitForSelector('[data-step="1"]');
    for (const id of ids) await assertSound(opened, server.url, id.replaceAll('_', '-'), { lang: 'zh', theme: 'dark' });
  });
});

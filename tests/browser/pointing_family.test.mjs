// The family of pointing and copying: what each page shows is what the package computes of what the visitor has changed.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { layoutFaults } from './pages.mjs';
import { choose, flip, goTo, textMatching, withRoom } from './support.mjs';

const fovea = await load({ deterministic: true });
const entryOf = (id) => list().find((entry) => entry.id === id);
const stageOf = (id, name, inputs, params) => [
  ...run(fovea, id, inputs, params).trace.find((stage) => stage.name === name).data,
];

describe('the family of pointing and copying', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  async function open(id, { language = 'en', touch = false } = {}) {
    await page.setViewport(touch ? { width: 390, height: 844, hasTouch: true, isMobile: true } : { width: 1280, height: 800 });
    await goTo(page, `${server.url}#/${id.replaceAll('_', '-')}?lang=${language}`);
    await page.waitForSelector(`[data-view="${id}"]`);
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
  }
  const bars = (table, row) =>
    page.$$eval(`[data-table="${table}"] td[data-row="${row}"]`, (cells) => cells.map((cell) => Number(cell.dataset.value)));
  const attribute = (name) => page.$eval(`[data-${name}]`, (element, key) => element.dataset[key], name);
  const near = (shown, numbers) => {
    assert.equal(shown.length, numbers.length);
    shown.forEach((x, i) => assert.ok(Math.abs(x - numbers[i]) < 1e-6, `${shown} against ${numbers}`));
  };

  test('pointer network: a number changed by keys and by touch is sorted anew', async () => {
    await open('pointer_network');
    assert.equal(await attribute('order'), '0.1 0.35 0.6 0.75 0.9');
    await page.$eval('[data-bars]', (svg) => svg.focus());
    for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowRight');
    await page.waitForSelector('[data-order="0.1 0.35 0.75 0.9 1"]');
    await open('pointer_network', { language: 'zh', touch: true });
    for (let i = 0; i < 11; i++) await (await page.$('[data-change=less]')).tap();
    await page.waitForSelector('[data-order="0.05 0.1 0.35 0.75 0.9"]');
    const points = [0.05, 0.1, 0.9, 0.35, 0.75].map((x) => [x]);
    const first = stageOf('pointer_network', 'weights', { points }).slice(0, 5);
    const shown = await page.$$eval('[data-table=bars] td[data-column=weight]', (cells) =>
      cells.map((cell) => Number(cell.textContent.replaceAll('−', '-'))),
    );
    // Three decimals, or one digit and an exponent.
    shown.forEach((x, i) =>
      assert.ok(
        Math.abs(x - first[i]) < Math.max(5.1e-4 * first[i], 0.51 * 10 ** Math.floor(Math.log10(first[i]))),
        `${shown}`,
      ),
    );
  });

  test('pointer-generator: generate and copy add up to the distribution; without coverage one name is copied four times', async () => {
    await open('pointer_generator');
    for (const step of [0, 1, 2, 3]) {
      await page.$eval(`input[type=radio][value="${step}"]`, (input) => input.click());
      const [generated, copied, together] = [
        await bars('words', 'generate'),
        await bars('words', 'copy'),
        await bars('words', 'both'),
      ];
      assert.deepEqual(together, stageOf('pointer_generator', 'distribution').slice(5 * step, 5 * step + 5));
      near(
        generated.map((x, i) => x + copied[i]),
        together,
      );
    }
    await page.focus('input[type=range]');
    await page.keyboard.press('End');
    await textMatching(page, '[data-loss]', /Federer Federer Federer Federer/);
    const params = { ...entryOf('pointer_generator').defaults.params, wc: [0] };
    const loss = stageOf('pointer_generator', 'coverageLoss', undefined, params).reduce((sum, x) => sum + x, 0);
    assert.equal(Number(await attribute('loss')), loss);
    assert.equal(await page.$$eval('[data-word] .marked', (all) => new Set(all.map((one) => one.textContent)).size), 2);
  });

  test('CopyNet: the selective read walks the name, and without it the name begins again', async () => {
    await open('copy_net', { language: 'zh', touch: true });
    assert.equal(await attribute('reply'), '欢迎 欧 阳 修 远');
    assert.deepEqual(await layoutFaults(page), []);
    for (const step of [1, 2, 3, 4]) {
      await choose(page, String(step));
      assert.deepEqual(await bars('source', 'copy'), stageOf('copy_net', 'copy').slice(8 * step, 8 * step + 8));
      const again = await bars('source', 'again');
      assert.deepEqual(again, stageOf('copy_net', 'selectiveWeights').slice(8 * step, 8 * step + 8));
      if (step > 1) assert.equal(again.indexOf(Math.max(...again)), step + 2);
    }
    await flip(page, '选择性读取');
    await page.waitForSelector('[data-reply="欢迎 欧 欧 欧 欧"]');
  });

  test('attention sum reader: the weights of a word are added, and another word takes one away', async () => {
    await open('attention_sum_reader');
    assert.deepEqual(await bars('places', 'weight'), stageOf('attention_sum_reader', 'weights'));
    assert.deepEqual(await bars('sums', 'sum'), stageOf('attention_sum_reader', 'probability'));
    await textMatching(page, '[data-sum=queen]', /0\.322 \+ 0\.322 = 0\.643/);
    const { inputs, labels } = entryOf('attention_sum_reader').defaults;
    await page.focus('[data-word="4"] input');
    for (const _ of [5, 6, 7]) await page.keyboard.press('ArrowRight');
    const dog = labels.We[0].indexOf('dog');
    await page.select('select.menu', String(dog));
    const document = inputs.document.map((id, place) => (place === 7 ? dog : id));
    assert.deepEqual(await bars('sums', 'sum'), stageOf('attention_sum_reader', 'probability', { ...inputs, document }));
    await page.waitForSelector('[data-sum=dog]');
  });

  test('attention over attention: both directions, and their product', async () => {
    await open('attention_over_attention');
    const cells = (id) =>
      page.$$eval(`[data-cells=${id}] tbody td`, (all) => all.map((cell) => Number(cell.textContent.replaceAll('−', '-'))));
    const rounded = (shown, numbers) =>
      shown.every((x, i) => Math.abs(x - numbers[i]) < 0.0051) && shown.length === numbers.length;
    assert.ok(rounded(await cells('s'), stageOf('attention_over_attention', 's')));
    await textMatching(page, '[data-arithmetic]', /0\.694·0\.514 .* = 0\.428/);
    for (const [value, id, stage] of [
      ['match', 'match', 'match'],
      ['alpha', 'alpha', 'alpha'],
      ['beta', 'beta', 'beta'],
    ]) {
      await choose(page, value);
      assert.ok(rounded(await cells(id), stageOf('attention_over_attention', stage)), id);
    }
    await flip(page, '“who” knows the words after it');
    const { params } = entryOf('attention_over_attention').defaults.contrast;
    const [mary, , , tom] = stageOf('attention_over_attention', 'probability', undefined, params);
    const shown = await bars('answer', 'probability');
    near([shown[0], shown[3]], [mary, tom]);
  });

  test('each question is answered by the package; nothing went wrong on the way', async () => {
    for (const { id } of list().filter(({ family }) => family === 'pointing')) {
      await open(id);
      assert.equal(await page.$eval('[data-holds]', (note) => note.dataset.holds), 'true', id);
      await page.focus('[data-prediction] input');
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-prediction] label.right');
    }
    assert.deepEqual(opened.problems, []);
  });
});

// Linear and low-rank: each page shows what the package computes, by the keyboard alone and by touch.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { approximation } from 'fovea/linear-attention';
import { xformerCost } from 'fovea/mechanisms';
import { choose, goTo, text, textMatching, withRoom } from './support.mjs';

const fovea = await load({ deterministic: true });
const entryOf = (id) => list().find((entry) => entry.id === id);
const stageOf = (id, name, { inputs, params, options } = {}) =>
  run(fovea, id, inputs, params, options).trace.find((stage) => stage.name === name);
/** Numbers as the page writes them: with a true minus sign. */
const read = (shown) => Number(shown.replace('−', '-').replaceAll(',', ''));
const rowsOf = ({ data, shape }) =>
  Array.from({ length: data.length / shape.at(-1) }, (_, r) => [...data.slice(r * shape.at(-1), (r + 1) * shape.at(-1))]);

describe('the family of linear attention', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  async function open(id, language = 'en') {
    await goTo(page, `${server.url}#/${id.replaceAll('_', '-')}?lang=${language}&notation=rows`);
    await page.waitForSelector(`[data-view="${id}"] [data-count]`);
  }
  const bars = async (name) =>
    (await page.$$eval(`[data-table=bars] td[data-column=${name}]`, (cells) => cells.map((cell) => cell.textContent))).map(
      read,
    );
  const matrix = async (name) =>
    (
      await page.$eval(`.picture [data-table="${name}"]`, (table) =>
        [...table.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
      )
    ).map((row) => row.map(read));
  const near = (shown, numbers) => {
    assert.equal(shown.length, numbers.length);
    for (const [i, x] of numbers.entries())
      assert.ok(Math.abs(shown[i] - x) <= 5.01e-4 * Math.max(1, Math.abs(x)), `${shown} against ${numbers}`);
  };
  /** Presses a button of a stepper with the keyboard. */
  async function press(name, times = 1) {
    const button = await page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`);
    await button.focus();
    for (let i = 0; i < times; i++) await page.keyboard.press('Enter');
  }
  async function answer(id) {
    await page.focus(`[data-prediction=${id}] input`);
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    return text(page, `[data-prediction=${id}] .shown`);
  }

  test('linear: three pairs are read exactly, four are mixed; what is written first is multiplied first', async () => {
    await open('linear');
    const state = rowsOf(stageOf('linear', 'state'));
    const z = [...stageOf('linear', 'normalizer').data];
    assert.deepEqual(
      await matrix('state'),
      state.map((row, r) => [...row, z[r]]),
    );
    near(await bars('reads'), [3, 5, 8]);
    await choose(page, '4');
    const { inputs } = entryOf('linear').defaults.contrast;
    const output = rowsOf(stageOf('linear', 'output', { inputs })).map(([price]) => price);
    near(await bars('reads'), output);
    assert.ok(Math.abs(output[0] - 3) > 1);
    const features = ['queryFeatures', 'keyFeatures'].map((name) => {
      const { data, shape } = stageOf('linear', name, { inputs });
      return { data, shape };
    });
    const exact = rowsOf(fovea.attention(...features, inputs.v, { scale: 30 }).output).map(([price]) => price);
    near(await bars('softmax'), exact);
    await press('One token back', 2);
    await page.waitForSelector('[data-tokens="2"]');
    assert.deepEqual((await matrix('state')).at(-1), [0, 0, 0, 0]);
    near(await bars('reads'), [3, 5]);
    await press('All tokens');
    await page.waitForSelector('[data-tokens="4"]');
    assert.match(await answer('order_of_products'), /128000000 against 8256000: 15\.5 times as many/);
    assert.match(await answer('fourth_pair'), /reads 5\.485/);
    assert.deepEqual(opened.problems, []);
  });

  test('the work is counted for any number of words', async () => {
    await open('linear');
    await page.click('[data-covered=count] [data-show]');
    const counts = async (order) => {
      const row = `[data-order=${order}]`;
      return [read(await text(page, `${row} [data-multiplications]`)), read(await text(page, `${row} [data-kept]`))];
    };
    for (const n of [1024, 2048]) {
      await page.waitForSelector(`[data-count="${n}"]`);
      const { full, linear } = xformerCost(fovea, {}, {}, { n, d: 64, kinds: { full: {}, linear: {} } });
      assert.deepEqual(await counts('pairs'), [full.multiplyAdds, full.pairs]);
      assert.deepEqual(await counts('own'), [linear.multiplyAdds, 64 * 64 + 64]);
      await press('Twice as many words');
    }
    await press('Half as many words', 8);
    await textMatching(page, '[data-view] .count', /For only 16 words it takes .* times as many/);
  });

  test('linear_rnn: the state of each token, its reading, and what a later token would tell', async () => {
    await open('linear_rnn');
    await press('One token back', 2);
    const { data: states } = stageOf('linear_rnn', 'state');
    const { data: z } = stageOf('linear_rnn', 'normalizer');
    const output = stageOf('linear_rnn', 'output').data;
    for (const t of [0, 1, 2]) {
      await page.waitForSelector(`[data-tokens="${t + 1}"]`);
      assert.deepEqual(
        await matrix('state'),
        [0, 1].map((axis) => [states[2 * t + axis], z[2 * t + axis]]),
      );
      assert.match(await text(page, '[data-sentence]'), new RegExp(`= ${output[t]}\\.$`));
      await press('Next token');
    }
    near(await bars('weight'), [0.5, 0, 0.5]);
    await press('One token back', 2);
    await choose(page, 'whole');
    await textMatching(page, '[data-sentence]', /10 ÷ 2 = 5\.$/);
    assert.equal(await page.$eval('[data-holds]', (note) => note.dataset.holds), 'false');
    assert.match(await answer('state_after_many'), /6 numbers after 10 tokens, 6 after 1000/);
    assert.deepEqual(opened.problems, []);
  });

  test('delta_rule: 3 then 7 under one key, half of the way by the question, the whole on the page: 7 against 10', async () => {
    await open('delta_rule');
    near(await bars('reads'), [3]);
    assert.match(await answer('half_of_the_way'), /It reads 4\.25: .* With β = 1 it reads 7;/);
    await press('Next token');
    await page.waitForSelector('[data-tokens="2"]');
    const reads = async () => [...(await bars('reads')), ...(await bars('adding'))];
    near(await reads(), [7, 10]);
    assert.match(await text(page, '[data-sentence]'), /apple read 3\. .* = 1 · \(7 − 3\) = 4 along/);
    await press('Less', 5);
    await textMatching(page, '[data-sentence]', /0\.5 · \(7 − 1\.5\) = 2\.75/);
    near((await reads()).slice(0, 1), [stageOf('delta_rule', 'output', { options: { beta: 0.5 } }).data[1]]);
    await page.$eval('.picture > .below .quiet-button', (button) => button.click());
    await choose(page, '4');
    await press('All tokens');
    await page.waitForSelector('[data-tokens="4"]');
    const all = await bars('reads');
    assert.equal(all[3], 9);
    assert.ok(all[0] > 3.1 && (await bars('adding'))[0] > all[0]);
    assert.deepEqual(opened.problems, []);
  });

  test('efficient_attention: a word joins a topic, and the query takes two', async () => {
    await open('efficient_attention');
    const { q, k, v } = entryOf('efficient_attention').defaults.inputs;
    const [label] = await page.$$('[data-cells=topics] button[data-cell="1 0"]');
    await label.focus();
    await page.keyboard.press('Enter');
    const inputs = { q, k: k.map((row, n) => (n === 1 ? [8, row[1]] : row)), v };
    const weights = rowsOf(stageOf('efficient_attention', 'weights', { inputs }));
    near(await bars('weight'), weights[0]);
    assert.ok(Math.abs(weights[0][1] - 1 / 3) < 0.001);
    await choose(page, '2');
    near(await bars('weight'), weights[2]);
    assert.match(await answer('third_word'), /^Not quite: the answer is “One third”\. 0\.333, 0\.333, 0\.333/);
    assert.deepEqual(opened.problems, []);
  });

  test('performer: the error for each number of features, and another for another draw', async () => {
    await open('performer');
    const norm = () => page.$eval('[data-norm]', (note) => Number(note.dataset.norm));
    const { q, k } = entryOf('performer').defaults.inputs;
    const v = k.map((_, i) => k.map((__, j) => Number(i === j)));
    const expected = (features, seed) =>
      approximation(fovea, q, k, v, { linear: { featureMap: 'favor+', features, seed } }).relativeFrobenius;
    assert.ok(Math.abs((await norm()) - expected(256, 0)) < 1e-5);
    await press('Half as many features', 5);
    await page.waitForFunction(() => document.querySelector('[data-view] .stepper b').textContent === '8');
    assert.ok(Math.abs((await norm()) - expected(8, 0)) < 1e-5);
    await press('Draw again');
    await page.waitForSelector('[data-seed="1"]');
    assert.ok(Math.abs((await norm()) - expected(8, 1)) < 1e-5);
    assert.ok(expected(8, 0) > expected(256, 0));
    assert.match(await answer('four_times_the_features'), /^Right: “About one half”\. Over 20 draws/);
    assert.deepEqual(opened.problems, []);
  });

  test('linformer: the error falls with the rank for smooth keys, not for spiky ones', async () => {
    await open('linformer');
    const norm = () => page.$eval('[data-norm]', (note) => Number(note.dataset.norm));
    const { q: months } = entryOf('linformer').defaults.inputs;
    const shuffled = [0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11].map((n) => months[n]);
    const values = months.map((_, i) => months.map((__, j) => Number(i === j)));
    const means = (r) =>
      Array.from({ length: r }, (_, m) => months.map((__, j) => (Math.floor((j * r) / 12) === m ? r / 12 : 0)));
    const expected = (x, linformer) => approximation(fovea, x, x, values, { linformer }).relativeFrobenius;
    assert.ok(Math.abs((await norm()) - expected(months, { E: means(4) })) < 1e-5);
    await press('More mixtures');
    await page.waitForSelector('[data-weights="72"]');
    const smooth = await norm();
    assert.ok(Math.abs(smooth - expected(months, { E: means(6) })) < 1e-5);
    await choose(page, 'spiky');
    assert.ok(Math.abs((await norm()) - expected(shuffled, { E: means(6) })) < 1e-5);
    assert.ok((await norm()) > 2 * smooth);
    await choose(page, 'random');
    assert.ok(Math.abs((await norm()) - expected(shuffled, { rank: 6, seed: 0 })) < 1e-4);
    await press('Draw again');
    await page.waitForSelector('[data-seed="1"]');
    assert.ok(Math.abs((await norm()) - expected(shuffled, { rank: 6, seed: 1 })) < 1e-4);
    assert.match(await answer('same_words_other_order'), /Together: relative error 0\. Apart: 0\.615/);
    assert.deepEqual(opened.problems, []);
  });

  test('em_attention: the bases after each iteration, and together where nothing is chosen', async () => {
    await open('em_attention');
    const bases = () =>
      page.$$eval('[data-table=colors] [data-base]', (rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
      );
    const assertBases = async (options) => {
      const computed = rowsOf(stageOf('em_attention', 'mu', { options }));
      for (const [k, row] of (await bases()).entries()) near(row.map(read), computed[k]);
    };
    await assertBases({ iterations: 3 });
    await press('One iteration back', 2);
    await page.waitForSelector('[data-walk="1"]');
    await assertBases({ iterations: 1 });
    await press('One more iteration', 3);
    await page.waitForSelector('[data-walk="4"]');
    await press('Less', 4);
    await assertBases({ iterations: 4, lambda: 0 });
    const [first, second] = await bases();
    assert.deepEqual(first, second);
    assert.match(await answer('lambda_zero'), /both are the mean/);
    assert.deepEqual(opened.problems, []);
  });

  test('by touch at 390 × 844, in Chinese: a token, a topic, an iteration', async () => {
    await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    await open('delta_rule', 'zh');
    await (await page.waitForSelector('::-p-aria([name="下一个词元"][role="button"])')).tap();
    await page.waitForSelector('[data-tokens="2"]');
    near(await bars('reads'), [7]);
    await open('efficient_attention', 'zh');
    await (await page.waitForSelector('[data-cells=topics] button[data-cell="3 0"]')).tap();
    await textMatching(page, '[data-cells=topics] button[data-cell="3 0"]', /^0\.33$/);
    await open('em_attention', 'zh');
    await (await page.waitForSelector('::-p-aria([name="再迭代一次"][role="button"])')).tap();
    await page.waitForSelector('[data-walk="4"]');
    for (const id of ['linformer', 'performer', 'linear']) {
      await open(id, 'zh');
      const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= screen, `${id}: ${wide}`);
    }
    assert.deepEqual(opened.problems, []);
  });
});

// Linear attention in the room: features, state, errors and weights, against what the package computes in Node.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { approximation } from '../../dist/linear-attention.node.js';
import { float32, MAPS, OPTIONS, rowsOf, withLinearRoom } from './linear_support.mjs';
import {
  choose,
  drawn,
  flip,
  fromMenu,
  printedBy,
  READING,
  root,
  scriptOn,
  settledParams,
  table,
  text,
  textMatching,
  visit,
} from './support.mjs';

/** The steps of the causal state. */
const STEPPER = '[data-trace-stage=state] .stepper';
const SENTENCE = '猫追老鼠，因为它饿了';

function distance(approximate, { data }) {
  const errors = [...data].map((x, n) => Math.abs(approximate.data[n] - x));
  return { largest: Math.max(...errors), relative: Math.hypot(...errors) / Math.hypot(...data) };
}

describe('linear attention in the room', () => {
  let server, opened, page, show, numbers, fovea, exact, computed, assertTable, error;

  withLinearRoom((room) => ({ server, opened, page, show, numbers, fovea, exact, computed, assertTable, error } = room));

  test('elu + 1 shows the features, the state, the weights and the errors that the core computes', async () => {
    await visit(page, server.url, { scale: '1' });
    const dense = await table(page, 'weights');
    await choose(page, 'linear');
    await page.waitForSelector('[data-map=elu1]');
    await drawn(page);
    assert.deepEqual(await table(page, 'exact'), dense);
    await flip(page, 'All digits');
    const stages = computed({ featureMap: 'elu1' });
    for (const id of ['queryFeatures', 'keyFeatures', 'state', 'numerator', 'similarity', 'weights', 'output'])
      await assertTable(id, stages[id]);
    await assertTable('normalizer', stages.normalizer);
    await assertTable('denominator', stages.denominator);
    const { weights, output } = exact();
    for (const [id, reference] of Object.entries({ weights, output })) {
      const { largest, relative } = distance(stages[id], reference);
      assert.ok(Math.abs((await error(`${id}.largest`)) - largest) < 1e-7, id);
      assert.ok(Math.abs((await error(`${id}.relative`)) - relative) < 1e-7, id);
    }
    assert.match(
      await text(page, '[data-trace-stage=error] [data-cost]'),
      /\(QKᵀ\)V takes 54 multiplications and .* 63; .* from 4 tokens on/,
    );
    assert.match(await text(page, '[data-trace-stage=queryFeatures] .provenance'), /set by hand$/);
    assert.match(await text(page, '[data-room] .controls .quiet-button'), /^Go to the feature map φ: elu \+ 1 ↓$/);
  });

  test('every map shows what the package computes, some of them causal, and its formulas were typeset', async () => {
    for (const map of MAPS) {
      for (const causal of /elu1|favor/.test(map) ? [false, true] : [false]) {
        // In columns most maps have the formulas of elu + 1.
        for (const notation of /elu1|softmax|favor/.test(map) ? ['columns', 'rows'] : ['rows']) {
          await show({ linear: map, causal: causal ? 'on' : 'off', notation });
          const bare = await page.$$eval('.untypeset', (elements) => elements.map((element) => element.textContent));
          assert.deepEqual(bare, [], `${map} ${causal} ${notation}`);
        }
        const stages = computed({ ...OPTIONS[map], causal });
        for (const id of ['queryFeatures', 'weights', 'output']) await assertTable(id, stages[id]);
      }
    }
  });

  test('at the usual scale the errors are those of approximation()', async () => {
    for (const map of ['elu1', 'favor.8.3']) {
      await show({ linear: map, scale: 'sqrt', causal: 'on' });
      const { scale: _, ...linear } = { ...OPTIONS[map], causal: true };
      const { q, k, v } = exact({ scale: undefined });
      const { maxError, relativeFrobenius } = approximation(fovea(), q, k, v, { linear });
      assert.ok(Math.abs((await error('output.largest')) - maxError) < 1e-7, map);
      assert.ok(Math.abs((await error('output.relative')) - relativeFrobenius) < 1e-7, map);
    }
  });

  test('the state is stepped through, by slider, buttons, and the query that is chosen', async () => {
    await show({ linear: 'elu1', causal: 'on' });
    const { state, normalizer, numerator } = computed({ featureMap: 'elu1', causal: true });
    const assertStep = async (t) => {
      await textMatching(page, `${STEPPER} .place`, new RegExp(`^${t + 1} of 3$`));
      assert.deepEqual(float32(await numbers('state')), rowsOf(state.data.slice(t * 9, (t + 1) * 9), 3));
      await assertTable('normalizer', normalizer);
      await assertTable('numerator', numerator);
    };
    await assertStep(2);
    const [back, on] = await page.$$(`${STEPPER} button`);
    await back.click();
    await assertStep(1);
    await back.click();
    await assertStep(0);
    await back.click();
    await assertStep(0);
    await on.click();
    await assertStep(1);
    await page.focus(`${STEPPER} input`);
    await page.keyboard.press('ArrowRight');
    await assertStep(2);
    assert.equal(
      await page.$eval(`${STEPPER} input`, (input) => input.ariaValueText ?? input.getAttribute('aria-valuetext')),
      'a₃, 3 of 3',
    );
    await show({ linear: 'elu1', causal: 'on', after: '1', cell: 'state.1.1' });
    await assertStep(0);
    assert.equal(await text(page, '[data-of=state][data-step=multiply] [data-sum]'), '2 × 2 = 4');
  });

  test('a numerator, a share and a difference are walked through', async () => {
    await show({ linear: 'elu1', causal: 'on', after: '1', cell: 'weights.1.0' });
    await textMatching(page, '[data-of=similarity] [data-sum]', /3·1 \+ 3·2 \+ 3·2 = 15/);
    await textMatching(page, '[data-step=divide]', /15 ÷ 48 = 0\.3125/);
    // The state after the query's own token, whichever is drawn.
    await show({ linear: 'elu1', causal: 'on', after: '1', cell: 'output.1.0' });
    await textMatching(page, '[data-of=numerator] [data-sum]', /3·11 \+ 3·12 \+ 3·4 = 81/);
    await show({ linear: 'elu1', causal: 'on', cell: 'weights.0.1' });
    await textMatching(page, '[data-note=unseen]', /not in the state yet/);
    await show({ linear: 'elu1', cell: 'error.0.0' });
    await textMatching(page, '[data-step=subtract]', /0\.2272\d+ − 0\.063\d+ = 0\.163\d+/);
  });

  test('FAVOR+ draws other features for another seed, and says that it is random', async () => {
    await show({ linear: 'favor.8.3' });
    const before = await numbers('queryFeatures');
    const field = await page.waitForSelector('::-p-aria([name="seed"][role="spinbutton"])');
    await field.click({ clickCount: 3 });
    await field.type('4');
    await textMatching(page, '[data-trace-stage=queryFeatures] .provenance', /set by hand · random by definition, seed 4$/);
    assert.notDeepEqual(await numbers('queryFeatures'), before);
    const stages = computed({ ...OPTIONS['favor.8.3'], seed: 4 });
    await assertTable('queryFeatures', stages.queryFeatures);
    await assertTable('weights', stages.weights);
    await page.evaluate(() => {
      URL.createObjectURL = (blob) => ((window.saved = blob), 'blob:');
      HTMLAnchorElement.prototype.click = () => {};
    });
    await fromMenu(page, '[data-trace-stage=weights]', 'json');
    await page.waitForFunction(() => window.saved);
    const json = JSON.parse(await page.evaluate(() => window.saved.text()));
    assert.deepEqual(json.features, { text: 'FAVOR+: random features', count: 8, seed: 4 });
  });

  test('the permalink keeps the map, its numbers and the token; dense and sparse come back as they were', async () => {
    const state = { input: 'example', scale: '1', causal: 'on', linear: 'favor.12.7', after: '2', cell: 'numerator.1.2' };
    await show(state);
    assert.deepEqual(await settledParams(page), { ...state, lang: 'en', notation: 'rows' });
    assert.equal((await table(page, 'queryFeatures'))[0].length, 12);
    await choose(page, 'dense');
    await page.waitForSelector('[data-trace-stage=scores]');
    assert.equal(await page.$('[data-trace-stage=state]'), null);
    assert.match(await text(page, READING), /^query q₁, key k₂, weight/);
    await page.waitForFunction(() => !location.hash.includes('linear='));
    for (const wrong of ['nothing', 'favor+', 'elu']) {
      await show({ linear: wrong });
      assert.equal(await page.$('[data-trace-stage=state]'), null, wrong);
    }
  });

  test('Efficient Attention has no causal form: elu + 1 takes its place, and says so', async () => {
    await show({ linear: 'softmax' });
    assert.equal(await page.$('[data-trace-stage=denominator]'), null);
    await flip(page, 'Causal mask');
    await textMatching(page, '[data-map=elu1]', /cannot be combined with the causal mask/);
    await flip(page, 'Causal mask');
    await page.waitForSelector('[data-map=softmax]');
  });

  test('the copied script gives the shown numbers, bit for bit', async () => {
    await show({ linear: 'favor.8.3', causal: 'on' });
    const script = await scriptOn(page);
    assert.match(
      script,
      /linearAttention\(fovea, q, k, v, \{\s+featureMap: "favor\+",\s+features: 8,\s+seed: 3,\s+scale: 1,\s+causal: true,\s+trace: true,\s+\}\)/,
    );
    const printed = await printedBy(script);
    for (const [name, id] of [
      ['weights', 'weights'],
      ['output', 'output'],
      ['softmax weights', 'exact'],
    ])
      assert.deepEqual(printed[name], float32(await numbers(id)), name);
  });

  test('in Chinese, on a sentence whose queries have nothing to ask', async () => {
    await show({ input: 'text', text: SENTENCE, head: 'pronoun', linear: 'relu', causal: 'on', after: '3', lang: 'zh' });
    assert.match(await text(page, '[data-trace-stage=queryFeatures]'), /特征映射/);
    assert.match(await text(page, STEPPER), /词元 老鼠.*3 \/ 8/);
    assert.match(await text(page, '[data-zero]'), /猫、追、.*0 ÷ 0 不是一个数/);
    assert.match(await text(page, '[data-trace-stage=error] [data-cost]'), /8 个词元、2 个特征时，\(QKᵀ\)V 需要 648 次乘法/);
    assert.match(await text(page, '[data-errors]'), /最大误差.*相对 Frobenius 误差/);
    await show({ linear: 'favor.8.3', lang: 'zh' });
    assert.match(await text(page, '[data-trace-stage=queryFeatures] .provenance'), /手工设定 · 按定义随机，随机种子 3$/);
    await show({});
  });

  test('on a narrow screen nothing is wider than it; axe-core finds nothing serious', async () => {
    const axe = await readFile(`${root}node_modules/axe-core/axe.min.js`, 'utf8');
    await page.setViewport({ width: 390, height: 844 });
    for (const params of [
      { linear: 'taylor', causal: 'on' },
      { linear: 'taylor', input: 'text', text: SENTENCE, head: 'nearby', notation: 'columns' },
    ]) {
      await show(params);
      // Pictures follow a new width a moment later.
      await page
        .waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
        .catch(() => assert.fail(`wider than the screen: ${JSON.stringify(params)}`));
    }
    await page.$eval('[data-room] .controls .quiet-button', (button) => button.click());
    await textMatching(page, '[data-trace-stage=queryFeatures] .stepper', /1 to \d+ of 273/);
    await page.setViewport({ width: 1280, height: 900 });
    await show({ linear: 'favor.8.3', causal: 'on' });
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
    const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    assert.deepEqual(
      serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
      [],
    );
  });

  test('nothing went wrong on the way', () => assert.deepEqual(opened.problems, []));
});

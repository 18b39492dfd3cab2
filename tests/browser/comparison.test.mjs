// Mechanisms side by side: the numbers of ten pairs are those of the package on the shared input, and three refusals offer others.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { goTo, linkOf, text, textMatching, withRoom } from './support.mjs';

const defaults = (id) => list().find((entry) => entry.id === id).defaults;

describe('mechanisms side by side', () => {
  let server, opened, page, fovea;

  withRoom((room) => ({ server, opened, page } = room));
  before(async () => (fovea = await load({ deterministic: true })));
  after(() => fovea.dispose());

  const open = async (ids, params = {}) => {
    const hash = new URLSearchParams({ lang: 'en', with: ids.join(','), ...params });
    await goTo(page, `${server.url}#/compare?${hash}`);
    await page.waitForSelector('[data-compared], [data-refusal]');
  };
  const shown = (id) =>
    page.$$eval(`[data-table="compared-${id}"] td:not(:first-child), [data-table="compared-${id}"] tbody td`, (cells) =>
      cells.filter((cell) => cell.closest('tbody')).map((cell) => Number(cell.textContent.replace('−', '-'))),
    );
  const stage = (result, name) => result.trace.find((one) => one.name === name);
  const near = (found, data, what) => {
    assert.equal(found.length, data.length, what);
    found.forEach((x, n) =>
      assert.ok(Math.abs(x - data[n]) <= 6e-5 * Math.max(1, Math.abs(data[n])), `${what}, ${n}: ${x}, ${data[n]}`),
    );
  };

  const noScale = { scale: undefined };
  /** Arguments of each mechanism: [id, inputs, params, options]; the first two letters of a pair as the address has them. */
  const pairs = () => {
    const [self, heads, local, reformer] = ['self_attention', 'multi_head', 'local', 'reformer'].map(defaults);
    const [scaled, performer, additive, hard, longformer] = ['scaled_dot', 'performer', 'additive', 'hard', 'longformer'].map(
      defaults,
    );
    const { Wq, Wk, Wv } = heads.params;
    const three = (x) => ({ q: x, k: x, v: x });
    const traced = run(fovea, 'self_attention');
    const projected = { q: stage(traced, 'query'), k: stage(traced, 'key'), v: stage(traced, 'value') };
    return [
      [['local'], ['longformer', { x: local.inputs.x }, undefined, { scale: 0 }]],
      [['longformer'], ['bigbird', { x: longformer.inputs.x }, undefined, { scale: 0 }]],
      [['scaled_dot'], ['dot', scaled.inputs]],
      [['performer'], ['scaled_dot', performer.inputs]],
      [['multi_head'], ['self_attention', heads.inputs, { Wq, Wk, Wv }, { scale: 1 }]],
      [
        ['self_attention', self.inputs, self.params],
        ['linear', projected],
      ],
      [['additive'], ['dot', additive.inputs]],
      [['hard'], ['entmax', hard.inputs]],
      [['reformer'], ['local', { x: reformer.inputs.x }, undefined, noScale]],
      [['local'], ['scaled_dot', three(local.inputs.x)]],
    ];
  };

  test('ten pairs show the weights that the package gives, on one scale', async () => {
    for (const pair of pairs()) {
      const ids = pair.map(([id]) => id);
      await open(ids);
      const limits = await page.$$eval('[data-compared]', (parts) => parts.map(({ dataset }) => dataset.limit));
      assert.equal(new Set(limits).size, 1, ids.join());
      for (const [id, inputs, params, options] of pair) {
        const { shape, data } = stage(run(fovea, id, inputs, params, options), 'weights');
        const [rows, cols] = shape.slice(-2);
        near(await shown(id), [...data.slice(0, rows * cols)], `${id} of ${ids.join()}`);
      }
    }
    assert.deepEqual(opened.problems, []);
  });

  test("the visitor's own matrices: all run on them, in a link too; what another cannot take is refused", async () => {
    await open(['scaled_dot', 'dot']);
    await page.$eval('[data-own-matrices]', (details) => (details.open = true));
    const bring = async (matrices) => {
      await page.$eval('[data-own-matrices] textarea', (field) => (field.value = ''));
      await page.type('[data-own-matrices] textarea', JSON.stringify(matrices));
      await page.locator('[data-use]').click();
    };
    const own = { q: [[1, 2], [0, 1]], k: [[1, 0], [0, 1], [2, -1]], v: [[1, 0], [0, 1], [1, 1]] }; // prettier-ignore
    const [ofScaled, ofDot] = ['scaled_dot', 'dot'].map((id) => run(fovea, id, own, undefined, id === 'dot' ? noScale : {}));
    await bring(own);
    await page.waitForSelector('[data-own-input]');
    near(await shown('dot'), stage(ofDot, 'weights').data, 'dot');
    near(await shown('scaled_dot'), stage(ofScaled, 'weights').data, 'scaled_dot');
    const link = await linkOf(page);
    await page.goto('about:blank');
    await page.goto(link, { waitUntil: 'load' });
    await page.waitForSelector('[data-own-input]');
    near(await shown('dot'), stage(ofDot, 'weights').data, 'dot, from the link');
    await page.locator('[data-back]').click();
    await page.waitForFunction(() => !document.querySelector('[data-own-input]'));
    near(await shown('dot'), stage(run(fovea, 'dot', defaults('scaled_dot').inputs), 'weights').data, 'back');

    await open(['scaled_dot', 'rope'], { input: 'scaled_dot' });
    await page.$eval('[data-own-matrices]', (details) => (details.open = true));
    const before = await shown('rope');
    await bring(Object.fromEntries(Object.keys(own).map((name) => [name, [[1, 2, 3]]])));
    await textMatching(page, '[data-refused]', /3/);
    assert.deepEqual(await shown('rope'), before);
  });

  test('three refusals say why, and what they offer compares', async () => {
    for (const [ids, why] of [
      [['xformer_cost', 'reformer'], /counts work and has no input/],
      [['memory_network', 'local'], /takes story, question, .* takes x/],
      [['bilinear', 'location'], /fit its own input/],
    ]) {
      await open(ids);
      assert.match(await text(page, '[data-refusal]'), why);
      await page.$eval('[data-refusal] a', (link) => link.click());
      await page.waitForSelector('[data-compared]');
      assert.equal(await page.$('[data-refusal]'), null);
    }
    assert.deepEqual(opened.problems, []);
  });

  test('approximations: the map of the error, its norm, and outputs where weights have other shapes', async () => {
    await open(['performer', 'scaled_dot'], { view: 'difference' });
    const result = run(fovea, 'performer');
    const [weights, exact] = ['weights', 'exactWeights'].map((name) => stage(result, name).data);
    const error = [...weights].map((w, n) => w - exact[n]);
    near(await shown('performer'), error, 'difference');
    const norm = Number(await page.$eval('[data-compared=performer] [data-norm]', (note) => note.dataset.norm));
    assert.ok(Math.abs(norm - Math.hypot(...error) / Math.hypot(...exact)) < 1e-5);
    await textMatching(page, '[data-compared=scaled_dot]', /Reference/);
    await open(['linformer', 'scaled_dot'], { view: 'difference' });
    await textMatching(page, '[data-compared=linformer] [data-norm]', /^Outputs/);
  });

  test('the comparison is there as a script, on the input that is compared', async () => {
    await open(['scaled_dot', 'additive']);
    await page.locator('[data-script] summary').click();
    await page.waitForSelector('[data-code]');
    const script = await text(page, '[data-code]');
    assert.match(script, /print\('scaled-dot', fovea\.attention\(/);
    assert.match(script, /print\('additive', /);
  });

  test('cursors are linked: the keyboard in one picture reads the same pair in the other', async () => {
    await open(['local', 'longformer']);
    await page.focus('[data-matrix=compared-local]');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await textMatching(page, '[data-compared=local] [data-reading]', /^query cat, key cat, weight/);
    await textMatching(page, '[data-compared=longformer] [data-reading]', /^query cat, key cat, weight/);
  });

  test('weights beside contributions, heads with entropy, what is lacking, and the caution once', async () => {
    await open(['multi_head', 'self_attention'], { view: 'contributions' });
    const result = run(fovea, 'multi_head');
    const [weights, values] = ['weights', 'value'].map((name) => stage(result, name));
    const [, T, D] = values.shape;
    const norms = Array.from({ length: T }, (_, j) => Math.hypot(...values.data.slice(j * D, (j + 1) * D)));
    near(
      await shown('multi_head'),
      [...weights.data.slice(0, T * T)].map((w, n) => w * norms[n % T]),
      'contributions',
    );
    assert.equal((await page.$$('[data-caution]')).length, 1);
    assert.match(await text(page, '[data-caution]'), /not by itself an explanation.*Jain.*Wiegreffe/);
    const entropy = Number(await page.$eval('[data-compared=multi_head] [data-entropy]', (note) => note.dataset.entropy));
    const rows = Array.from({ length: T }, (_, i) => [...weights.data.slice(i * T, (i + 1) * T)]);
    const expected = rows.map((row) => row.reduce((sum, w) => sum - (w > 0 ? w * Math.log(w) : 0), 0));
    assert.ok(Math.abs(entropy - expected.reduce((a, b) => a + b) / T) < 1e-5);
    assert.ok(await page.$('[data-compared=self_attention] [data-lack=heads]'));
    assert.equal((await page.$$('[data-compared=multi_head] [data-multiple]')).length, 4);
  });

  test('reached from a mechanism and from its sibling; a broken link says so; a third is added and removed', async () => {
    await goTo(page, `${server.url}#/performer?lang=en`);
    await (await page.waitForSelector('[data-side-by-side]')).click();
    await page.waitForSelector('[data-compared=performer]');
    assert.ok(await page.$('[data-compared=linear]'));
    await page.goBack();
    await (await page.waitForSelector('[data-compare]')).click();
    await page.waitForSelector('[data-compared=performer]');
    await page.locator('[data-add]').click();
    await page.waitForFunction(() => document.querySelectorAll('[data-compared]').length === 3);
    await page.select('[data-choice=performer]', 'cosine');
    await page.waitForSelector('[data-compared=cosine]');
    await open(['constructor', '<b>']);
    assert.ok(await page.$('[data-unknown]'));
    assert.deepEqual(opened.problems, []);
  });
});

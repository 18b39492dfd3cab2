// Sparse attention in the room: patterns chosen and combined, against what the package computes in Node.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { pattern as builders } from '../../dist/pattern.node.js';
import { withSparseRoom } from './sparse_support.mjs';
import {
  choose,
  drawn,
  flip,
  fromMenu,
  printedBy,
  root,
  scriptOn,
  settledParams,
  table,
  text,
  textMatching,
  visit,
} from './support.mjs';

/** A pattern's permalink and the same pattern by the package, for every kind. */
const KINDS = [
  ['local.1', (p) => p.local(1)],
  ['atrous.3', (p) => p.atrous(3)],
  ['sparse.2', (p) => p.local(2).or(p.atrous(2))],
  ['causal', (p) => p.causal()],
  ['truncated.2.1', (p) => p.truncated(2, 1)],
  ['strided.3', (p) => p.strided(3)],
  ['fixed.3.1', (p) => p.fixed(3, 1)],
  ['longformer.2.1', (p) => p.longformer({ window: 2, globalTokens: [0] })],
  ['bigBird.2.1.7', (p) => p.bigBird({ block: 2, window: 3, global: 1, random: 1, seed: 7 })],
  ['block.4', (p) => p.block(4)],
  ['global.2.2', (p) => p.globalTokens([1, 2])],
];

const WORDS = 'one two three four five six seven eight nine';

describe('sparse attention in the room', () => {
  let server, opened, page, show, kept, grid, numbers, maskOf, assertShows;

  withSparseRoom((room) => ({ server, opened, page, show, kept, grid, numbers, maskOf, assertShows } = room));

  async function setField(name, value) {
    const field = await page.waitForSelector(`::-p-aria([name="${name}"][role="spinbutton"])`);
    await field.click({ clickCount: 3 });
    await field.type(String(value));
  }

  test('dense attention has no pattern; a window keeps near pairs, renormalized as the core computes it', async () => {
    await visit(page, server.url, { scale: '1' });
    assert.equal(await page.$('[data-trace-stage=masked]'), null);
    const dense = await table(page, 'weights');
    await flip(page, 'All digits');
    await choose(page, 'sparse');
    await kept(/7 of 9 pairs kept, density 0\.78\. Every query keeps at least one key/);
    assert.equal(await text(page, '[data-room] .controls .quiet-button'), '7 of 9 pairs ↓');
    await drawn(page);
    await assertShows(builders.local(1));
    assert.deepEqual((await table(page, 'masked'))[0], ['2', '4', '−∞']);
    assert.deepEqual((await table(page, 'scaled'))[0], ['2', '4', '4']);
    await flip(page, 'All digits');
    assert.deepEqual(await table(page, 'dense'), dense);
    await textMatching(page, '[data-row-sum]', /0\.1192 \+ 0\.8808 \+ 0 = 1/);
    // The tests that follow compare whole numbers with those of the core.
    await flip(page, 'All digits');
    assert.match(await text(page, '[data-trace-stage=pattern] .provenance'), /no learned parameters/);
    assert.match(await text(page, '[data-trace-stage=masked] .body'), /score −∞, and so weight 0\. A score of 0 would not do/);
  });

  test('a number changes the pattern; what is out of range does not', async () => {
    await show({ scale: '1', pattern: 'local.1' });
    await setField('each side', 0);
    await kept(/3 of 9/);
    await assertShows(builders.local(0));
    await setField('each side', -5);
    await page.keyboard.press('Tab');
    assert.equal(await page.$eval('[data-part] input[type=number]', (field) => field.value), '0');
    await kept(/3 of 9/);
  });

  test('parts are joined by or, by and, and negated', async () => {
    await show({ scale: '1', pattern: 'local.0' });
    await (await page.waitForSelector('::-p-text(+ Add a part)')).click();
    await setField('every', 2);
    await kept(/5 of 9/);
    await assertShows(builders.local(0).or(builders.atrous(2)));
    await choose(page, 'and');
    await kept(/3 of 9/);
    await page.$$eval('[data-part] .not input', ([first]) => first.click());
    await kept(/2 of 9/);
    await assertShows(builders.local(0).not().and(builders.atrous(2)));
    assert.match(await scriptOn(page), /pattern\.local\(0\)\.not\(\)\.and\(pattern\.atrous\(2\)\)/);
    await page.$eval('.remove', (button) => button.click());
    await kept(/5 of 9/);
    await page.waitForFunction(() => document.activeElement.classList.contains('add'));
  });

  test('every kind of pattern keeps the pairs that the package says, and its link brings it back', async () => {
    for (const [link, make] of KINDS) {
      await show({ input: 'text', text: WORDS, head: 'nearby', pattern: link });
      assert.deepEqual(await grid(), maskOf(make(builders), 9), link);
      await page.waitForFunction(
        (expected) => new URLSearchParams(location.hash.split('?')[1]).get('pattern') === expected,
        {},
        link,
      );
    }
  });

  test('choosing another kind takes its usual numbers', async () => {
    await show({ input: 'text', text: WORDS, head: 'nearby', pattern: 'local.1' });
    await page.select('[data-part] select', 'strided');
    await page.waitForSelector('[data-part=strided]');
    assert.deepEqual(await grid(), maskOf(builders.strided(3), 9));
  });

  test('the permalink keeps parts, their joint, and painted pairs', async () => {
    for (const params of [
      { pattern: 'not.local.1_global.1.1_causal', join: 'and' },
      { pattern: 'paint.3.z4A', causal: 'on', cell: 'dense.2.1' },
    ]) {
      const state = { input: 'example', scale: '1', cell: 'weights.0.1', lang: 'en', notation: 'rows', ...params };
      await show(state);
      assert.deepEqual(await settledParams(page), state);
    }
    assert.deepEqual(await grid(), [
      [1, 1, 0],
      [0, 1, 1],
      [1, 1, 1],
    ]);
    assert.match(await text(page, '[data-kept]'), /7 of 9 pairs kept, density 0\.78\. With the causal mask 5\./);
    for (const wrong of ['paint.3.z4', 'paint.99.AAAA', 'nothing.1', 'local.1e9']) {
      await show({ pattern: wrong });
      assert.equal(await page.$('[data-trace-stage=masked]'), null, wrong);
    }
  });

  test('the copied script gives the shown numbers, bit for bit', async () => {
    for (const pattern of ['sparse.1_not.global.1.1', 'paint.3.z4A']) {
      await show({ scale: 'sqrt', pattern });
      const script = await scriptOn(page);
      const printed = await printedBy(script);
      for (const name of ['weights', 'output']) {
        const shown = (await numbers(name)).map((row) => row.map(Math.fround));
        assert.deepEqual(printed[name], shown, name);
      }
    }
  });

  test('what BigBird draws says so, in the picture and in its file', async () => {
    await show({ input: 'text', text: WORDS, head: 'nearby', pattern: 'bigBird.1.1.7' });
    assert.match(
      await text(page, '[data-trace-stage=pattern] .provenance'),
      /no learned parameters · random by definition, seed 7$/,
    );
    await page.evaluate(() => {
      URL.createObjectURL = (blob) => ((window.saved = blob), 'blob:');
      HTMLAnchorElement.prototype.click = () => {};
    });
    await fromMenu(page, '[data-trace-stage=weights]', 'json');
    await page.waitForFunction(() => window.saved);
    const json = JSON.parse(await page.evaluate(() => window.saved.text()));
    assert.equal(json.pattern.seed, 7);
    assert.deepEqual(json.pattern.json[0], 'or');
    assert.match(json.pattern.text, /random/);
  });

  test('every formula with a pattern was typeset at build time', async () => {
    for (const causal of ['on', 'off']) {
      for (const notation of ['rows', 'columns']) {
        await show({ pattern: 'local.1', causal, notation, scale: 'sqrt' });
        const bare = await page.$$eval('.untypeset', (elements) => elements.map((element) => element.textContent));
        assert.deepEqual(bare, [], `${causal} ${notation}`);
      }
    }
  });

  test('in Chinese', async () => {
    await show({
      input: 'text',
      text: '猫追老鼠，因为它饿了',
      head: 'pronoun',
      pattern: 'local.1',
      lang: 'zh',
    });
    assert.match(await text(page, '[data-kept]'), /^保留 22 对，共 64 对，密度 0\.34。 每个查询都至少保留一个键。$/);
    assert.match(await text(page, '[data-trace-stage=masked] .body'), /只计算保留的对.*权重为 0/);
    assert.match(await text(page, '[data-part=local]'), /局部窗口.*两侧各/);
    await choose(page, 'paint');
    await (await page.waitForSelector('::-p-text(全部去掉)')).click();
    await textMatching(page, '[data-kept]', /猫、追、.*没有保留任何键：分数全为 −∞，于是权重全为 0/);
    await show({});
  });

  test('axe-core finds nothing serious in chosen and in painted patterns', async () => {
    const axe = await readFile(`${root}node_modules/axe-core/axe.min.js`, 'utf8');
    for (const pattern of ['local.1_bigBird.1.1.7', 'paint.3.z4A']) {
      await show({ pattern });
      await page.evaluate(axe);
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(
        serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
        [],
      );
    }
  });

  test('nothing went wrong on the way', () => assert.deepEqual(opened.problems, []));
});

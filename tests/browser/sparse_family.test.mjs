// The family of sparse attention: pairs kept and reached, combined and painted, timed; pixels, hashes and costs: against the package.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { reformer, xformerCost } from 'fovea/mechanisms';
import { pattern } from 'fovea/pattern';
import { goTo, text, textMatching, withRoom } from './support.mjs';

const fovea = await load({ deterministic: true });
const ids = list()
  .filter(({ family }) => family === 'sparse')
  .map(({ id }) => id);
const optionsOf = (id) => list().find((entry) => entry.id === id).defaults.options;
const PATTERNS = {
  local: pattern.local(1),
  atrous: pattern.atrous(3),
  sparse_transformer: pattern.strided(3),
  longformer: pattern.longformer({ window: 2, globalTokens: [0] }),
  bigbird: pattern.bigBird({ block: 1, window: 3, global: 1, random: 1, seed: optionsOf('bigbird').seed }),
};
const WORDS = 9;

/** The mask's Boolean powers, pair by pair: the first in which each pair stands, 0 where none. */
function layersOf(kept, n) {
  const mask = Array.from(kept.toMask(fovea, { queries: n, keys: n }).data);
  const layers = mask.map(() => 0);
  let power = mask;
  for (let layer = 1; layer <= n; layer++) {
    power.forEach((reached, at) => {
      if (reached && layers[at] === 0) layers[at] = layer;
    });
    const before = power;
    power = mask.map((_, at) => {
      const [i, j] = [Math.floor(at / n), at % n];
      return Number(before.some((_, m) => m < n && mask[i * n + m] && before[m * n + j]));
    });
  }
  return layers;
}

describe('the family of sparse attention', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  /** From another page of the family without loading anew: a mechanism begins with its defaults. */
  async function open(id, { language = 'en', touch = false } = {}) {
    await page.setViewport(touch ? { width: 390, height: 844, hasTouch: true, isMobile: true } : { width: 1280, height: 800 });
    const path = `/${id.replaceAll('_', '-')}?lang=${language}`;
    if ((await page.$(`article:not([data-mechanism=${id}])`)) === null || touch) {
      await goTo(page, `${server.url}#${path}`);
    } else await page.evaluate((hash) => (location.hash = hash), path);
    await page.waitForSelector(`[data-mechanism=${id}] .picture [role=application]`);
  }
  const table = (id) =>
    page.$eval(`.picture [data-table="${id}"]`, (element) =>
      [...element.querySelectorAll('tbody tr')].flatMap((row) =>
        [...row.querySelectorAll('td')].map((cell) => cell.textContent.replace('−', '-')),
      ),
    );
  /** Layers as the table behind the grid has them. */
  const shown = async () => (await table('reach')).map((cell) => Number(/\d+/.exec(cell)?.[0] ?? 0));
  const choose = (value, group = '') =>
    page.$eval(`.picture ${group} input[type=radio][value="${value}"]`, (input) => input.click());
  const keys = async (selector, ...pressed) => {
    await page.$eval(selector, (element) => element.focus());
    for (const key of pressed) await page.keyboard.press(key);
  };
  const kept = (source) => textMatching(page, '[data-kept]', source);

  test('each page opens on its picture, and the keyboard alone answers its question', async () => {
    for (const id of ids) {
      await open(id);
      await page.focus('[data-prediction] input');
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-prediction] [data-revealed]');
      assert.match(await text(page, '[data-prediction] .shown'), /\d/, id);
    }
    assert.deepEqual(opened.problems, []);
  });

  test('pairs are counted, by list and by formula, and reached in as many layers as Boolean powers say', async () => {
    for (const [id, own] of Object.entries(PATTERNS)) {
      await open(id);
      const layers = layersOf(own, WORDS);
      const count = layers.filter((layer) => layer === 1).length;
      await kept(new RegExp(`^${count} of 81 pairs are kept`));
      assert.match(await text(page, '[data-formula]'), new RegExp(`Formula: ${count} =|at most ${count}:`), id);
      assert.deepEqual(
        await shown(),
        layers.map((layer) => Number(layer === 1)),
      );
      await keys('.stepper input', 'End');
      const depth = Math.max(...layers);
      await page.waitForFunction((to) => document.querySelector('.stepper b').textContent === String(to), {}, depth);
      assert.deepEqual(await shown(), layers, id);
      const ends = layers[(WORDS - 1) * WORDS];
      assert.match(await text(page, '[data-reach]'), ends === 0 ? /never reaches/ : new RegExp(`after ${ends} layer`), id);
    }
    assert.deepEqual(opened.problems, []);
  });

  test('the arrow keys read the way of a pair, and the net follows; longer texts are counted', async () => {
    await open('local');
    await keys('.picture [data-matrix=reach]', 'ArrowUp', 'ArrowRight');
    await textMatching(
      page,
      '.picture [data-reading]',
      /^query bird, key cat: layer 6, bird ← the ← and ← dog ← the ← saw ← cat$/,
    );
    await keys('[data-net]', 'ArrowLeft');
    await textMatching(page, '.picture [data-reading]', /^query the, key cat: layer 5/);
    await choose('64');
    const { pairs } = xformerCost(fovea, {}, {}, { n: 64, d: 1, kinds: { local: { k: 1 } } }).local;
    await kept(new RegExp(`^${pairs} of 4,096 pairs are kept.*Formula: ${pairs} =`));
    await textMatching(page, '[data-reach]', /after 63 layers/);
  });

  test('patterns are combined and negated; the mechanism stays as it is, and the start comes back', async () => {
    await open('local');
    await choose('combine');
    const combined = pattern.local(1).or(pattern.atrous(3));
    const count = (one) => layersOf(one, WORDS).filter((layer) => layer === 1).length;
    await kept(new RegExp(`^${count(combined)} of 81`));
    assert.equal(await page.$eval('[data-holds]', (note) => note.dataset.holds), 'true');
    await page.$$eval('[data-part] .not input', ([first]) => first.click());
    await kept(new RegExp(`^${count(pattern.local(1).not().or(pattern.atrous(3)))} of 81`));
    await choose('and', '.parts');
    await kept(new RegExp(`^${count(pattern.local(1).not().and(pattern.atrous(3)))} of 81`));
    await page.$eval('[data-script] summary', (summary) => summary.click());
    await page.waitForSelector('[data-script] [data-code]');
    assert.match(
      await text(page, '[data-script] [data-code]'),
      /ownPattern = pattern\.local\(1\)\.not\(\)\.and\(pattern\.atrous\(3\)\);/,
    );
    await page.$eval('.below .quiet-button:not([aria-pressed])', (button) => button.click());
    await kept(/^25 of 81/);
    await page.waitForSelector('[data-way=given]');
    assert.match(await text(page, '[data-script] [data-code]'), /pattern: pattern\.local\(radius\)/);
    assert.deepEqual(opened.problems, []);
  });

  test('pairs are painted with Space and with the mouse', async () => {
    await open('local');
    await choose('paint');
    await page.waitForSelector('.painted');
    await keys('.picture [data-matrix=reach]', 'Home', 'Space');
    await kept(/^26 of 81/);
    await textMatching(page, '[data-reach]', /reaches the last word after 1 layer/);
    await page.keyboard.press('Space');
    await kept(/^25 of 81/);
    const { x, y, width, height } = await (await page.$('.picture [data-matrix=reach]')).boundingBox();
    // Cells are 34 × 28 and end 7 and 3 before the edges.
    const point = (row, col) => [x + width - 7 - 34 * (8.5 - col), y + height - 3 - 28 * (8.5 - row)];
    await page.mouse.move(...point(0, 3));
    await page.mouse.down();
    await page.mouse.move(...point(0, 6));
    await page.mouse.up();
    await kept(/^29 of 81/);
    assert.deepEqual(opened.problems, []);
  });

  test('time is measured when asked for, counted where it is too short, and discarded when the page was hidden', async () => {
    await open('local');
    await choose('64', '[data-timing]');
    const { full, local } = xformerCost(fovea, {}, {}, { n: 64, d: 64, kinds: { full: {}, local: { k: 1 } } });
    const whole = (x) => x.toLocaleString('en');
    const counts = `Counted: ${whole(local.multiplyAdds)} multiply-adds beside ${whole(full.multiplyAdds)} of`;
    await textMatching(page, '[data-counts]', new RegExp(counts));
    assert.equal(await page.$('.measure'), null);
    await choose('256', '[data-timing]');
    await (await page.waitForSelector('.measure')).click();
    await page.waitForSelector('[data-measured]');
    const measured = await text(page, '[data-measured]');
    const [dense, sparse] = [...measured.matchAll(/: ([\d.e-]+) ms \(quartiles ([\d.e-]+) to ([\d.e-]+), (\d+) runs\)/g)].map(
      (found) => found.slice(1).map(Number),
    );
    for (const [median, lower, upper, runs] of [dense, sparse]) {
      assert.ok(lower <= median && median <= upper && lower >= 0 && runs >= 9, measured);
      assert.ok(median > 0, measured);
    }
    assert.match(measured, /Timer step [\d.]+ ms, page not isolated, width 64/);
    await choose('1024', '[data-timing]');
    await page.waitForSelector('[data-counts]');
    await page.evaluate(() => {
      document.querySelector('.measure').click();
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.waitForSelector('[data-discarded]');
    assert.equal(await page.$('[data-measured]'), null);
    assert.deepEqual(opened.problems, []);
  });

  test('axial: each pass shows a row of its weights; two passes along the row leave the rest out', async () => {
    await open('axial');
    const rowOf = (name, at, options) => {
      const { data } = run(fovea, 'axial', undefined, undefined, options).trace.find((stage) => stage.name === name);
      return [...data.slice(12 * at, 12 * at + 12)];
    };
    const near = async (expected) => {
      const numbers = (await table('pixels')).map(Number);
      expected.forEach((x, i) => assert.ok(Math.abs(numbers[i] - x) < 5e-5, `${numbers}`));
    };
    await near(rowOf('firstWeights', 5));
    await keys('.picture [data-matrix=pixels]', 'ArrowDown', 'ArrowRight');
    await near(rowOf('firstWeights', 10));
    await keys('.picture [data-multiple="0"] input', 'ArrowRight');
    await near(rowOf('secondWeights', 10));
    await page.keyboard.press('ArrowRight');
    await near(rowOf('output', 10));
    await kept(/84 pairs; all pairs would be 144\. Formula: n\(h \+ w\) = 84/);
    await choose('rowRow');
    await textMatching(page, '[data-held]', /4 of 12 pixels/);
    await near(rowOf('output', 10, { passes: [1, 1] }));
    await choose('2', '.controls');
    await textMatching(page, '[data-kept]', /768 pairs; all pairs would be 2,304/);
    assert.deepEqual(opened.problems, []);
  });

  test('reformer: with one round some closest tokens are missed and marked, with two none', async () => {
    await open('reformer');
    const missed = () => page.$eval('[data-missed]', (note) => Number(note.dataset.missed));
    assert.equal(await missed(), 0);
    await keys('.stepper input', 'Home');
    await page.waitForFunction(() => document.querySelector('.stepper b').textContent === '1');
    const { x } = list().find(({ id }) => id === 'reformer').defaults.inputs;
    const { data } = reformer(fovea, { x }, {}, { lsh: { ...optionsOf('reformer').lsh, rounds: 1 } }).buckets;
    const apart = x.filter((_, i) => data[i] !== data[i ^ 1]).length;
    assert.ok(apart > 0);
    assert.equal(await missed(), apart);
    await keys('[data-circles]', 'ArrowRight');
    const others = data.reduce((sum, bucket, i) => sum + Number(i !== 1 && bucket === data[1]), 0);
    await page.waitForFunction(
      (count) => document.querySelectorAll('[data-circles] circle.on').length === count,
      {},
      others + 1,
    );
    await choose('24');
    await textMatching(page, '[data-kept]', /of 552 pairs/);
    assert.deepEqual(opened.problems, []);
  });

  test('costs are the package’s at every length', async () => {
    await open('xformer_cost');
    const { kinds } = optionsOf('xformer_cost');
    const column = (name) =>
      page.$$eval(`[data-table=bars] td[data-column=${name}]`, (cells) => cells.map((cell) => cell.textContent));
    const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
    const expected = (n, name) =>
      Object.values(xformerCost(fovea, {}, {}, { n, d: 64, kinds })).map((cost) => compact.format(cost[name]));
    assert.deepEqual(await column('pairs'), expected(1024, 'pairs'));
    assert.deepEqual(await column('multiplyAdds'), expected(1024, 'multiplyAdds'));
    await keys('.stepper input', 'Home');
    await page.waitForFunction(() => document.querySelector('.stepper b').textContent === '64');
    assert.deepEqual(await column('multiplyAdds'), expected(64, 'multiplyAdds'));
    await keys('[data-bars]', ...Array(9).fill('ArrowDown'));
    await textMatching(page, '[data-cost]', /^Performer: 4\.02 times as many multiply-adds.*cheaper from 512 words on/);
    assert.deepEqual(opened.problems, []);
  });

  test('by touch at 390 × 844, in Chinese: a layer more, a pair painted, the question answered', async () => {
    await open('longformer', { language: 'zh', touch: true });
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
    const [, on] = await page.$$('.stepper button');
    await on.tap();
    await textMatching(page, '[data-reach]', /2 层时，81 对中有 81 对连通/);
    await choose('paint');
    const grid = await page.waitForSelector('.painted');
    await grid.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    const before = Number(/保留 (\d+) 对/.exec(await text(page, '[data-kept]'))[1]);
    const { x, y, width, height } = await grid.boundingBox();
    await page.touchscreen.tap(x + width - 7 - 16, y + height - 3 - 28 * 6.5);
    await kept(new RegExp(`保留 ${before + 1} 对`));
    const label = await page.waitForSelector('[data-prediction] label');
    await label.tap();
    await (await page.waitForSelector('[data-prediction] .primary')).tap();
    await page.waitForSelector('[data-prediction] [data-revealed]');
    assert.deepEqual(opened.problems, []);
  });
});

// Alignment in encoder-decoders: words are made one by one, the window is moved, sources and flags switched; by the keyboard and by touch.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { rnn } from 'fovea/ops';
import { choose, goTo, text, textMatching, withRoom } from './support.mjs';

const fovea = await load({ deterministic: true });
const entryOf = (id) => list().find((entry) => entry.id === id);
const stageOf = (id, name, { inputs, params, options } = {}) =>
  run(fovea, id, inputs, params, options).trace.find((stage) => stage.name === name);
const rowsOf = ({ data, shape }) =>
  Array.from({ length: data.length / shape.at(-1) }, (_, r) => [...data.slice(r * shape.at(-1), (r + 1) * shape.at(-1))]);
/** Numbers as the page writes them: with true minus signs. */
const read = (shown) => Number(shown.replaceAll('−', '-'));

describe('the family of alignment', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  async function open(id, { language = 'en', touch = false } = {}) {
    await page.setViewport(touch ? { width: 390, height: 844, hasTouch: true, isMobile: true } : { width: 1280, height: 800 });
    await goTo(page, `${server.url}#/${id.replaceAll('_', '-')}?lang=${language}&notation=rows`);
    await page.waitForSelector(`[data-view="${id}"]`);
  }
  const matrix = async (name) =>
    (
      await page.$$eval(`.picture [data-table="${name}"] tbody tr`, (rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
      )
    ).map((row) => row.map(read));
  const column = (table, name) =>
    page
      .$$eval(`.picture [data-table=${table}] td[data-column=${name}]`, (cells) => cells.map((cell) => cell.textContent))
      .then((cells) => cells.map(read));
  function near(shown, numbers) {
    assert.equal(shown.length, numbers.length);
    for (const [i, x] of numbers.entries()) assert.ok(Math.abs(shown[i] - x) <= 5.01e-4, `${shown} against ${numbers}`);
  }
  const nearRows = (shown, rows) => {
    assert.equal(shown.length, rows.length);
    rows.forEach((row, i) => near(shown[i], row));
  };
  /** Waits, since changes by touch may be drawn some frames later. */
  async function nearSoon(read, rows) {
    for (let frame = 0; frame < 120; frame++) {
      const shown = await read();
      if (shown.flat().every((x, i) => Math.abs(x - rows.flat()[i]) <= 5.01e-4)) break;
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
    nearRows(await read(), rows);
  }
  const press = async (selector, times = 1) => {
    await page.focus(selector);
    for (let i = 0; i < times; i++) await page.keyboard.press('Enter');
  };
  const answer = async (id) => {
    await page.focus(`[data-prediction=${id}] input`);
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    return text(page, `[data-prediction=${id}] .shown`);
  };

  test('bahdanau: the matrix grows word by word, beside the same last state in every row', async () => {
    await open('bahdanau');
    const rows = rowsOf(stageOf('bahdanau', 'weights'));
    const unit = (factor) => [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i === j ? factor : 0)));
    const left = [...rnn(fovea, unit(1), { weight_ih_l0: unit(1), weight_hh_l0: unit(0.6) }).output.data.slice(-4)];
    nearRows(await matrix('weights'), rows.slice(0, 2));
    await press('[data-step=next]');
    nearRows(await matrix('weights'), rows.slice(0, 3));
    nearRows(await matrix('beside'), [left, left, left]);
    await press('[data-step=all]');
    nearRows(await matrix('weights'), rows);
    assert.match(
      await text(page, '[data-made="4"] [role=status]'),
      /la \(the\) zone \(Area\) économique \(Economic\) européenne \(European\)/,
    );
    await press('[data-step=back]', 3);
    nearRows(await matrix('weights'), rows.slice(0, 1));
    await page.$eval('[data-arcs] input', (input) => input.focus());
    assert.match(await answer('fixed_vector'), /0\.0\d\d/);
    assert.deepEqual(opened.problems, []);
  });

  test('luong: dot, general and concat, and another entry of the dictionary', async () => {
    await open('luong');
    await press('[data-step=all]');
    nearRows(await matrix('weights'), rowsOf(stageOf('luong', 'weights')));
    const { Wc, Wa } = entryOf('luong').defaults.params;
    await choose(page, 'dot');
    nearRows(await matrix('weights'), rowsOf(stageOf('luong', 'weights', { params: { Wc }, options: { score: 'dot' } })));
    // By additive units the dictionary's words are found, too.
    await choose(page, 'concat');
    const found = await matrix('weights');
    [0, 2, 3, 1].forEach((position, step) => assert.ok(found[step][position] > 0.99, `${found[step]}`));
    await choose(page, 'general');
    await press('[data-cells=Wa] [data-cell="0 0"]');
    const edited = Wa.map((row, r) => row.map((x, c) => (r === 0 && c === 0 ? 0 : x)));
    nearRows(await matrix('weights'), rowsOf(stageOf('luong', 'weights', { params: { Wc, Wa: edited } })));
    assert.deepEqual(opened.problems, []);
  });

  test('luong_local: the center by keys, buttons and dragging; D; the Gaussian; local-m', async () => {
    await open('luong_local');
    const rows = rowsOf(stageOf('luong_local', 'weights'));
    near(await column('window', 'weight'), rows[1]);
    assert.match(await text(page, '[data-window]'), /Center 4, window 2 to 6: 5 words.* 0\.497/);
    assert.match(await text(page, '[data-edge]'), /0\.135/);

    await page.$eval('[data-drag]', (svg) => svg.focus());
    for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowLeft');
    await textMatching(page, '[data-window]', /Center 3\.2, window 1\.2 to 5\.2: 4 words/);
    /** A fourth each, times the Gaussian of σ = 1. */
    const expected = (center) =>
      [...Array(8)].map((_, s) => (Math.abs(s - center) <= 2 ? Math.exp(-((s - center) ** 2) / 2) / 4 : 0));
    near(await column('window', 'weight'), expected(3.2));
    const more = await page.waitForSelector('::-p-aria([name="center p more"][role="button"])');
    await more.focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press('Enter');
    near(await column('window', 'weight'), expected(3.6));

    const { x, y, width } = await (await page.$('[data-drag]')).boundingBox();
    const at = (position) => x + ((position + 0.5) * width) / 8;
    await page.mouse.move(at(3.6), y + 60);
    await page.mouse.down();
    await page.mouse.move(at(5.5), y + 60, { steps: 4 });
    await page.mouse.up();
    await textMatching(page, '[data-window]', /Center 5\.5, window 3\.5 to 7\.5: 4 words/);

    await page.focus('.picture input[role=switch]');
    await page.keyboard.press('Space');
    near(await column('window', 'weight'), [0, 0, 0, 0, 0.25, 0.25, 0.25, 0.25]);
    await textMatching(page, '[data-window]', /sum to 1\./);
    await choose(page, 'monotonic');
    await press('[data-step=next]');
    await textMatching(page, '[data-window]', /Center 2, window 0 to 4: 5 words/);
    const wider = await page.waitForSelector('::-p-aria([name="D more"][role="button"])');
    await wider.focus();
    await page.keyboard.press('Enter');
    await textMatching(page, '[data-window]', /window −0\.5 to 4\.5/);

    assert.match(await answer('center_moves'), /2, 3, 4, 5/);
    assert.match(await text(page, '[data-prediction=center_moves] label.right'), /Only the weights/);
    await answer('center_moves_flat');
    assert.match(await text(page, '[data-prediction=center_moves_flat] label.right'), /Nothing/);
    assert.deepEqual(opened.problems, []);
  });

  test('by touch at 390 × 844, in Chinese: blocks, gates, the second source, the flag', async () => {
    const tap = async (value) => (await page.waitForSelector(`::-p-xpath(//label[input[@value="${value}"]])`)).tap();
    await open('conv_s2s', { language: 'zh', touch: true });
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
    const [first, second] = [0, 1].map((block) => rowsOf(stageOf('conv_s2s', 'weights')).slice(4 * block, 4 * block + 4));
    await nearSoon(() => matrix('weights'), first);
    await tap('1');
    await nearSoon(() => matrix('weights'), second);
    await tap('shut');
    const shut = stageOf('conv_s2s', 'weights', { params: entryOf('conv_s2s').defaults.contrast.params });
    await nearSoon(() => matrix('weights'), rowsOf(shut).slice(4));

    await open('multi_source', { language: 'zh', touch: true });
    near(await column('bars', 'probability'), rowsOf(stageOf('multi_source', 'probability'))[1]);
    await (await page.waitForSelector('.picture input[role=switch]')).tap();
    const alone = rowsOf(stageOf('multi_source', 'probability', { options: { source2Lengths: 0 } }))[1];
    assert.equal(alone[1], alone[2]);
    await nearSoon(async () => [await column('bars', 'probability')], [alone]);

    await open('task_specific', { language: 'zh', touch: true });
    await (await page.waitForSelector('[data-step=all]')).tap();
    const { inputs } = entryOf('task_specific').defaults;
    const [french, japanese] = [0, 1].map((task) =>
      rowsOf(stageOf('task_specific', 'weights', { inputs: { ...inputs, task } })),
    );
    await nearSoon(() => matrix('weights'), japanese);
    await nearSoon(() => matrix('beside'), french);
    await tap('0');
    await nearSoon(() => matrix('weights'), french);
    assert.match(await text(page, '[data-made="3"] [role=status]'), /je mange des pommes/);
    assert.deepEqual(opened.problems, []);
  });

  test('decomposable_attention: another order of words changes nothing, exchanged sentences do', async () => {
    await open('decomposable_attention');
    const { a, b } = entryOf('decomposable_attention').defaults.inputs;
    const verdict = (inputs) => rowsOf(stageOf('decomposable_attention', 'probability', { inputs }))[0];
    near(await column('bars', 'probability'), verdict({ a, b }));
    await press('[data-reorder]');
    assert.match(await text(page, '[data-verdict]'), /“cats chase women” → “people chase animals”.*0\.982/);
    near(await column('bars', 'probability'), verdict({ a, b }));
    await press('[data-exchange]');
    assert.match(await text(page, '[data-verdict]'), /“people chase animals” → “cats chase women”/);
    near(await column('bars', 'probability'), verdict({ a: b, b: [...a].reverse() }));
    assert.match(await answer('premise_reordered'), /0\.982 before, 0\.982 after/);
    assert.deepEqual(opened.problems, []);
  });

  test('recurrent encoders: what is left of each word, and the gates', async () => {
    for (const id of ['rnn', 'gru', 'lstm']) {
      await open(id);
      near(await column('bars', 'state'), [...stageOf(id, 'output').data]);
      await choose(page, 'other');
      const other = stageOf(id, 'output', { params: entryOf(id).defaults.contrast.params });
      near(await column('bars', 'state'), [...other.data]);
      await press('[data-step=back]');
      near(await column('bars', 'state'), [...other.data].slice(0, -1));
    }
    assert.deepEqual(opened.problems, []);
  });
});

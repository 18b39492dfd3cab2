// The family of pooling: its bars have the package's numbers, and follow what the visitor changes, by keyboard and by touch.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { choose, goTo, withRoom } from './support.mjs';

const fovea = await load({ deterministic: true });
const entryOf = (id) => list().find((entry) => entry.id === id);
const stageOf = ({ trace }, name) => [...trace.find((stage) => stage.name === name).data];

describe('the family of pooling', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  async function open(id, { language = 'en', touch = false } = {}) {
    await page.setViewport(touch ? { width: 390, height: 844, hasTouch: true, isMobile: true } : { width: 1280, height: 800 });
    await goTo(page, `${server.url}#/${id.replaceAll('_', '-')}?lang=${language}`);
    await page.waitForSelector(`[data-view="${id}"] [data-word]`);
  }
  const bars = (table, row) =>
    page.$$eval(`[data-table="${table}"] td[data-row="${row}"]`, (cells) => cells.map((cell) => Number(cell.dataset.value)));
  const holds = async (predicate, ...values) => page.waitForFunction(predicate, {}, ...values);

  test('saliency: another question moves the weights, the gates stay', async () => {
    await open('saliency');
    const { inputs, labels } = entryOf('saliency').defaults;
    const gates = stageOf(run(fovea, 'saliency'), 'gate');
    const focused = (axis) => {
      const q = [labels.x[1].map((one) => (one === axis ? 5 : 0))];
      return stageOf(run(fovea, 'dot', { q, k: inputs.x, v: inputs.x }), 'weights');
    };
    assert.deepEqual(await bars('words', 'gate'), gates);
    assert.deepEqual(await bars('words', 'weight'), focused('noun'));
    await page.focus('input[type=radio][value=noun]');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await bars('words', 'weight'), focused('verb'));
    assert.deepEqual(await bars('words', 'gate'), gates);
    await choose(page, 'nouns');
    const [, cat, chases] = await bars('words', 'gate');
    assert.ok(cat > 0.9 && chases < 0.1);
  });

  test('structured: equal rows raise the penalty', async () => {
    await open('structured_self_attention');
    const before = run(fovea, 'structured_self_attention');
    for (const hop of [0, 1, 2])
      assert.deepEqual(await bars('hops', `hop-${hop}`), stageOf(before, 'A').slice(7 * hop, 7 * hop + 7));
    const penalty = () => page.$eval('[data-penalty]', (one) => Number(one.dataset.penalty));
    assert.equal(await penalty(), stageOf(before, 'penalty')[0]);
    await page.focus('button.equal');
    await page.keyboard.press('Enter');
    const Ws2 = [
      [12, 12, 0],
      [0, 0, 0],
      [0, 0, 12],
    ];
    const after = run(fovea, 'structured_self_attention', undefined, {
      ...entryOf('structured_self_attention').defaults.params,
      Ws2,
    });
    await holds((x) => Number(document.querySelector('[data-penalty]').dataset.penalty) === x, stageOf(after, 'penalty')[0]);
    assert.ok((await penalty()) > 2);
    const squares = await page.$$eval('[data-cells=overlap] td:not(:first-child), [data-cells=overlap] tbody td', (cells) =>
      [...new Set(cells)]
        .filter((cell) => cell.closest('tbody'))
        .reduce((sum, cell) => sum + Number(cell.textContent.replaceAll('−', '-')) ** 2, 0),
    );
    assert.ok(Math.abs(squares - (await penalty())) < 0.02, 'the matrix shown has the penalty as its sum of squares');
  });

  test('hierarchical: one word is replaced by touch, and both levels follow', async () => {
    await open('hierarchical_attention', { language: 'zh', touch: true });
    assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
    const { inputs, params, labels } = entryOf('hierarchical_attention').samples.zh;
    const level = () => page.$$eval('[data-sentence-weight]', (all) => all.map((one) => Number(one.dataset.sentenceWeight)));
    assert.deepEqual(await level(), stageOf(run(fovea, 'hierarchical_attention', inputs, params), 'sentenceWeights'));
    await (await page.$('[data-sentence="0"] [data-word="2"]')).tap();
    await page.select('select.menu', '差');
    const awful = labels.words[2].map((axis) => Number(axis === '差' || axis === '贬义'));
    const words = inputs.words.map((sentence, s) => sentence.map((vector, t) => (s === 0 && t === 2 ? awful : vector)));
    const changed = run(fovea, 'hierarchical_attention', { words }, params);
    assert.deepEqual(await level(), stageOf(changed, 'sentenceWeights'));
    assert.deepEqual(await bars('sentence-0', 'weight'), stageOf(changed, 'wordWeights').slice(0, 5));
    assert.deepEqual(
      await page.$$eval('[data-mood]', (all) => all.map((one) => Number(one.dataset.probability))),
      stageOf(changed, 'probability'),
    );
    assert.ok((await level())[0] > 0.4);
  });

  test('sentence embedding: a moved word leaves the mean, and changes the pairs', async () => {
    await open('sentence_embedding');
    const { H } = entryOf('sentence_embedding').defaults.inputs;
    assert.deepEqual(await bars('summaries', 'mean'), stageOf(run(fovea, 'sentence_embedding'), 'mean'));
    assert.deepEqual(await bars('pairs', 'unit'), [0, 0, 1]);
    await page.focus('.move button');
    await page.keyboard.press('Enter');
    const moved = run(fovea, 'sentence_embedding', { H: [H[0], H[1], H[3], H[2]] });
    await holds((x) => Number(document.querySelector('[data-bigram]').dataset.bigram) === x, stageOf(moved, 'ngrams')[0]);
    assert.deepEqual(await bars('summaries', 'mean'), [0.25, 0.25, 0.25, 0.25]);
    assert.deepEqual(await bars('summaries', 'last'), [0, 0, 0, 1]);
  });

  test('each question is answered by the package; nothing went wrong on the way', async () => {
    for (const id of ['saliency', 'structured_self_attention', 'hierarchical_attention', 'sentence_embedding']) {
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

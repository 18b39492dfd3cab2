// Tests of the whole room: notation, keyboard, language, theme, permalink, narrow screens, formulas, accessibility.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accessibilityFaults } from './pages.mjs';
import {
  choose,
  drawn,
  flip,
  openPage,
  READING,
  settledParams,
  table,
  text,
  textMatching,
  visit,
  withRoom,
} from './support.mjs';

const SCALED = '[data-trace-stage=scaled] h3 annotation';

describe('the room', () => {
  let server, browser, opened, page;

  withRoom((room) => ({ server, browser, opened, page } = room));

  test('column notation turns formulas, matrices and the sum mark together, and is kept', async () => {
    await visit(page, server.url, { cell: 'weights.0.1' });
    const rows = await table(page, 'weights');
    assert.match(await text(page, '.whole'), /each row sums to 1/);
    assert.match(await text(page, '[data-trace-stage=weights] .col-title .sums'), /sums to 1/);
    await choose(page, 'columns');
    await textMatching(page, '.whole', /each column sums to 1/);
    assert.match(await text(page, '.whole annotation'), /^V\\operatorname\{softmax\}.*K\^\{\\top\}Q/);
    assert.equal(await text(page, '[data-trace-stage=output] h3 annotation'), 'O = V A');
    assert.match(await text(page, '[data-trace-stage=weights] .row-title .sums'), /sums to 1/);
    const columns = await table(page, 'weights');
    assert.deepEqual(
      columns,
      rows[0].map((_, j) => rows.map((row) => row[j])),
    );
    assert.equal(await text(page, '[data-of=scores] [data-sum]'), '4·1 + 4·0 + 0·2 = 4');
    await page.goto(`${server.url}#/self-attention`);
    await textMatching(page, '.whole', /column/);
    await choose(page, 'rows');
  });

  test('arrow keys move the selected cell, and a live region reads it', async () => {
    await visit(page, server.url, { cell: 'weights.0.1' });
    assert.equal(await page.$eval(READING, (element) => element.ariaLive), 'polite');
    await page.focus('[data-trace-stage=weights] [data-matrix=weights]');
    await page.keyboard.press('ArrowDown');
    await textMatching(page, READING, /^query q₂, key k₂, weight 0\.9820, 1st of 3$/);
    await page.keyboard.press('ArrowRight');
    await textMatching(page, READING, /^query q₂, key k₃, weight 0\.0180, 2nd of 3$/);
    await page.keyboard.press('ArrowRight');
    await textMatching(page, READING, /k₃/);
    await page.keyboard.press('Home');
    await textMatching(page, READING, /^query q₂, key k₁, weight 6\.03e−6, 3rd of 3$/);
    assert.equal(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'solid');
  });

  test('in column notation the arrows follow the picture', async () => {
    await visit(page, server.url, { cell: 'weights.0.1', notation: 'columns' });
    await page.focus('[data-trace-stage=weights] [data-matrix=weights]');
    await page.keyboard.press('ArrowRight');
    await textMatching(page, READING, /^query q₂, key k₂/);
  });

  test('the pointer shows a cell for as long as it stands on it', async () => {
    await visit(page, server.url, { cell: 'weights.0.1' });
    const picture = await page.$('[data-trace-stage=scores] [data-matrix=scores]');
    await picture.scrollIntoView();
    const { x, y, width, height } = await picture.boundingBox();
    await page.mouse.move(x + width * 0.6, y + height * 0.62);
    await textMatching(page, '[data-value]', /^16$/);
    await page.mouse.move(2, 2);
    await textMatching(page, '[data-value]', /^0\.4683$/);
  });

  test('the language switch turns the whole page, glossary words included', async () => {
    await visit(page, server.url, { cell: 'weights.0.1' });
    await choose(page, 'zh');
    await textMatching(page, 'h1', /^自注意力$/);
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-Hans');
    await textMatching(page, READING, /^查询 q₁，键 k₂，权重 0\.4683，/);
    assert.match(await text(page, '[data-trace-stage=scores]'), /分数.*点积/);
    assert.match(await text(page, '[data-trace-stage=weights]'), /权重.*softmax 让每个查询的分数都变成正数/);
    assert.match(await text(page, '[data-trace-stage=weights] .provenance'), /手工设定/);
    await choose(page, 'en');
  });

  test('axes are named', async () => {
    await visit(page, server.url);
    assert.equal(await text(page, '[data-trace-stage=weights] .row-title'), 'query');
    assert.match(await text(page, '[data-trace-stage=weights] .col-title'), /^key/);
  });

  test('a permalink restores all of the state', async () => {
    const state = {
      input: 'text',
      text: 'I saw a saw',
      head: 'next',
      split: 'character',
      positions: 'off',
      scale: '1',
      causal: 'on',
      cell: 'weights.2.1',
      notation: 'columns',
      lang: 'zh',
    };
    await visit(page, server.url, state);
    assert.deepEqual(await settledParams(page), state);
    assert.equal(await page.$eval('input[value=next]', (input) => input.checked), true);
    assert.match(await text(page, READING), /^查询 a，键 s，权重 0\.3333，/);
    await visit(page, server.url);
  });

  test('every formula was typeset at build time, those of the trace among them', async () => {
    for (const input of ['example', 'text']) {
      await visit(page, server.url, { input, scale: '1', causal: 'off', text: 'I saw a saw', head: 'previous' });
      for (const scale of ['one', 'root']) {
        await choose(page, scale);
        for (const causal of [false, true]) {
          await page.$eval('[data-room] [role=switch]', (one, on) => one.checked !== on && one.click(), causal);
          await page.waitForFunction(
            (on) => (document.querySelector('[data-room] [data-trace-stage=masked]') !== null) === on,
            {},
            causal,
          );
          await textMatching(page, SCALED, scale === 'root' ? /\\sqrt/ : /^(?!.*\\sqrt)/);
          for (const notation of ['rows', 'columns']) {
            await choose(page, notation);
            await textMatching(page, '.whole', notation === 'rows' ? /each row sums to 1/ : /each column sums to 1/);
            await drawn(page);
            const bare = await page.$$eval('.untypeset', (elements) => elements.map((element) => element.textContent));
            assert.deepEqual(bare, [], `${input} ${scale} ${causal} ${notation}`);
          }
        }
      }
      assert.match(await text(page, SCALED), input === 'text' ? /\\sqrt\{16\}/ : /\\sqrt\{\d\}/);
    }
  });

  test('nothing is wider than a screen of 390, 768 or 1280 px', async () => {
    for (const params of [
      {},
      { causal: 'on', scale: 'sqrt', notation: 'columns', lang: 'zh' },
      { input: 'text', text: '猫追老鼠，因为它饿了', head: 'pronoun' },
      { input: 'text', text: 'word '.repeat(64), head: 'nearby' },
    ]) {
      await page.setViewport({ width: 390, height: 844 });
      await visit(page, server.url, params);
      for (const width of [390, 768, 1280]) {
        await page.setViewport({ width, height: 844 });
        await drawn(page);
        const [scroll, client] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.clientWidth,
        ]);
        assert.ok(scroll <= client, `${width} px, ${JSON.stringify(params)}: ${scroll} > ${client}`);
      }
    }
    await page.setViewport({ width: 1280, height: 900 });
  });

  // The example in light colors is among the sample of pages.test.mjs.
  test('axe-core finds nothing serious on a text, in the dark', async () => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    const words = 'the cat chased the mouse because it was hungry';
    await visit(page, server.url, { input: 'text', text: words, head: 'pronoun', lang: 'zh', causal: 'on' });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  });

  test('a switched theme stays after a reload', async () => {
    const own = await openPage(browser);
    await visit(own.page, server.url);
    await choose(own.page, 'dark');
    assert.equal(await own.page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await own.page.waitForFunction(() => localStorage.getItem('fovea.theme') === 'dark');
    await own.page.reload();
    await own.page.waitForSelector('[data-value]');
    assert.equal(await own.page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await own.close();
  });

  test('the switches of the room are reachable by keyboard', async () => {
    await visit(page, server.url, { scale: 'sqrt', cell: 'weights.1.0' });
    await flip(page, 'Causal mask');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => !document.querySelector('[data-trace-stage=masked]'));
  });

  test('undo takes a choice back, and redo brings it again', async () => {
    await visit(page, server.url, { scale: 'sqrt', cell: 'weights.1.0' });
    await flip(page, 'Causal mask');
    await page.waitForFunction(() => location.hash.includes('causal=on'));
    await page.evaluate(() => document.activeElement.blur());
    const press = async (key) => {
      await page.keyboard.down('Control');
      await page.keyboard.press(key);
      await page.keyboard.up('Control');
    };
    // A choice is in the history a moment after it is made.
    await settledParams(page);
    await press('z');
    await page.waitForFunction(
      () => !document.querySelector('[data-trace-stage=masked]') && !location.hash.includes('causal='),
    );
    await press('y');
    await page.waitForSelector('[data-trace-stage=masked]');
  });

  test('a page that goes with the focus in it gives the focus to the next', async () => {
    await visit(page, server.url, { cell: 'weights.0.1' });
    await page.focus('[data-trace-stage=weights] [data-matrix=weights]');
    await page.keyboard.press('ArrowDown');
    await page.evaluate(() => (location.hash = '#/words'));
    await page.waitForFunction(() => !document.querySelector('[data-room]'));
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  });

  test('nothing went wrong on the way', () => assert.deepEqual(opened.problems, []));
});

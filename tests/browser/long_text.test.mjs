// A text of up to 2,000 words: weights are the package's on the same vectors, in rows and in tiles; words are split, merged, read from files.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assertSound } from './pages.mjs';
import { choose, fill, fromMenu, goTo, linkOf, openPage, text, textMatching, withRoom } from './support.mjs';
import { openPhone, tabTo } from './visitor.mjs';

/** Words that come again, in an order that does not repeat soon; the second half has other words than the first. */
const written = (count) => Array.from({ length: count }, (_, i) => `w${(i < count / 2 ? 0 : 100) + ((i * i + 3 * i) % 97)}x`);
/** Tables print four decimals. */
const PRINTED = 0.5e-4 + 1e-6;
const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} against ${b}`);

/** The same-word head from its definition, in double: logits 10 for each of the two digits that two words share. */
function sameWordRow(words, query, sees = () => true) {
  const numbers = new Map();
  for (const word of words) if (!numbers.has(word)) numbers.set(word, numbers.size);
  const base = Math.ceil(Math.sqrt(numbers.size));
  const digits = words.map((word) => [Math.floor(numbers.get(word) / base), numbers.get(word) % base]);
  const [a, b] = digits[query];
  const e = digits.map(([c, d], key) => (sees(key) ? Math.exp(10 * (Number(a === c) + Number(b === d)) - 20) : 0));
  const sum = e.reduce((x, y) => x + y);
  return e.map((x) => x / sum);
}

describe('a long text', () => {
  let server, browser, opened, page, folder;
  withRoom((room) => ({ server, browser, opened, page } = room));
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'fovea-text-'))));
  after(() => rm(folder, { recursive: true }));

  async function visit(hash = '') {
    await goTo(page, `${server.url}#/text?lang=en${hash}`);
    await drawn(page);
  }
  const drawn = (where) =>
    where.waitForFunction(
      () =>
        document.querySelector('[data-matrix=tiles]') &&
        document.querySelector('[data-done="1"]') &&
        !document.querySelector('main .loading'),
    );
  const paste = (value) => fill(page, 'textarea', value);
  const wordsAre = (count) => page.waitForSelector(`[data-words="${count}"]`);
  async function give(name, bytes) {
    const path = join(folder, name);
    await writeFile(path, bytes);
    await (await page.$('input[type=file][accept^="text"]')).uploadFile(path);
  }
  const toWord = (place) =>
    page.$eval(
      'article .controls input[type=range]',
      (slider, to) => {
        slider.value = to;
        slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
      },
      String(place),
    );
  const tiles = () =>
    page.$eval('[data-table=tiles]', (table) =>
      [...table.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace('−', '-'))),
      ),
    );
  const strongest = () =>
    page.$$eval('[data-arcs] td[data-weight]', (cells) => cells.map((cell) => Number(cell.dataset.weight)));

  test('2,000 words: the row of a word, and the tiles, are those of the definition, and zooming comes to single pairs', async () => {
    await visit();
    const words = written(2000);
    await paste(words.join(' '));
    await wordsAre(2000);
    await drawn(page);
    await toWord(1234);
    await page.waitForSelector('[data-passage="1234"]');
    const row = sameWordRow(words, 1234);
    const best = [...row].sort((a, b) => b - a).slice(0, 8);
    (await strongest()).forEach((x) => near(x, best[0], 1e-5));
    // 2,000 words in 48 tiles a side of 42 words each, the last with 26.
    const side = 48;
    const tile = Math.ceil(2000 / side);
    await fromMenu(page, 'figure', 'table');
    const shown = await tiles();
    assert.equal(shown.length, side);
    const expected = ([r, c]) => {
      const found = [];
      for (let i = r * tile; i < Math.min(2000, (r + 1) * tile); i++)
        found.push(...sameWordRow(words, i).slice(c * tile, (c + 1) * tile));
      return { mean: found.reduce((x, y) => x + y) / found.length, max: Math.max(...found) };
    };
    // The two last lie in a half whose words the query's half does not have.
    const places = [
      [0, 0],
      [3, 17],
      [side - 2, side - 1],
      [5, 40],
      [40, 5],
    ];
    for (const [r, c] of places) near(shown[r][c], expected([r, c]).mean, PRINTED);
    assert.ok(expected(places[1]).mean > 5 * PRINTED && expected(places[3]).mean < PRINTED);
    await choose(page, 'max');
    await page.waitForFunction(
      (mean) => Number(document.querySelector('[data-table=tiles] tbody td').textContent) !== mean,
      {},
      shown[0][0],
    );
    const largest = await tiles();
    for (const [r, c] of places) near(largest[r][c], expected([r, c]).max, PRINTED);
    for (let n = 0; n < 4; n++) {
      await drawn(page);
      if (await page.$eval('[data-nearer]', (button) => button.disabled)) break;
      await page.locator('[data-nearer]').click();
      await page.waitForFunction(() => document.querySelector('[data-done="1"]'));
    }
    await page.waitForSelector('[data-tile="1"]');
    const [first, col, span] = (await page.$eval('[data-view]', (one) => one.dataset.view)).split(' ').map(Number);
    assert.equal(span, side);
    const pairs = await tiles();
    pairs[1234 - first].forEach((x, n) => near(x, row[col + n], PRINTED));
    assert.deepEqual(opened.problems, []);
  });

  test('what a word sees: before it, a window, patterns; pairs are counted, and weights outside are 0', async () => {
    await visit();
    const words = written(300);
    await paste(words.join(' '));
    await wordsAre(300);
    for (const [seen, pairs, sees] of [
      ['before', (300 * 301) / 2, (j) => j <= 40],
      ['window', 300 * 33 - 2 * ((16 * 17) / 2), (j) => Math.abs(j - 40) <= 16],
      ['longformer', 300 * 33 - 2 * ((16 * 17) / 2) + 2 * (300 - 17), (j) => Math.abs(j - 40) <= 16 || j === 0],
    ]) {
      await choose(page, seen);
      await page.waitForSelector(`[data-pairs="${pairs}"]`);
      const best = Math.max(...sameWordRow(words, 40, sees));
      near(Math.max(...(await strongest())), best, 1e-5 * best + 1e-7);
    }
    for (const seen of ['strided', 'bigBird']) {
      await choose(page, seen);
      await page.waitForFunction(() => Number(document.querySelector('[data-pairs]').dataset.pairs) < 45150);
      await drawn(page);
    }
    assert.deepEqual(opened.problems, []);
  });

  test('the page opens on a word that comes again in each verse, in both languages', async () => {
    for (const [language, word] of Object.entries({ en: 'cat', zh: '猫' })) {
      await goTo(page, `${server.url}#/text?lang=${language}`);
      await drawn(page);
      assert.equal(await text(page, '[data-word][aria-pressed=true]'), word);
    }
  });

  test('with the keys alone words are chosen, merged and split, and taken back', async () => {
    await visit();
    await paste('New York is big and New York is loud');
    await wordsAre(9);
    await tabTo(page, '[data-word]');
    await page.keyboard.press('Home');
    await page.keyboard.press('m');
    await wordsAre(8);
    assert.equal(await text(page, '[data-word="0"]'), 'New York');
    await page.keyboard.press('s');
    await wordsAre(9);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('s');
    await wordsAre(12);
    assert.equal(await text(page, '[data-word="1"]'), 'Y');
    await page.locator('[data-undo]').click();
    await wordsAre(9);
    await paste('猫追老鼠');
    await choose(page, 'character');
    await wordsAre(4);
    await page.locator('[data-word="2"]').click();
    await page.locator('[data-merge]').click();
    await wordsAre(3);
    assert.equal(await text(page, '[data-word="2"]'), '老鼠');
    assert.deepEqual(opened.problems, []);
  });

  test('files are read, also older Chinese ones; what is no text is said, and the text before it stays', async () => {
    await visit();
    await give('gb.txt', Buffer.from([0xc3, 0xa8, 0xd7, 0xb7, 0xc0, 0xcf, 0xca, 0xf3]));
    await page.waitForFunction(() => document.querySelector('textarea').value === '猫追老鼠');
    await give('words.txt', 'one two one');
    await wordsAre(3);
    for (const [name, bytes, sentence] of [
      ['picture.txt', Buffer.from([0x89, 0x50, 0, 0x47, 0, 0]), /not a text/],
      ['empty.txt', '', /The file is empty/],
      ['large.txt', Buffer.alloc(2 * 2 ** 20, 'a '), /2 MB; at most 1 MB/],
    ]) {
      await give(name, bytes);
      await textMatching(page, '[data-trouble]', sentence);
      await wordsAre(3);
    }
    await paste('<img src=x onerror=alert(1)>');
    await page.waitForFunction(() => document.querySelectorAll('[data-word]').length > 4);
    assert.equal(await page.$('article img'), null);
    await paste('   ');
    await textMatching(page, '[data-empty]', /Type or paste/);
    assert.deepEqual(opened.problems, []);
  });

  test('a huge paste is cut to its first 2,000 words, stays in the field, and belongs in a file', async () => {
    await visit();
    const huge = Array.from({ length: 40_000 }, (_, i) => `word${(i * 7919) % 10007}`).join(' ');
    await paste(huge);
    await wordsAre(2000);
    await textMatching(page, '[data-cut]', /first 2,000 words/);
    assert.equal(await page.$eval('textarea', (field) => field.value.length), huge.length);
    await page.waitForSelector('[data-keep=large]');
    assert.deepEqual(opened.problems, []);
  });

  test('the picture of many words can be stopped, and computed after all', async () => {
    await visit();
    await page.evaluate(() => {
      const watch = new MutationObserver(() => {
        const [stop, passage] = [document.querySelector('[data-stop]'), document.querySelector('[data-words="2000"]')];
        if (stop && passage) [watch.disconnect(), stop.click()];
      });
      watch.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await paste(written(2000).join(' '));
    await (await page.waitForSelector('[data-again]')).click();
    await drawn(page);
    assert.equal(await page.$('[data-again]'), null);
    assert.deepEqual(opened.problems, []);
  });

  test('a link holds words, head, pattern and place, and opens alike in another profile', async () => {
    await visit();
    await paste('the cat saw the cat and the dog');
    await wordsAre(8);
    await choose(page, 'before');
    await page.locator('[data-word="4"]').click();
    const link = await linkOf(page);
    const said = await text(page, '[data-looks]');
    const other = await openPage(browser);
    await other.page.goto(link, { waitUntil: 'load' });
    await drawn(other.page);
    await textMatching(other.page, '[data-words]', /^8 words; 36 of 64 pairs/);
    assert.equal(await text(other.page, '[data-looks]'), said);
    assert.equal(await other.page.$eval('textarea', (field) => field.value), 'the cat saw the cat and the dog');
    await other.close();
  });

  test('by touch at 390 × 844 in Chinese the page is sound', async () => {
    const phone = await openPhone(browser);
    await assertSound(phone, server.url, 'text', { lang: 'zh', theme: 'dark' });
    await phone.close();
  });
});

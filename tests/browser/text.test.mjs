// The visitor's own text: splitting, readable vectors, and what each named head claims.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { choose, flip, fromMenu, openPage, READING, text, textMatching, type, visit, withRoom } from './support.mjs';
import { openPhone } from './visitor.mjs';

const CAT = '猫追老鼠，因为它饿了';

describe('typed text', () => {
  let server, browser, opened, page;

  withRoom((room) => ({ server, browser, opened, page } = room));

  const shares = async () =>
    Object.fromEntries(
      await page.$$eval('.sentence li', (items) =>
        items.map((item) => [item.querySelector('.token').textContent, item.querySelector('.share').textContent]),
      ),
    );

  /** The weights as the table under them shows them. */
  async function weightRows() {
    if (!(await page.$('[data-trace-stage=weights] .visible[data-table=weights]')))
      await fromMenu(page, '[data-trace-stage=weights]', 'table');
    await page.waitForSelector('[data-trace-stage=weights] .visible[data-table=weights]');
    return page.$eval('[data-trace-stage=weights] .visible', (element) =>
      [...element.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent.replace('−', '-'))),
      ),
    );
  }

  test('它 gives 猫 0.50 and 老鼠 0.50: word features alone cannot decide', async () => {
    await visit(page, server.url, { input: 'text', text: CAT, head: 'pronoun' });
    const found = await shares();
    assert.equal(found['猫'], '0.50');
    assert.equal(found['老鼠'], '0.50');
    assert.equal(await page.$eval('.sentence button[aria-pressed=true] .token', (element) => element.textContent), '它');
    assert.match(await text(page, READING), /^query 它, key 猫, weight 0\.5000, 1st of 8$/);
  });

  test('"it" gives cat and mouse 0.50 each', async () => {
    await visit(page, server.url, { input: 'text', text: 'the cat chased the mouse because it was hungry', head: 'pronoun' });
    const found = await shares();
    assert.deepEqual([found.cat, found.mouse], ['0.50', '0.50']);
  });

  test('text can be typed, and every number follows', async () => {
    await visit(page, server.url, { input: 'text', text: CAT, head: 'same' });
    await type(page, 'to be or not to be');
    await page.waitForFunction(() => document.querySelectorAll('.sentence li').length === 6);
    const rows = await weightRows();
    assert.equal(rows.length, 6);
    assert.deepEqual([rows[0][0], rows[0][4]], [0.5, 0.5]);
    assert.match(await text(page, '[data-trace-stage=input] .provenance'), /yours/);
    await textMatching(page, READING, /^query /);
  });

  test('previous is at least 0.988 over 24 words, but for the first, which has none', async () => {
    await visit(page, server.url, {
      input: 'text',
      text: Array.from({ length: 24 }, (_, i) => `w${i}`).join(' '),
      head: 'previous',
    });
    const rows = await weightRows();
    assert.equal(rows.length, 24);
    rows.slice(1).forEach((row, i) => assert.ok(row[i] >= 0.988, `word ${i + 2}: ${row[i]}`));
    assert.ok(rows[0][0] > 0.99);
  });

  test('next and first look where their names say', async () => {
    await visit(page, server.url, { input: 'text', text: 'a b c d e', head: 'next' });
    (await weightRows()).slice(0, -1).forEach((row, i) => assert.ok(row[i + 1] >= 0.988));
    await choose(page, 'first');
    await textMatching(page, '.notes > ul', /first token/);
    (await weightRows()).forEach((row) => assert.ok(row[0] >= 0.988));
  });

  test('I saw a saw: outputs exactly equal without positions, different with them', async () => {
    await visit(page, server.url, { input: 'text', text: 'I saw a saw', head: 'previous' });
    assert.match(await text(page, '[data-note=repeated]'), /“saw” stands at positions 2, 4\. Their outputs differ/);
    await flip(page, 'Positions');
    await textMatching(page, '[data-note=repeated]', /exactly equal/);
  });

  test('text is split by word or by character', async () => {
    await visit(page, server.url, { input: 'text', text: CAT, head: 'same' });
    const words = await page.$$eval('.token', (tokens) => tokens.map((token) => token.textContent));
    assert.ok(words.includes('老鼠'), words.join(' '));
    await choose(page, 'character');
    await page.waitForFunction((n) => document.querySelectorAll('.token').length === n, {}, CAT.length);
  });

  test('unlisted words are named', async () => {
    await visit(page, server.url, { input: 'text', text: 'the cat zorbled', head: 'same' });
    assert.match(await text(page, '[data-note=words]'), /zorbled.*identity and position only/);
  });

  test('a long text is cut with a message, an empty one is met kindly', async () => {
    await visit(page, server.url, { input: 'text', text: 'word '.repeat(80), head: 'nearby' });
    assert.match(await text(page, '[data-note=limit]'), /80 tokens\. The first 64/);
    assert.equal(await page.$eval('[data-note=limit] a', (link) => link.hash), '#/text');
    assert.equal(await page.$$eval('.sentence li', (items) => items.length), 64);
    await type(page, '  ');
    await textMatching(page, '.message', /nothing to attend to yet/);
    await type(page, '好');
    await textMatching(page, READING, /query 好, key 好, weight 1, 1st of 1$/);
  });

  test('a phone draws the first 24, and all when the screen is wide', async () => {
    const phone = await openPhone(browser);
    await visit(phone.page, server.url, { input: 'text', text: 'word '.repeat(30), head: 'nearby' });
    assert.match(await text(phone.page, '[data-note=limit]'), /30 tokens\. The first 24/);
    assert.equal(await phone.page.$$eval('.sentence li', (items) => items.length), 24);
    await phone.page.setViewport({ width: 1280, height: 800 });
    await phone.page.waitForFunction(() => document.querySelectorAll('.sentence li').length === 30);
    assert.equal(await phone.page.$('[data-note=limit]'), null);
    assert.deepEqual(phone.problems, []);
    await phone.close();
  });

  test('tokens are split and merged, by button and by key, and the address keeps it', async () => {
    const tokens = (page) => page.$$eval('.token', (all) => all.map((token) => token.textContent));
    const are = (page, expected) =>
      page.waitForFunction(
        (to) => [...document.querySelectorAll('.token')].map((token) => token.textContent).join('|') === to,
        {},
        expected.join('|'),
      );
    await visit(page, server.url, { input: 'text', text: 'New York is big and New York is loud', head: 'same' });
    await page.locator('.sentence li:nth-child(6) button').click();
    await page.locator('[data-merge]').click();
    await are(page, ['New', 'York', 'is', 'big', 'and', 'New York', 'is', 'loud']);
    await page.locator('.sentence li:nth-child(1) button').click();
    await page.keyboard.press('m');
    const merged = ['New York', 'is', 'big', 'and', 'New York', 'is', 'loud'];
    await are(page, merged);
    // The two are one word now: each gives the other as much as itself.
    assert.equal((await weightRows())[0][4], (await weightRows())[0][0]);
    await page.waitForFunction(() => /[?&]ends=/.test(location.hash));
    const other = await openPage(browser);
    await other.page.goto(await page.evaluate(() => location.href), { waitUntil: 'load' });
    await are(other.page, merged);
    await other.close();
    await page.locator('.sentence li:nth-child(3) button').click();
    await page.keyboard.press('s');
    await are(page, [...merged.slice(0, 2), 'b', 'i', 'g', ...merged.slice(3)]);
    await page.locator('.sentence li:nth-child(1) button').click();
    await page.locator('[data-split]').click();
    assert.deepEqual((await tokens(page)).slice(0, 3), ['New', 'York', 'is']);
    await type(page, 'New York');
    await are(page, ['New', 'York']);
    // Ends that divide another text are not taken.
    await visit(page, server.url, { input: 'text', text: 'a bc', head: 'same', ends: '9.2.2' });
    assert.deepEqual(await tokens(page), ['a', 'bc']);
  });

  test('nothing went wrong on the way', () => assert.deepEqual(opened.problems, []));
});

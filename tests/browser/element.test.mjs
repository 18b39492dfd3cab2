// <fovea-attention> on a host's page with a strict policy: in a plain page and in an iframe, twice, in both languages, with bad attributes.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openPage, root, withBrowser } from './support.mjs';
import { HOST_PAGES, weightsByPackage } from './element_support.mjs';

/** A tenth more than it had when this was written. */
const MOST_BYTES = 68_800;
/** Reads a number that the page writes with a true minus sign. */
const numberOf = (text) => Number(text.replace('−', '-'));

describe('<fovea-attention>', () => {
  let server, browser;
  withBrowser((given) => ({ server, browser } = given), { intercept: (path) => HOST_PAGES[path.split('/').at(-1)] });

  async function host(t, name = 'host.html', options = {}) {
    const opened = await openPage(browser, options);
    t.after(() => opened.close());
    await opened.page.goto(server.url + name);
    return opened;
  }
  const ready = (page, selector = 'fovea-attention') =>
    page.waitForFunction((s) => document.querySelector(s)?.state, {}, selector);
  const said = (page, selector = 'fovea-attention') =>
    page.$eval(selector, ({ shadowRoot }) => shadowRoot.textContent.replace(/\s+/g, ' '));

  test('at most 68.8 kB gzipped besides its wasm, in one file', async (t) => {
    const text = await readFile(`${root}web/dist/fovea-attention.js`, 'utf8');
    const rest = text.replace(/"[A-Za-z0-9+/=]{100000,}"/, '""');
    assert.ok(text.length - rest.length > 400_000, 'the wasm is inside');
    const bytes = gzipSync(rest, { level: 9 }).length;
    t.diagnostic(`${bytes} bytes gzipped besides wasm, ${gzipSync(text, { level: 9 }).length} with it`);
    assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`);
    assert.ok(!/\bfrom ?"\.|import ?"\./.test(rest), 'it imports no other file');
  });

  for (const name of ['host.html', 'frame.html'])
    test(`it runs under a strict policy, twice on a page, with the package's numbers: ${name}`, async (t) => {
      const { page, problems } = await host(t, name);
      const frame = name === 'frame.html' ? await (await page.waitForSelector('iframe')).contentFrame() : page;
      await ready(frame, '#first');
      await ready(frame, '#second');
      for (const id of ['first', 'second']) {
        const state = await frame.$eval(`#${id}`, (element) => element.state);
        assert.deepEqual(state.weights, await weightsByPackage(state), id);
      }
      assert.equal(await frame.$eval('#first', (element) => element.state.head), 'pronoun');
      assert.match(await said(frame, '#first'), /set by hand.*Computed here by fovea/);
      assert.match(await said(frame, '#second'), /手工设定.*在此算出/);
      const inked = await frame.$eval('#first', ({ shadowRoot }) => {
        const canvas = shadowRoot.querySelector('canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
      });
      assert.ok(inked > 20, `${inked} colors`);
      assert.deepEqual(problems, []);
    });

  test('every mechanism that it knows, with the numbers of the package', async (t) => {
    const { page, problems } = await host(t);
    await ready(page, '#first');
    for (const id of (await import('./element_support.mjs')).MECHANISMS) {
      const state = await page.$eval(
        '#first',
        (element, mechanism) =>
          new Promise((done) => {
            element.addEventListener('change', ({ detail }) => done(detail), { once: true });
            element.setAttribute('mechanism', mechanism);
          }),
        id.replaceAll('_', '-'),
      );
      assert.equal(state.mechanism, id);
      assert.deepEqual(state.weights, await weightsByPackage(state), id);
      await page.$eval('#first', (element) => element.setAttribute('mechanism', 'nothing'));
      await page.waitForFunction(() => document.querySelector('#first').state === null);
    }
    assert.deepEqual(problems, []);
  });

  test('keys move the selected cell, which is said, told by `change`, and stands in a table', async (t) => {
    const { page } = await host(t);
    await ready(page, '#first');
    await page.evaluate(() => {
      globalThis.told = [];
      document.addEventListener('change', ({ detail }) => globalThis.told.push(detail.selected));
    });
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    assert.deepEqual(await page.evaluate(() => globalThis.told), [
      { row: 0, col: 0 },
      { row: 1, col: 0 },
      { row: 1, col: 8 },
    ]);
    assert.match(await said(page, '#first'), /query cat, key hungry, weight 0\.\d+, \d+\w\w of 9/);
    await page.$eval('#first', ({ shadowRoot }) => shadowRoot.querySelector('button').click());
    const [cells, weights] = await page.$eval('#first', ({ shadowRoot, state }) => [
      [...shadowRoot.querySelectorAll('tbody tr')].map((line) =>
        [...line.querySelectorAll('td')].map((cell) => cell.textContent),
      ),
      state.weights,
    ]);
    assert.equal(cells.length, 9);
    cells.forEach((line, r) =>
      line.forEach((text, c) => assert.ok(Math.abs(numberOf(text) - weights[r][c]) <= 5.1e-5, `${r}, ${c}: ${text}`)),
    );
  });

  test('attributes that change change the picture: tokens, head, lang, theme; its size follows its container', async (t) => {
    const { page, problems } = await host(t);
    await ready(page, '#first');
    const change = (name, value) => page.$eval('#first', (element, n, v) => element.setAttribute(n, v), name, value);
    await change('tokens', '["a b","c"]');
    await page.waitForFunction(() => document.querySelector('#first').state?.tokens.length === 2);
    await change('head', 'first');
    await page.waitForFunction(() => document.querySelector('#first').state?.head === 'first');
    await change('lang', 'zh');
    await page.waitForFunction(() => document.querySelector('#first').state?.language === 'zh');
    assert.match(await said(page, '#first'), /第一个词元.*查询 ↓ 键 →/);
    const background = () => page.$eval('#first', (element) => getComputedStyle(element).backgroundColor);
    const before = await background();
    await change('theme', 'dark');
    assert.notEqual(await background(), before);
    await page.$eval('#first', (element) => element.style.setProperty('--fovea-paper', '#102030'));
    assert.equal(await background(), 'rgb(16, 32, 48)');
    await change('tokens', 'a b c d e f g h i j k l m n o p');
    await page.waitForFunction(() => document.querySelector('#first').state?.tokens.length === 16);
    const width = () => page.$eval('#first', ({ shadowRoot }) => shadowRoot.querySelector('canvas').clientWidth);
    const wide = await width();
    await page.$eval('#first', (element) => (element.parentElement.style.width = '300px'));
    await page.waitForFunction(
      (w) => document.querySelector('#first').shadowRoot.querySelector('canvas').clientWidth < w,
      {},
      wide,
    );
    assert.ok((await width()) <= 300);
    assert.deepEqual(problems, []);
  });

  test('what it does not know is said in it, and the link leads to the page of the mechanism', async (t) => {
    const { page, problems } = await host(t);
    await ready(page, '#first');
    const shows = async (attributes, pattern) => {
      await page.$eval(
        '#first',
        (element, given) => {
          for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
        },
        { mechanism: 'self_attention', tokens: 'one two', head: '', ...attributes },
      );
      await page.waitForFunction(
        (source) => new RegExp(source, 'u').test(document.querySelector('#first').shadowRoot.textContent),
        {},
        pattern.source,
      );
    };
    await shows({ mechanism: '<img src=x onerror=alert(1)>' }, /There is no mechanism “<img src=x onerror=alert\(1\)>”/);
    await shows({ mechanism: 'bahdanau' }, /needs more than a sentence/);
    const link = await page.$eval('#first', ({ shadowRoot }) => shadowRoot.querySelector('a').href);
    assert.equal(link, `${server.url}#/bahdanau?lang=en`);
    await shows({ tokens: '' }, /No tokens/);
    await shows({ tokens: '["a", 3]' }, /begins like a list/);
    await shows({ tokens: 'x'.repeat(4001) }, /longer than 4000/);
    await shows({ head: 'none' }, /no head “none”/);
    await shows({ tokens: 'a '.repeat(80) }, /The first 64 of 80 tokens/);
    await shows({ tokens: '["<img src=x onerror=alert(1)>","b"]' }, /of 2|set by hand/);
    assert.equal(await page.$eval('#first', ({ shadowRoot }) => shadowRoot.querySelector('img')), null);
    await shows({ page: 'javascript:alert(1)' }, /set by hand/);
    assert.match(await page.$eval('#first', ({ shadowRoot }) => shadowRoot.querySelector('a').href), /^http:/);
    assert.deepEqual(problems, []);
  });

  test('its link opens the same weights on the full page', async (t) => {
    const { page } = await host(t);
    await ready(page, '#first');
    const [link, weights] = await page.$eval('#first', ({ shadowRoot, state }) => [
      shadowRoot.querySelector('a').href,
      state.weights,
    ]);
    await page.goto(link);
    await page.waitForSelector('[data-trace-stage=weights] [data-table=weights] tbody td');
    const cells = await page.$$eval('[data-trace-stage=weights] [data-table=weights] tbody td', (all) =>
      all.map((cell) => cell.textContent),
    );
    assert.equal(cells.length, weights.flat().length);
    cells.forEach((cell, i) => assert.ok(Math.abs(numberOf(cell) - weights.flat()[i]) <= 5.1e-5, `${i}: ${cell}`));
  });

  test('without WebAssembly it says so, and the page around it goes on', async (t) => {
    const opened = await openPage(browser);
    t.after(() => opened.close());
    await opened.page.evaluateOnNewDocument(() => delete globalThis.WebAssembly);
    await opened.page.goto(`${server.url}host.html`);
    await opened.page.waitForFunction(() =>
      document.querySelector('#first')?.shadowRoot?.textContent.includes('cannot run here'),
    );
    assert.deepEqual(opened.problems, []);
  });
});

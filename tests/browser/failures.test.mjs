// The page without its core: it says what happened, shows no numbers, and recovers.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { abiHash } from '../../scripts/generate_abi.mjs';
import { openChromium, openPage, root, servePage, text } from './support.mjs';

/** The bytes of `i32.const`: signed, in groups of seven bits. */
function signedConstant(value) {
  const groups = [];
  for (let rest = value | 0; ; rest >>= 7) {
    const isLast = rest >> 6 === 0 || rest >> 6 === -1;
    groups.push((rest & 0x7f) | (isLast ? 0 : 0x80));
    if (isLast) return [0x41, ...groups];
  }
}

describe('when the wasm file does not arrive', () => {
  let server, browser;
  let answer;

  before(async () => {
    server = await servePage({ intercept: (path) => (path.endsWith('.wasm') ? answer : undefined) });
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [what, given] of [
    ['404', { status: 404, body: 'not found' }],
    ['an HTML page', { status: 200, type: 'text/html', body: '<!doctype html><title>Home</title>' }],
  ]) {
    test(`${what}: an explanation in place of numbers, and "Try again" works`, async () => {
      answer = given;
      const { page, close } = await openPage(browser);
      await page.goto(`${server.url}#/self-attention?lang=en`);
      await page.waitForSelector('[data-load-error]');
      assert.match(await text(page, '[data-load-error]'), /could not be loaded.*\.wasm/);
      assert.equal(await page.$('[data-value]'), null);
      answer = undefined;
      await page.$eval('[data-load-error] button', (button) => button.click());
      await page.waitForSelector('[data-value]');
      assert.equal(await text(page, '[data-value]'), '0.4683');
      await close();
    });
  }

  test('a core of another version: said, and a reload is offered', async () => {
    const wasm = await readFile(`${root}dist/fovea-simd128.wasm`);
    const own = Uint8Array.from(signedConstant(abiHash()));
    const at = wasm.indexOf(own);
    assert.ok(at > 0 && wasm.indexOf(own, at + 1) === -1);
    wasm[at + 1] ^= 1;
    answer = { status: 200, type: 'application/wasm', body: wasm };
    const { page, close } = await openPage(browser);
    await page.goto(`${server.url}#/self-attention?lang=en`);
    await page.waitForSelector('[data-reload]');
    assert.match(await text(page, '[data-load-error]'), /A new version came while this page was open.*different versions/);
    answer = undefined;
    await page.locator('[data-reload]').click();
    await page.waitForSelector('[data-value]');
    await close();
  });

  test('a part of the page that does not arrive: said in its place, the rest works', async () => {
    answer = undefined;
    const { page, close } = await openPage(browser);
    await page.goto(`${server.url}?lang=en#/?lang=en`);
    await page.waitForSelector('main h1');
    await page.setRequestInterception(true);
    page.on('request', (request) => (/MechanismMap/.test(request.url()) ? request.abort() : request.continue()));
    await page.evaluate(() => (location.hash = '#/mechanisms?lang=en'));
    await page.waitForSelector('[data-page-error]');
    assert.match(await text(page, '[data-page-error]'), /did not arrive.*Reload/);
    await page.evaluate(() => (location.hash = '#/words?lang=en'));
    await page.waitForSelector('[data-find-word]');
    await close();
  });

  test('no WebAssembly SIMD: the page says what is needed', async () => {
    answer = undefined;
    const { page, close } = await openPage(browser);
    await page.evaluateOnNewDocument(() => {
      WebAssembly.validate = () => false;
      WebAssembly.compile =
        WebAssembly.compileStreaming =
        WebAssembly.instantiate =
          () => Promise.reject(new WebAssembly.CompileError('no SIMD here'));
    });
    await page.goto(`${server.url}#/self-attention?lang=en`);
    await page.waitForSelector('[data-load-error]');
    assert.match(await text(page, '[data-load-error]'), /no WebAssembly SIMD/);
    await close();
  });
});

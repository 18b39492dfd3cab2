// The page without its core: it says what happened, shows no numbers, and recovers.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openChromium, openPage, servePage, text } from './support.mjs';

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

// The package itself in Chromium, under the page's CSP: which build it takes, its numbers, and what a wrong wasm URL gives.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { packageHasBytesOfNode } from './smoke.mjs';
import { openChromium, openPage, root, servePackage } from './support.mjs';

describe('the package in a browser', () => {
  let server, browser, opened, page, truth;

  before(async () => {
    server = await servePackage();
    browser = await openChromium();
    opened = await openPage(browser);
    page = opened.page;
    await page.goto(server.url);
    await page.waitForFunction(() => window.fovea);
    truth = JSON.parse(await readFile(`${root}tests/golden/seed/worked_example.json`, 'utf8'));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /** selfAttention's result for the worked example with these load options. */
  const run = (options) =>
    page.evaluate(
      async ({ options, inputs }) => {
        const fovea = await window.fovea.load(options);
        const { X, ...params } = inputs;
        const { output, weights } = fovea.selfAttention(X, params, { scale: 1, returnWeights: true });
        const result = { info: fovea.info, output: [...output.data], weights: [...weights.data] };
        fovea.dispose();
        return result;
      },
      { options, inputs: truth.inputs },
    );

  const codeOf = (wasmUrl) =>
    page.evaluate(
      (url) =>
        window.fovea.load({ wasmUrl: url }).then(
          () => 'loaded',
          (error) => ({ name: error.name, code: error.code, message: error.message }),
        ),
      wasmUrl,
    );

  test('every operation has the bytes of Node', () => {
    const look = { open: (url) => page.goto(url), evaluate: (script) => page.evaluate(script) };
    return packageHasBytesOfNode(look, server.url);
  });

  for (const [options, variant] of [
    [{}, 'relaxed'],
    [{ deterministic: true }, 'simd128'],
    [{ variant: 'simd128' }, 'simd128'],
  ]) {
    test(`load(${JSON.stringify(options)}) runs ${variant} and gives the true numbers`, async () => {
      const { info, output, weights } = await run(options);
      assert.equal(info.variant, variant);
      assert.equal(info.threads, 1);
      for (const [got, { data }] of [
        [output, truth.outputs.out_unscaled],
        [weights, truth.outputs.weights_unscaled],
      ]) {
        data.forEach((x, i) => assert.ok(Math.abs(got[i] - x) <= 1e-6 * Math.max(1, Math.abs(x)), `${got[i]} is not ${x}`));
      }
    });
  }

  test('one load fetches one wasm file', async () => {
    const fetched = [];
    const note = (request) => request.url().endsWith('.wasm') && fetched.push(request.url());
    page.on('request', note);
    await run({ deterministic: true });
    page.off('request', note);
    assert.deepEqual(fetched, [`${server.url}dist/fovea-simd128.wasm`]);
  });

  test('a wasmUrl that answers HTML is a load error, and the next load works', async () => {
    const error = await codeOf('./page.wasm');
    assert.equal(error.code, 'load');
    assert.match(error.message, /HTML/i);
    assert.equal((await run({})).info.variant, 'relaxed');
  });

  test('no console error, no violation of the CSP, no other host', () => assert.deepEqual(opened.problems, []));

  test('a wasmUrl that answers 404 is a load error', async () => {
    const error = await codeOf('./missing.wasm');
    assert.equal(error.code, 'load');
    assert.match(error.message, /404/);
  });
});

test('a policy without connect-src or worker-src: the message names them', async () => {
  const csp = () =>
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'">`;
  const server = await servePackage({ csp });
  const browser = await openChromium();
  try {
    const { page } = await openPage(browser);
    await page.goto(server.url);
    await page.waitForFunction(() => window.fovea);
    const failure = (call) => page.evaluate(`(${call})().then(() => 'done', ({ code, message }) => code + ' ' + message)`);
    assert.match(
      await failure('() => window.fovea.load()'),
      /^load load: no WebAssembly file at .*: the request failed \(.*\); if the page has a Content Security Policy, it needs connect-src 'self'; serve /,
    );
    assert.match(
      await failure('() => window.fovea.load({ wasmUrl: "https://wasm.example/fovea.wasm" })'),
      /it needs connect-src https:\/\/wasm\.example;/,
    );
    assert.match(await failure('() => window.worker.connect()'), /^load connect: .*worker-src/);
  } finally {
    await browser.close();
    await server.close();
  }
});

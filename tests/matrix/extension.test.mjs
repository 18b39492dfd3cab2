// An extension of Chromium (Manifest V3): a page of it, and its service worker. Both have the strictest policy under which wasm compiles.

import assert from 'node:assert/strict';
import puppeteer from 'puppeteer-core';
import { CHROMIUM_FLAGS } from '../browser/support.mjs';
import { findBrowser } from '../../scripts/toolchain.mjs';
import { isWorkedExample, makeProject } from './support/consumers.mjs';
import { ALL_WAYS, byPath, checkPage, consumer, html, loadScript, pageScript } from './support/matrix.mjs';

const manifest = (more) => ({
  manifest_version: 3,
  name: 'fovea',
  version: '1',
  content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" },
  background: { service_worker: 'background.js', type: 'module' },
  ...more,
});
const isolation = {
  cross_origin_embedder_policy: { value: 'require-corp' },
  cross_origin_opener_policy: { value: 'same-origin' },
};

const policy =
  "manifest.json: `script-src 'self' 'wasm-unsafe-eval'`; for threads `cross_origin_embedder_policy` and `…opener_policy`";
consumer(
  {
    group: 'pages',
    consumer: 'an extension (Manifest V3), its page and its service worker',
    version: '',
    grade: 'line',
    line: policy,
  },
  async () => {
    const project = await makeProject('extension', {
      'manifest.json': JSON.stringify(manifest(isolation)),
      'page.html': html(),
      'main.js': byPath(pageScript),
      'background.js': byPath(loadScript()).replace('window.run', 'self.run'),
    });
    const args = [...CHROMIUM_FLAGS];
    const browser = await puppeteer.launch({ executablePath: findBrowser(), args, enableExtensions: true, pipe: true });
    try {
      const id = await browser.installExtension(project);
      const target = await browser.waitForTarget((one) => one.type() === 'service_worker' && one.url().includes(id));
      const worker = await target.worker();
      const { info, printed } = await worker.evaluate(() => self.run('load', {}));
      assert.equal(info.threads, 1);
      assert.ok(await isWorkedExample(printed), printed);

      const page = await browser.newPage();
      const problems = [];
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      page.on('pageerror', ({ message }) => problems.push(message));
      const ran = await checkPage({ page, problems }, `chrome-extension://${id}/page.html`, ALL_WAYS);
      return [...ran, 'one thread in the service worker'];
    } finally {
      await browser.close();
    }
  },
);

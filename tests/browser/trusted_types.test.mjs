// Trusted Types: no text becomes HTML or a script's address, and whatever a visitor types, links to or drops stays text.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { show } from './pages.mjs';
import { goTo, openPage, withBrowser } from './support.mjs';

const HOSTILE = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';
/** Each has fields, or reads its address. */
const PAGES = [
  '',
  'self-attention',
  'learn/1',
  'weights',
  'mechanisms',
  'words',
  'model',
  'laboratory',
  'compare/recurrent',
  'rope',
];
/** Parameters that any page reads. */
const PARAMS =
  'lang theme notation input text head split positions causal scale cell pattern join linear after X Wq Wk Wv s state q tokens id view'.split(
    ' ',
  );

describe('Trusted Types', () => {
  let server, browser, visitor;
  withBrowser(async (given) => {
    ({ server, browser } = given);
    visitor = await openPage(browser);
  });

  /** Whether a text of a visitor has become an element, or has run. */
  const hits = (page) =>
    page.evaluate(() => [window.hit ?? 0, document.querySelectorAll('img[src="x"], [onerror]').length].join());

  for (const path of PAGES)
    test(`hostile text in each field and parameter of #/${path}`, async () => {
      const { page, problems } = visitor;
      const params = new URLSearchParams(PARAMS.map((name) => [name, HOSTILE]));
      await goTo(page, `${server.url}#/${path}?${params}`);
      await page.waitForSelector('main h1');
      assert.equal(await hits(page), '0,0', 'parameters');
      await show(page, server.url, path);
      const fields = await page.$$('textarea, input:not([type]), input[type=text], input[type=search], input[type=url]');
      for (const field of fields)
        await field.evaluate((element, value) => {
          element.value = value;
          element.dispatchEvent(new InputEvent('input', { bubbles: true }));
          element.dispatchEvent(new Event('change', { bubbles: true }));
          element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        }, HOSTILE);
      const folder = await mkdtemp(join(tmpdir(), 'fovea-hostile-'));
      try {
        for (const [i, input] of (await page.$$('input[type=file]')).entries()) {
          const file = join(folder, `${i}<img src=x onerror="window.hit=1">.json`);
          await writeFile(file, JSON.stringify({ [HOSTILE]: HOSTILE }));
          await input.uploadFile(file);
        }
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      } finally {
        await rm(folder, { recursive: true });
      }
      assert.equal(await hits(page), '0,0', 'fields and files');
      assert.deepEqual(
        problems.filter((problem) => /CSP|Trusted|exception/.test(problem)),
        [],
      );
    });

  test('a hostile path', async () => {
    const { page, problems, close } = await openPage(browser);
    await page.goto(`${server.url}#/${encodeURIComponent(HOSTILE)}/${encodeURIComponent(HOSTILE)}`);
    await page.waitForFunction(() => document.querySelector('main')?.textContent.trim() !== '');
    assert.equal(await hits(page), '0,0');
    assert.deepEqual(problems, []);
    await close();
  });

  test('the policy is enforced: no text becomes HTML, no other folder a worker', async () => {
    const { page, problems, close } = await openPage(browser);
    await show(page, server.url, 'self-attention');
    assert.deepEqual(problems, []);
    const refused = await page.evaluate((text) => {
      const attempt = (work) => {
        try {
          work();
          return 'allowed';
        } catch (error) {
          return error.name;
        }
      };
      return [
        attempt(() => (document.createElement('div').innerHTML = text)),
        attempt(() => document.body.insertAdjacentHTML('beforeend', text)),
        attempt(() => new Worker('/elsewhere.js')),
        attempt(() => new Worker(URL.createObjectURL(new Blob([''])))),
        attempt(() => window.trustedTypes.createPolicy('another', {})),
      ];
    }, HOSTILE);
    assert.deepEqual(refused, Array(5).fill('TypeError'));
    assert.equal(await hits(page), '0,0');
    const own = await page.evaluate(() => {
      new Worker('./service-worker.js').terminate();
      return navigator.serviceWorker.register('./service-worker.js').then(({ scope }) => scope);
    });
    assert.equal(own, server.url, 'the page’s own scripts start');
    await close();
  });
});

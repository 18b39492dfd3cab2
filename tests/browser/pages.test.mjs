// A sample of the pages, small and large, light and dark, in both languages; `npm run test:page:full` has them all.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accessibilityFaults, assertSound, show } from './pages.mjs';
import { openChromium, openPage, servePage } from './support.mjs';

const SAMPLE = [
  '',
  'learn',
  'learn/1',
  'learn/9',
  'compare/recurrent',
  'weights',
  'mechanisms',
  'scaled-dot',
  'self-attention',
  'bahdanau',
];

describe('pages', () => {
  let server, browser;

  before(async () => {
    server = await servePage();
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [lang, theme, width, height] of [
    ['en', 'light', 1280, 800],
    ['zh', 'dark', 390, 844],
  ])
    test(`no text too small, nothing cut off, wider than the screen or empty: ${lang}, ${theme}, ${width} × ${height}`, async () => {
      const opened = await openPage(browser, { width, height, dark: theme === 'dark' });
      for (const path of SAMPLE) await assertSound(opened, server.url, path, { lang, theme });
      await opened.close();
    });

  test('axe-core finds nothing', async () => {
    const { page, close } = await openPage(browser);
    for (const path of SAMPLE) {
      await show(page, server.url, path);
      assert.deepEqual(await accessibilityFaults(page), [], `#/${path}`);
    }
    await close();
  });
});

// Every page in two sizes, two themes and two languages.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { accessibilityFaults, assertSound, pages, show } from '../pages.mjs';
import { openChromium, openPage, servePage } from '../support.mjs';

describe('every page', { concurrency: 2 }, () => {
  let server, browser;

  before(async () => {
    server = await servePage();
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const path of pages)
    test(`#/${path}`, async () => {
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
      ])
        for (const theme of ['light', 'dark'])
          for (const lang of ['en', 'zh']) {
            const opened = await openPage(browser, { width, height, dark: theme === 'dark' });
            await assertSound(opened, server.url, path, { lang, theme });
            await opened.close();
          }
      const { page, close } = await openPage(browser);
      await show(page, server.url, path, { lang: 'zh' });
      assert.deepEqual(await accessibilityFaults(page), []);
      await close();
    });
});

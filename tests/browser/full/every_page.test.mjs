// Every page in two sizes, two themes and two languages. node tests/browser/full/every_page.test.mjs [PATH…]: these pages alone.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { accessibilityFaults, layoutFaults, pages, show, targetFaults, turnTo } from '../pages.mjs';
import { openPage, withBrowser } from '../support.mjs';
import { openPhone } from '../visitor.mjs';

const both = (languages, themes) => languages.flatMap((lang) => themes.map((theme) => ({ lang, theme })));

/** Each opens a page once, in the first of what it sees, and turns it to the others. */
const VISITORS = [
  {
    name: 'at a desk',
    open: (browser) => openPage(browser, { width: 1280, height: 800, savesData: false }),
    sees: both(['en', 'zh'], ['light', 'dark']),
  },
  { name: 'on a phone', open: openPhone, sees: both(['zh', 'en'], ['dark', 'light']), touches: true },
];

const asked = process.argv.slice(2);

describe('every page', { concurrency: 2 }, () => {
  let server, browser;
  withBrowser((given) => ({ server, browser } = given));

  for (const path of pages.filter((path) => asked.length === 0 || asked.includes(path)))
    test(`#/${path}`, async () => {
      const found = [];
      for (const { name, open, sees, touches = false } of VISITORS) {
        const { page, problems, close } = await open(browser);
        for (const [i, seen] of sees.entries()) {
          if (i === 0) await show(page, server.url, path, seen);
          else await turnTo(page, path, seen);
          const faults = await layoutFaults(page);
          if (touches) faults.push(...(await targetFaults(page)));
          // Contrast differs by theme, names by language: the first and the last differ in both.
          if (i === 0 || i === sees.length - 1) faults.push(...(await accessibilityFaults(page)));
          found.push(...faults.map((fault) => `${name}, ${seen.lang}, ${seen.theme}: ${fault}`));
        }
        found.push(...problems.map((problem) => `${name}: ${problem}`));
        await close();
      }
      assert.deepEqual(found, []);
    });
});

// Each mechanism that takes a text takes a long one, a short one and a Chinese one, on a phone and on a large screen, and says nothing wrong.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { list } from 'fovea/catalog';
import { fill, openPage, withBrowser } from '../support.mjs';

const TEXTS = {
  en: ['Nobody knew why this very happy queen , who saw it , went home ; not good', 'word'],
  zh: ['国王看见一只猫在追老鼠，因为它饿了，可是很不好', '🐦'],
};

describe('own text of all mechanisms', () => {
  let server, browser;
  withBrowser((room) => ({ server, browser } = room));

  for (const [language, width] of [
    ['en', 1280],
    ['zh', 390],
  ])
    test(`in ${language}, ${width} px wide`, async () => {
      const { page, problems, close } = await openPage(browser, { width });
      const found = [];
      for (const { id } of list().filter(({ sampleOf }) => sampleOf !== null)) {
        await page.goto('about:blank');
        await page.goto(`${server.url}#/${id.replaceAll('_', '-')}?lang=${language}`);
        await page.waitForSelector(`[data-view="${id}"]`);
        await page.waitForSelector('[data-own-text]');
        for (const text of TEXTS[language]) {
          await page.$eval('[data-own-text]', (details) => (details.open = true));
          await fill(page, '[data-own-text] textarea', text);
          await page.waitForFunction(
            (typed) => typed.startsWith(document.querySelector('[data-own-text] .token')?.textContent ?? '?'),
            {},
            text,
          );
          await page.waitForFunction(() => !document.querySelector('main .loading'));
          if (await page.$('[data-own-text] [data-note=refused]')) problems.push('refused');
          if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
            problems.push('wider than the screen');
          found.push(...problems.splice(0).map((problem) => `${id}, “${text}”: ${problem}`));
        }
      }
      await close();
      assert.deepEqual(found, []);
    });
});

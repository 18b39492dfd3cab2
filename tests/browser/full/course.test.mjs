// The ten steps, with the keyboard alone and by touch: what each question reveals is what the package computes here.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { openPage, withRoom } from '../support.mjs';
import { loadTexts, openPhone, predict, tabTo, tap } from '../visitor.mjs';

const fovea = await load({ deterministic: true });
const { steps } = await loadTexts();

/** The last step ends with pages to go on with. */
const NEXT = '[data-next], [data-end] a[href="#/mechanisms"]';

describe('the ten steps', () => {
  let server, browser;
  withRoom((room) => ({ server, browser } = room));

  for (const [by, language] of [
    ['keys', 'en'],
    ['finger', 'zh'],
  ])
    test(`by ${by}`, async () => {
      const visitor = by === 'keys' ? await openPage(browser, { width: 1280, height: 800 }) : await openPhone(browser);
      const { page, problems } = visitor;
      await page.goto(`${server.url}#/learn/1?lang=${language}`, { waitUntil: 'load' });
      for (const [i, { check }] of steps.entries()) {
        await page.waitForSelector(`[data-step="${i + 1}"] [data-prediction="${check.id}"]`);
        await page.waitForSelector(`[data-step="${i + 1}"] .picture > *:not(.loading)`);
        await predict(page, check, { fovea, language, by });
        if (by === 'finger') await tap(page, NEXT);
        else {
          await tabTo(page, NEXT);
          await page.keyboard.press('Enter');
        }
      }
      await page.waitForFunction(() => location.hash.startsWith('#/mechanisms'));
      assert.deepEqual(problems, []);
      await visitor.close();
    });
});

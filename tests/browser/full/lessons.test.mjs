// Each mechanism's lesson and each of its questions, with the keyboard alone and by touch on a phone: numbers against the package.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { show } from '../pages.mjs';
import { openPage, withBrowser } from '../support.mjs';
import { loadTexts, openPhone, predict, readClaim } from '../visitor.mjs';

const fovea = await load({ deterministic: true });
const { lessons } = await loadTexts();

describe('every lesson', { concurrency: 2 }, () => {
  let server, browser;
  withBrowser((given) => ({ server, browser } = given));

  for (const { id, samples } of list().filter(({ id }) => lessons.has(id)))
    for (const [by, language] of [
      ['keys', 'en'],
      ['finger', 'zh'],
    ])
      test(`${id}, by ${by}`, async () => {
        const lesson = lessons.get(id);
        const visitor = by === 'keys' ? await openPage(browser, { width: 1280, height: 800 }) : await openPhone(browser);
        const { page, problems } = visitor;
        await show(page, server.url, id.replaceAll('_', '-'), { lang: language });
        const { inputs, params, options } = samples[language];
        await readClaim(page, id, lesson, run(fovea, id, inputs, params, options).trace, language);
        for (const prediction of lesson.predictions ?? []) await predict(page, prediction, { fovea, language, by });
        assert.ok(await page.evaluate(() => document.scrollingElement.scrollWidth <= innerWidth));
        assert.deepEqual(problems, []);
        await visitor.close();
      });
});

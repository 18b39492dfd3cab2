// The list of all mechanisms: loaded when it is asked for, in both languages, and each claim computed in the page.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { list } from 'fovea/catalog';
import { text, withRoom } from './support.mjs';

describe('the list of mechanisms', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  const show = async (language) => {
    await page.goto('about:blank');
    await page.goto(`${server.url}#/?lang=${language}`, { waitUntil: 'networkidle0' }); // the core is there
    await page.waitForSelector('section[aria-labelledby=mechanisms-title] button');
    await page.evaluate(() => document.querySelector('section[aria-labelledby=mechanisms-title] button').click());
    await page.waitForSelector('[data-mechanism]');
    return page.$$eval('[data-mechanism]', (all) => all.map((one) => one.dataset.mechanism));
  };

  test('it has every entry of the catalog, and each claim holds where it is opened', async () => {
    const ids = await show('en');
    assert.deepEqual(
      [...ids].sort(),
      list()
        .map(({ id }) => id)
        .sort(),
    );
    for (const id of ids) await page.$eval(`[data-mechanism=${id}]`, (details) => void (details.open = true));
    await page.waitForFunction((count) => document.querySelectorAll('[data-held]').length === count, {}, ids.length);
    assert.equal((await page.$$('[data-held=true]')).length, ids.length);
    const { claim } = list().find(({ id }) => id === 'bahdanau').defaults;
    assert.ok((await text(page, '[data-mechanism=bahdanau]')).includes(claim.text.en.replace(/\s+/g, ' ')));
    assert.deepEqual(opened.problems, []);
  });

  test('in Chinese the titles and claims are Chinese', async () => {
    await show('zh');
    const { title, defaults } = list().find(({ id }) => id === 'pointer_network');
    await page.$eval('[data-mechanism=pointer_network]', (details) => void (details.open = true));
    const shown = await text(page, '[data-mechanism=pointer_network]');
    assert.ok(shown.includes(title.zh) && shown.includes(defaults.claim.text.zh.replace(/\s+/g, ' ')), shown);
    assert.deepEqual(opened.problems, []);
  });
});

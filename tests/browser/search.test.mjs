// The map of all mechanisms, and the search: any of a mechanism's names, in English, simplified or traditional Chinese.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { list } from 'fovea/catalog';
import { text, textMatching, withRoom } from './support.mjs';

describe('map and search', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  const open = async (language) => {
    await page.goto('about:blank');
    await page.goto(`${server.url}#/mechanisms?lang=${language}`, { waitUntil: 'load' });
    await page.waitForSelector('[data-mechanism]');
  };
  /** Types a query and waits for a result whose text begins so. */
  const find = async (query, title) => {
    await page.$eval('input[type=search]', (field) => ((field.value = ''), field.focus()));
    await page.type('input[type=search]', query);
    await page
      .waitForFunction(
        (begin) => [...document.querySelectorAll('[role=option]')].some((one) => one.textContent.trim().startsWith(begin)),
        {},
        title,
      )
      .catch(async () => {
        const shown = await page.$$eval('[role=option]', (all) => all.map((one) => one.textContent.trim()));
        assert.fail(`${query} finds ${shown.join(', ') || 'nothing'}, not ${title}`);
      });
  };

  test('the map links every entry of the catalog, in both languages', async () => {
    for (const language of ['en', 'zh']) {
      await open(language);
      const shown = await page.$$eval('[data-mechanism]', (all) =>
        Object.fromEntries(all.map((one) => [one.dataset.mechanism, [one.textContent.trim(), one.hash]])),
      );
      const wanted = list().map(({ id, title }) => [id, [title[language], `#/${id.replaceAll('_', '-')}`]]);
      assert.deepEqual(shown, Object.fromEntries(wanted));
    }
    assert.deepEqual(opened.problems, []);
  });

  test('it finds a mechanism by its title, a textbook’s name for it, its authors, and in traditional characters', async () => {
    await open('en');
    for (const [query, title] of [
      ['pointer net', 'Pointer network'],
      ['点击注意力', 'Dot-product attention'],
      ['雙線性', 'Bilinear attention (general)'],
      ['縮放點積', 'Scaled dot-product attention'],
      ['BAHDANAU', 'Bahdanau attention'],
      ['shaw 2018', 'Relative positions (Shaw)'],
    ])
      await find(query, title);
  });

  test('arrow keys and Enter open a result; what nothing is called is said', async () => {
    await open('en');
    await find('sparse', 'Sparse Transformer');
    const second = await page.$eval('[role=option]:nth-child(2)', (option) => option.textContent.trim());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('article h1');
    assert.ok(second.startsWith(await page.$eval('article h1', (h1) => h1.firstChild.textContent.trim())));
    await page.type('input[type=search]', 'xyzzy');
    assert.equal(await textMatching(page, 'search [role=status]', /No mechanism/), 'No mechanism has this name.');
    await page.keyboard.press('Escape');
    assert.equal(await text(page, 'search [role=status]'), '');
    assert.deepEqual(opened.problems, []);
  });
});

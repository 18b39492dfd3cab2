// The switch for terms in both languages: on in both languages, kept, and said to screen readers as words of their language.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { glosses, glossMarks, show } from './pages.mjs';
import { flip, openPage, text, withBrowser } from './support.mjs';

const PAGES = ['', 'learn/2', 'scaled-dot', 'self-attention', 'compare', 'text'];

describe('terms in both languages', () => {
  let server, page;
  withBrowser(async (given) => {
    server = given.server;
    ({ page } = await openPage(given.browser));
  });

  test('the switch shows them in sentences and axes, each marked with its language, and is kept', async () => {
    await show(page, server.url, '');
    await flip(page, 'Bilingual terms');
    assert.match(await text(page, 'main header p'), /the query 查询\. It is compared with five keys 键;/);
    await page.reload();
    for (const path of PAGES) {
      await show(page, server.url, path);
      const found = await glosses(page);
      assert.ok(found.length > 0, `#/${path} has glosses`);
      for (const [word, lang] of found) assert.deepEqual([lang, /\p{Script=Han}/u.test(word)], ['zh-Hans', true], word);
      assert.deepEqual(await glossMarks(page), [], `#/${path}`);
    }
    await show(page, server.url, 'self-attention', { lang: 'zh' });
    assert.match(await text(page, 'main h1'), /^自注意力（Self-attention）$/);
    for (const [word, lang] of await glosses(page)) assert.deepEqual([lang, /^[A-Za-z]/.test(word)], ['en', true], word);
    await flip(page, '双语术语');
    assert.equal(await text(page, 'main h1'), '自注意力');
    await page.reload();
    await page.waitForSelector('main h1');
    assert.equal(await text(page, 'main h1'), '自注意力');
  });
});

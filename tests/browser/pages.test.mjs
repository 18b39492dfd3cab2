// A sample of the pages, small and large, light and dark, in both languages, in one of them by axe-core, too; `npm run test:page:full` has them all.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import { accessibilityFaults, assertSound, glosses, glossMarks, show } from './pages.mjs';
import { openPage, root, text, withBrowser } from './support.mjs';

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

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src 'self' blob: data:; " +
  "media-src 'self' blob:; font-src 'self'; manifest-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
  "require-trusted-types-for 'script'; trusted-types svelte-trusted-html fovea-built default";

/** No term has a word of the other language while the switch for them is off, as it is at first. */
async function assertOneLanguage(page, path, lang) {
  assert.deepEqual(await glosses(page), [], `#/${path} ${lang}`);
  assert.deepEqual(await glossMarks(page), [], `#/${path} ${lang}`);
  if (path === '' || path.startsWith('learn'))
    assert.doesNotMatch(await text(page, 'main'), lang === 'en' ? /[\u4e00-\u9fff]/ : /查询 ?（?query/, `#/${path} ${lang}`);
}

describe('pages', () => {
  let server, browser;
  withBrowser((given) => ({ server, browser } = given));

  for (const [lang, theme, width, height] of [
    ['en', 'light', 1280, 800],
    ['zh', 'dark', 390, 844],
  ])
    test(`no text too small, nothing cut off, wider than the screen, empty or in another language: ${lang}, ${theme}, ${width} × ${height}`, async () => {
      const opened = await openPage(browser, { width, height, dark: theme === 'dark' });
      for (const path of SAMPLE) {
        await assertSound(opened, server.url, path, { lang, theme });
        await assertOneLanguage(opened.page, path, lang);
        // In both themes and languages before a release.
        if (lang === 'en') assert.deepEqual(await accessibilityFaults(opened.page), [], `#/${path}`);
      }
      await opened.close();
    });

  test('the built page has the policy that allows nothing but its own files', async () => {
    const html = await readFile(`${root}web/dist/index.html`, 'utf8');
    const [policy, ...others] = [...html.matchAll(/http-equiv="Content-Security-Policy"\s+content="([^"]*)"/g)];
    assert.equal(policy?.[1], POLICY);
    assert.deepEqual(others, []);
    assert.ok(
      html.indexOf('Content-Security-Policy') < html.search(/<script|<link|<style/),
      'it stands before what it governs',
    );
  });

  test('the policy stops other hosts and inline scripts, and both are noted', async () => {
    const { page, problems, close } = await openPage(browser);
    await show(page, server.url, '');
    assert.deepEqual(problems, []);
    await page.evaluate(async () => {
      await fetch('https://example.invalid/').catch(() => undefined);
      const script = document.createElement('script');
      script.append('window.ran = true');
      document.head.append(script);
    });
    assert.equal(await page.evaluate(() => window.ran), undefined);
    // Chromium tells of a script that is made so on the console alone.
    for (const noted of [/^CSP: connect-src /, /^console: .*TrustedScript/])
      assert.ok(
        problems.some((problem) => noted.test(problem)),
        `${noted} is not among ${problems}`,
      );
    await close();
  });
});

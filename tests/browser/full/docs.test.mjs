// The documentation beside the page: every link leads to a file, nothing is asked of another host, the search finds, no page is wider than a phone.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { BASE, openPage, root, withBrowser } from '../support.mjs';

const folder = join(root, 'web/dist/docs');
const pages = readdirSync(folder, { recursive: true })
  .filter((path) => path.endsWith('.html'))
  .map((path) => path.replaceAll('\\', '/'));

describe('the documentation', () => {
  let server, browser;
  withBrowser((given) => ({ server, browser } = given));

  test('every page of docs/ and every entry has a page', () => {
    for (const path of readdirSync(join(root, 'docs'), { recursive: true }).filter((one) => one.endsWith('.md')))
      assert.ok(pages.includes(path.replaceAll('\\', '/').replace(/\.md$/, '.html')), path);
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const [name, { types }] of Object.entries(exports)) {
      const module = `modules/${name.replace('.', 'fovea').replace('/', '_')}.html`;
      if (types !== undefined && !name.endsWith('.wasm')) assert.ok(pages.includes(module), module);
    }
  });

  test('every link of the site leads to a file of it, or to the page', () => {
    const wrong = [];
    for (const page of pages) {
      const html = readFileSync(join(folder, page), 'utf8');
      for (const [, target] of html.matchAll(/<a [^>]*href="([^"#][^"]*)"/g)) {
        const path = decodeURIComponent(target.split('#')[0]);
        // Dotted names, as word.bw, are no hosts.
        if (path.startsWith('http:')) wrong.push(`${page}: ${target}`);
        if (/^https?:/.test(path) || path === '') continue;
        const file = resolve(dirname(join(folder, page)), path);
        if (!existsSync(file)) wrong.push(`${page}: ${target}`);
      }
      for (const [, source] of html.matchAll(/<(?:script|img|link)[^>]* (?:src|href)="([^"]*)"/g))
        if (/^(https?:)?\/\//.test(source)) wrong.push(`${page}: ${source}`);
    }
    assert.deepEqual(wrong, []);
  });

  for (const [width, dark] of [
    [1280, false],
    [390, true],
  ]) {
    test(`pages of prose and of functions show without a fault, ${width} wide`, async () => {
      const { page, problems } = await openPage(browser, { width, dark });
      for (const path of [
        'index.html',
        'attention.html',
        'cli.html',
        'catalog.html',
        'recipes/images.html',
        'functions/fovea_ops.layerNorm.html',
      ]) {
        await page.goto(`${server.url}docs/${path}`, { waitUntil: 'networkidle0' });
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          true,
          `${path} is too wide`,
        );
        const [background, ink] = await page.evaluate(() => {
          const { backgroundColor, color } = getComputedStyle(document.body);
          return [backgroundColor, color];
        });
        assert.deepEqual(
          [background, ink],
          dark ? ['rgb(18, 21, 26)', 'rgb(233, 235, 238)'] : ['rgb(252, 252, 251)', 'rgb(21, 24, 30)'],
        );
      }
      assert.deepEqual(problems, []);
    });
  }

  test('the page leads to the site, the theme goes with the visitor, and the search finds words of the texts', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${server.url}#/?lang=en`);
    await page.waitForSelector('footer a[href^="docs/"]');
    await page.evaluate(() => localStorage.setItem('fovea.theme', 'dark'));
    await page.$eval('footer a[href^="docs/"]', (link) => link.click());
    await page.waitForSelector('#tsd-search-trigger');
    assert.equal(new URL(page.url()).pathname, `${BASE}docs/index.html`);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await page.locator('#tsd-search-trigger').click();
    await page.type('#tsd-search-input', 'doctor');
    await page.waitForFunction(() => /npx fovea/.test(document.querySelector('#tsd-search-results').textContent));
    assert.deepEqual(problems, []);
  });

  test('the search finds the guide first, and the function by its name', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${server.url}docs/index.html`, { waitUntil: 'networkidle0' });
    await page.locator('#tsd-search-trigger').click();
    for (const [query, first] of Object.entries({
      COOP: 'Troubleshooting',
      'import map': 'Loading',
      'memory leak': 'Troubleshooting',
      WebGPU: 'Troubleshooting',
      install: 'fovea',
      PyTorch: 'Coming from PyTorch',
      softmax: 'fovea/ops.softmax',
    })) {
      await page.$eval('#tsd-search-input', (field) => (field.value = ''));
      await page.type('#tsd-search-input', query);
      await page.waitForFunction(
        (wanted) =>
          [...document.querySelectorAll('#tsd-search-results li')]
            .slice(0, 3)
            .some((item) => item.textContent.trim() === wanted),
        {},
        first,
      );
    }
    assert.deepEqual(problems, []);
  });
});

// The page and the package in Firefox.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { ISOLATION_HEADERS } from '../../scripts/serve.mjs';
import { findFirefox } from '../../scripts/toolchain.mjs';
import {
  familiesShowNumbers,
  packageHasBytesOfNode,
  packageInWorker,
  packageRuns,
  packageTrains,
  packageWithThreads,
  pageShowsSameBits,
  pageShowsWorkedExample,
  pageTakesText,
} from './smoke.mjs';
import { servePackage, servePage } from './support.mjs';

const firefox = findFirefox();

describe('Firefox', { skip: firefox ? false : 'Firefox is not installed: npm run setup -- --browsers' }, () => {
  let site, packageSite, isolatedSite, browser, look;

  before(async () => {
    [site, packageSite, isolatedSite] = await Promise.all([
      servePage(),
      servePackage(),
      servePackage({ headers: ISOLATION_HEADERS }),
    ]);
    browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox });
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    look = { open: (url) => page.goto(url), evaluate: (script) => page.evaluate(script) };
  });
  after(async () => {
    await browser?.close();
    await Promise.all([site?.close(), packageSite?.close(), isolatedSite?.close()]);
  });

  test('the worked example is shown', () => pageShowsWorkedExample(look, site.url));
  test('its digits are those of Node, to the last bit', () => pageShowsSameBits(look));
  test('typed text runs', () => pageTakesText(look, site.url));
  test('a page of each family shows the numbers of the package', () => familiesShowNumbers(look, site.url));
  test('every operation has the bytes of Node', () => packageHasBytesOfNode(look, packageSite.url));
  test('training has the bytes of Node, with threads and without', async () => {
    await packageTrains(look, packageSite.url, 1);
    await packageTrains(look, isolatedSite.url, 2);
  });
  test('load() runs the relaxed build', () => packageRuns(look, packageSite.url, 'relaxed'));
  test('fovea/worker computes the same bits, with threads and without, and stops when told to', async () => {
    const done = { same: true, end: 1, aborted: 'AbortError', early: true, live: 0 };
    assert.deepEqual(await packageInWorker(look, packageSite.url, 1), { threads: 1, ...done });
    // Under WebDriver the constructor of a worker within a worker does not return about once in 40 times: docs/reliability.md.
    assert.deepEqual(await packageInWorker(look, isolatedSite.url, 2, { tries: 3 }), { threads: 2, ...done });
  });
  test('an isolated page has threads, any other one thread', async () => {
    const isolated = await packageWithThreads(look, isolatedSite.url);
    assert.deepEqual(isolated, { variant: 'simd128-threads', threads: 2, fallbackReason: null, same: true });
    const { fallbackReason, ...other } = await packageWithThreads(look, packageSite.url);
    assert.deepEqual(other, { variant: 'simd128', threads: 1, same: true });
    assert.match(fallbackReason, /not cross-origin isolated/);
  });
});

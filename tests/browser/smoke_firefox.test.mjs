// The page and the package in Firefox.

import { after, before, describe, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { findFirefox } from '../../scripts/toolchain.mjs';
import { packageRuns, pageShowsSameBits, pageShowsWorkedExample, pageTakesText } from './smoke.mjs';
import { servePackage, servePage } from './support.mjs';

const firefox = findFirefox();

describe('Firefox', { skip: firefox ? false : 'Firefox is not installed: npm run setup -- --browsers' }, () => {
  let site, packageSite, browser, look;

  before(async () => {
    [site, packageSite] = await Promise.all([servePage(), servePackage()]);
    browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox });
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    look = { open: (url) => page.goto(url), evaluate: (script) => page.evaluate(script) };
  });
  after(async () => {
    await browser?.close();
    await Promise.all([site?.close(), packageSite?.close()]);
  });

  test('the worked example is shown', () => pageShowsWorkedExample(look, site.url));
  test('its digits are those of Node, to the last bit', () => pageShowsSameBits(look));
  test('typed text runs', () => pageTakesText(look, site.url));
  test('load() runs the relaxed build', () => packageRuns(look, packageSite.url, 'relaxed'));
});

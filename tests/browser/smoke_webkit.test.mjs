// The page and the package in WebKitGTK, which has no relaxed SIMD and no SharedArrayBuffer.

import { after, before, describe, test } from 'node:test';
import { findWebKit, which } from '../../scripts/toolchain.mjs';
import { packageRuns, pageShowsSameBits, pageShowsWorkedExample, pageTakesText } from './smoke.mjs';
import { servePackage, servePage } from './support.mjs';
import { openWebKit } from './webdriver.mjs';

const webkit = findWebKit();
const missing = !webkit ? 'WebKitWebDriver and MiniBrowser' : which('Xvfb') ? '' : 'Xvfb';

describe('WebKitGTK', { skip: missing ? `${missing} not installed: npm run setup -- --browsers` : false }, () => {
  let site, packageSite, look;

  before(async () => {
    [site, packageSite] = await Promise.all([servePage(), servePackage()]);
    look = await openWebKit(webkit);
  });
  after(async () => {
    await look?.close();
    await Promise.all([site?.close(), packageSite?.close()]);
  });

  test('the worked example is shown', () => pageShowsWorkedExample(look, site.url));
  test('its digits are those of Node, to the last bit', () => pageShowsSameBits(look));
  test('typed text runs', () => pageTakesText(look, site.url));
  test('load() falls back to the simd128 build', () => packageRuns(look, packageSite.url, 'simd128'));
});

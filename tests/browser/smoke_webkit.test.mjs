// The page and the package in WebKitGTK, which has no relaxed SIMD and no SharedArrayBuffer.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ISOLATION_HEADERS } from '../../scripts/serve.mjs';
import { findWebKit, which } from '../../scripts/toolchain.mjs';
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
import { openWebKit } from './webdriver.mjs';

const webkit = findWebKit();
const missing = !webkit ? 'WebKitWebDriver and MiniBrowser' : which('Xvfb') ? '' : 'Xvfb';

describe('WebKitGTK', { skip: missing ? `${missing} not installed: npm run setup -- --browsers` : false }, () => {
  let site, packageSite, isolatedSite, look;

  before(async () => {
    [site, packageSite, isolatedSite] = await Promise.all([
      servePage(),
      servePackage(),
      servePackage({ headers: ISOLATION_HEADERS }),
    ]);
    look = await openWebKit(webkit);
  });
  after(async () => {
    await look?.close();
    await Promise.all([site?.close(), packageSite?.close(), isolatedSite?.close()]);
  });

  test('the worked example is shown', () => pageShowsWorkedExample(look, site.url));
  test('its digits are those of Node, to the last bit', () => pageShowsSameBits(look));
  test('typed text runs', () => pageTakesText(look, site.url));
  test('a page of each family shows the numbers of the package', () => familiesShowNumbers(look, site.url));
  test('every operation has the bytes of Node', () => packageHasBytesOfNode(look, packageSite.url));
  test('training has the bytes of Node', () => packageTrains(look, packageSite.url, 1));
  test('load() falls back to the simd128 build', () => packageRuns(look, packageSite.url, 'simd128'));
  test('fovea/worker computes the same bits, and stops when told to', async () => {
    const done = { threads: 1, same: true, end: 1, aborted: 'AbortError', early: true, live: 0 };
    assert.deepEqual(await packageInWorker(look, packageSite.url, 1), done);
  });
  test('it has one thread, and says why', async () => {
    for (const { url } of [isolatedSite, packageSite]) {
      const { fallbackReason, ...other } = await packageWithThreads(look, url);
      assert.deepEqual(other, { variant: 'simd128', threads: 1, same: true });
      assert.match(fallbackReason, /no SharedArrayBuffer|not cross-origin isolated/);
    }
  });
});

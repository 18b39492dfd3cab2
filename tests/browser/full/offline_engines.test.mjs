// Offline and <fovea-attention> in Firefox and in WebKitGTK, and every page offline after one visit in a fresh profile of Chromium.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { list } from 'fovea/catalog';
import puppeteer from 'puppeteer-core';
import { findFirefox, findWebKit, which } from '../../../scripts/toolchain.mjs';
import { HOST_PAGES, weightsByPackage } from '../element_support.mjs';
import { keepOffline } from '../offline_support.mjs';
import { pages } from '../pages.mjs';
import { openChromium, openPage, servePage } from '../support.mjs';
import { openWebKit } from '../webdriver.mjs';

const intercept = (path) => HOST_PAGES[path.split('/').at(-1)];

async function until(look, expression) {
  for (let tries = 0; tries < 300; tries++) {
    if (await look.evaluate(`(async () => Boolean(await (${expression})))()`)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`never true: ${expression}; the page reads: ${await look.evaluate('document.body.innerText.slice(0, 600)')}`);
}

test('every page works offline after one visit', async () => {
  const server = await servePage({ hashed: undefined });
  const browser = await openChromium({ whole: true });
  try {
    const { page, problems } = await openPage(browser, { savesData: false });
    await keepOffline(page, server.url);
    await server.close();
    const ids = new Set(list().map(({ id }) => id.replaceAll('_', '-')));
    for (const path of pages) {
      await page.goto('about:blank');
      await page.goto(`${server.url}#/${path}?lang=en`);
      await page
        .waitForFunction(
          (isMechanism) =>
            document.querySelector('main h1') &&
            !document.querySelector('main .loading, [data-load-error]') &&
            (!isMechanism || document.querySelector('main canvas, main svg')),
          {},
          ids.has(path),
        )
        .catch(() => assert.fail(`#/${path} does not open offline`));
    }
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    await server.close();
  }
});

/** Tests of behavior that every engine must have. */
function behaves(engine) {
  test('the page works offline after one visit', async (t) => {
    const server = await servePage({ hashed: undefined });
    t.after(() => server.close());
    const { look } = engine();
    await look.open(`${server.url}#/offline?lang=en`);
    await until(look, `document.querySelector('[data-offline=kept], [data-offline=unsupported]')`);
    if (await look.evaluate(`document.querySelector('[data-offline=unsupported]') !== null`))
      return t.skip('this browser refuses service workers under its driver');
    await server.close();
    await look.open('about:blank');
    await look.open(`${server.url}#/rope?lang=en`);
    await until(look, `document.querySelector('[data-trace-stage]')`);
  });

  test('<fovea-attention> shows the numbers of the package on a strict page', async (t) => {
    const server = await servePage({ intercept });
    t.after(() => server.close());
    const { look } = engine();
    await look.open(`${server.url}host.html`);
    await until(look, `document.querySelector('#first')?.state && document.querySelector('#second').state`);
    for (const id of ['first', 'second']) {
      const state = await look.evaluate(`document.querySelector('#${id}').state`);
      assert.deepEqual(state.weights, await weightsByPackage(state));
    }
    const inked = await look.evaluate(`(() => {
      const canvas = document.querySelector('#first').shadowRoot.querySelector('canvas');
      return new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size;
    })()`);
    assert.ok(inked > 20, `${inked} different bytes`);
    await look.open(`${server.url}frame.html`);
    await until(look, `document.querySelector('iframe').contentDocument.querySelector('#first')?.state`);
  });
}

const firefox = findFirefox();
describe('Firefox', { skip: firefox ? false : 'Firefox is not installed: npm run setup -- --browsers' }, () => {
  let browser, look;
  before(async () => {
    browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox });
    const page = await browser.newPage();
    look = { open: (url) => page.goto(url), evaluate: (script) => page.evaluate(script) };
  });
  after(() => browser?.close());
  behaves(() => ({ look }));
});

const webkit = findWebKit();
describe(
  'WebKitGTK',
  { skip: webkit && which('Xvfb') ? false : 'WebKitGTK or Xvfb is not installed: npm run setup -- --browsers' },
  () => {
    let look;
    before(async () => (look = await openWebKit(webkit)));
    after(() => look?.close());
    behaves(() => ({ look }));
  },
);

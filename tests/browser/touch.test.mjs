// A finger on a phone drags what can be dragged, in every direction, and scrolls the page beside it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { findFirefox, findWebKit, which } from '../../scripts/toolchain.mjs';
import { goTo, middleOf, NOWHERE, openChromium, openPage, servePage } from './support.mjs';
import { openWebKit } from './webdriver.mjs';

const PHONE = { width: 390, height: 844, hasTouch: true };
const firefox = findFirefox();
const webkit = findWebKit();

/** Every picture that is dragged: where the finger starts, and the number that the drag must have changed. */
const PICTURES = [
  { name: 'the query of the front page', path: '', grip: '[data-plane] .grip', value: '[data-table=plane] tr:nth-child(6)' },
  { name: 'the query of step 2', path: 'learn/2', grip: '[data-plane] .grip', value: '[data-table=plane] tr:nth-child(6)' },
  { name: 'the query of cosine', path: 'cosine', grip: '[data-plane] .grip', value: '[data-plane] ~ .buttons [role=status]' },
  { name: 'a score of sparsemax', path: 'sparsemax', grip: '[data-bars] .grip', value: '[data-table=bars]' },
  { name: 'a number of the pointer network', path: 'pointer-network', grip: '[data-bars] .grip', value: '[data-table=bars]' },
  { name: 'the center of a local window', path: 'luong-local', grip: '[data-drag] .grip', value: '[data-window]' },
];

/** One of each component: pages share them, and browsers differ in how they tell of a drag. Chromium has all pages. */
const COMPONENTS = PICTURES.filter(({ grip }, i) => PICTURES.findIndex((one) => one.grip === grip) === i);

const read = (page, selector) => page.$eval(selector, (one) => one.textContent.replace(/\s+/g, ' ').trim());

/** Opens the page, brings the element to the middle of the screen and returns where it is. */
async function open(page, url, path, selector) {
  await goTo(page, `${url}#/${path}?lang=en`);
  await page.waitForSelector(selector);
  // The numbers are computed in several tasks: what is dragged stands still when the page has settled.
  await page.waitForFunction(() => !document.querySelector('main .loading'));
  return middleOf(page, selector);
}

/** One finger, in ten moves. */
async function drag(page, [x, y], [right, down]) {
  await page.touchscreen.touchStart(x, y);
  for (let i = 1; i <= 10; i++) await page.touchscreen.touchMove(x + (right * i) / 10, y + (down * i) / 10);
  await page.touchscreen.touchEnd();
}

const coordinates = (text) => text.match(/[-−]?\d+(\.\d+)?/g).map((digits) => Number(digits.replace('−', '-')));

function fingerDrags(pictures, receive) {
  test('each picture that is dragged follows a finger 100 px left and 120 px down', async () => {
    const { page, url } = receive();
    for (const { name, path, grip, value } of pictures) {
      const start = await open(page, url, path, grip);
      const before = await read(page, value);
      await page.evaluate(() => {
        window.canceled = 0;
        addEventListener('pointercancel', () => (window.canceled += 1), true);
      });
      const scrolled = await page.evaluate(() => scrollY);
      await drag(page, start, [-100, 120]);
      assert.equal(await page.evaluate(() => window.canceled), 0, `${name}: the browser took the finger away`);
      assert.equal(await page.evaluate(() => scrollY), scrolled, `${name}: the page stands still`);
      assert.notEqual(await read(page, value), before, name);
    }
  });

  test('the query of the front page is where the finger left it', async () => {
    const { page, url } = receive();
    const grip = '[data-plane] .grip';
    const start = await open(page, url, '', grip);
    await drag(page, start, [-100, 120]);
    const [x, y] = await page.$eval(grip, (one) => {
      const box = one.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    });
    assert.ok(Math.hypot(x - start[0] + 100, y - start[1] - 120) < 2, `${[x, y]} from ${start}`);
    const [, qx, qy] = coordinates(`0 ${await read(page, '[data-plane] ~ .buttons [role=status]')}`);
    assert.ok(qx < 1.2 - 2 && qy < 1.6 - 2.4, `${qx}, ${qy}`);
  });

  test('an edge of the graph is drawn by a finger from node 1 to node 4', async () => {
    const { page, url } = receive();
    await open(page, url, 'graph-attention', '[data-graph] g');
    assert.equal(await page.$('[data-edge="4"][aria-pressed=true]'), null);
    const from = await middleOf(page, '[data-graph] g');
    const to = await page.$$eval('[data-graph] g', (nodes) => {
      const { x, y, width, height } = nodes[3].getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    });
    await drag(page, from, [to[0] - from[0], to[1] - from[1]]);
    await page.waitForSelector('[data-edge="4"][aria-pressed=true]');
  });
}

describe('touch in Chromium', () => {
  let site, browser, opened;
  before(async () => {
    site = await servePage();
    browser = await openChromium();
    opened = await openPage(browser, PHONE);
    await opened.page.setViewport({ ...PHONE, isMobile: true });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  fingerDrags(PICTURES, () => ({ page: opened.page, url: site.url }));

  test('beside what is dragged, a finger on the picture scrolls the page', async () => {
    const { page } = opened;
    for (const [path, picture] of [
      ['', '[data-plane]'],
      ['graph-attention', '[data-graph]'],
    ]) {
      await open(page, site.url, path, picture);
      const [x, y] = await page.$eval(picture, (one) => {
        const box = one.getBoundingClientRect();
        return [box.x + 8, box.bottom - 8];
      });
      const before = await page.evaluate(() => scrollY);
      await drag(page, [x, y], [0, -150]);
      await page.waitForFunction((at) => scrollY > at + 50, {}, before);
    }
    assert.deepEqual(opened.problems, []);
  });
});

describe('touch in Firefox', { skip: firefox ? false : 'Firefox is not installed: npm run setup -- --browsers' }, () => {
  let site, browser, page;
  before(async () => {
    site = await servePage();
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: firefox,
      // No service worker fetches the page's files meanwhile.
      extraPrefsFirefox: { 'dom.w3c_touch_events.enabled': 1, 'dom.serviceWorkers.enabled': false },
    });
    page = await browser.newPage();
    await page.setViewport({ width: PHONE.width, height: PHONE.height });
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  fingerDrags(COMPONENTS, () => ({ page, url: site.url }));
});

// WebKitGTK has no fingers on a display without a touchscreen: the same pictures follow a mouse there.
const hasWebKit = webkit && which('Xvfb');
describe(
  'a mouse in WebKitGTK',
  { skip: hasWebKit ? false : 'WebKitGTK is not installed: npm run setup -- --browsers' },
  () => {
    let site, look;
    before(async () => {
      site = await servePage();
      look = await openWebKit(webkit);
    });
    after(async () => {
      await look?.close();
      await site?.close();
    });

    test('each picture that is dragged follows it 100 px left and 120 px down', async () => {
      await look.open(`${site.url}${NOWHERE}?lang=en`);
      for (const { name, path, grip, value } of COMPONENTS) {
        const shown = `document.querySelector(${JSON.stringify(value)})`;
        const [start, before] = await look.evaluate(`(async () => {
        const wait = (ms) => new Promise((done) => setTimeout(done, ms));
        const grip = () => document.querySelector(${JSON.stringify(grip)});
        location.hash = ${JSON.stringify(NOWHERE)};
        while (!document.querySelector('main [role=alert]') || document.querySelector('main h1')) await wait(50);
        location.hash = ${JSON.stringify(`#/${path}`)};
        while (!grip() || !${shown} || document.querySelector('main .loading')) await wait(50);
        grip().scrollIntoView({ block: 'center', behavior: 'instant' });
        await wait(300);
        const { x, y, width, height } = grip().getBoundingClientRect();
        return [[x + width / 2, y + height / 2], ${shown}.textContent];
      })()`);
        await look.drag(start, [-100, 120]);
        assert.notEqual(await look.evaluate(`${shown}.textContent`), before, name);
      }
    });
  },
);

// Every mechanism's page is changed in Chromium; its link, opened in a fresh profile, shows the same: the same
// texts, controls and numbers, in Chromium, Firefox and WebKit. node tests/browser/full/links.test.mjs [ID…]: these pages alone.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { list } from 'fovea/catalog';
import puppeteer from 'puppeteer-core';
import { findFirefox, findWebKit, which } from '../../../scripts/toolchain.mjs';
import { openChromium, openPage, servePage } from '../support.mjs';
import { openWebKit } from '../webdriver.mjs';

const asked = process.argv.slice(2);
const ids = list()
  .map(({ id }) => id)
  .filter((id) => asked.length === 0 || asked.includes(id));

const READY = `!document.querySelector('main .loading') && document.querySelector('article [data-table] td, article table td, article svg') !== null`;
/** All that is written in the picture, the tables behind it included. */
const WRITTEN = `[...document.querySelectorAll('.picture [data-view], .picture')].slice(0, 1).map((element) => element.textContent.replace(/\\s+/g, ' '))
  .concat([...document.querySelectorAll('.picture [data-table] td')].map((cell) => cell.textContent), [...document.querySelectorAll('.picture input')].map((input) => input.value + input.checked))`;
/** Turns the first control of the picture that there is. */
const CHANGE = `(() => {
  const set = (input, value) => { input.value = value; input.dispatchEvent(new InputEvent('input', { bubbles: true })); return true; };
  const slider = document.querySelector('.picture input[type=range], .picture input[type=number]');
  if (slider) return set(slider, slider.valueAsNumber < Number(slider.max) ? slider.valueAsNumber + Number(slider.step || 1) : Number(slider.min));
  const other = document.querySelector('.picture input[type=checkbox], .picture input[type=radio]:not(:checked)');
  if (other) other.click();
  return Boolean(other);
})()`;

async function until(evaluate, expression) {
  for (let tries = 0; tries < 300; tries++) {
    if (await evaluate(`Boolean(${expression})`)) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`never true: ${expression}`);
}

/** Waits until the page has stopped changing, and reads it. */
async function writtenOn(evaluate) {
  await until(evaluate, READY);
  let [last, now] = ['', JSON.stringify(await evaluate(WRITTEN))];
  for (let tries = 0; tries < 20 && now !== last; tries++) {
    await new Promise((done) => setTimeout(done, 300));
    [last, now] = [now, JSON.stringify(await evaluate(WRITTEN))];
  }
  return JSON.parse(now);
}

describe('links', { concurrency: 1 }, () => {
  let server, browser, firefox, webkit;
  const others = [];
  before(async () => {
    server = await servePage();
    browser = await openChromium();
    if (findFirefox()) {
      firefox = await puppeteer.launch({ browser: 'firefox', executablePath: findFirefox() });
      const page = await firefox.newPage();
      await page.setViewport({ width: 1280, height: 900 });
      others.push({ name: 'Firefox', open: (url) => page.goto(url), evaluate: (script) => page.evaluate(script) });
    }
    if (findWebKit() && which('Xvfb')) {
      webkit = await openWebKit(findWebKit());
      others.push({ name: 'WebKit', ...webkit });
    }
  });
  after(async () => {
    await Promise.all([browser?.close(), firefox?.close(), webkit?.close()]);
    await server?.close();
  });

  for (const id of ids)
    test(id, async (t) => {
      const first = await openPage(browser);
      const evaluate = (script) => first.page.evaluate(script);
      await first.page.goto(`${server.url}#/${id.replaceAll('_', '-')}?lang=en&notation=rows`);
      const begun = await writtenOn(evaluate);
      if (!(await evaluate(CHANGE))) t.diagnostic('its picture has no slider, field or switch');
      const written = await writtenOn(evaluate);
      const link = await evaluate('location.href');
      if (JSON.stringify(written) !== JSON.stringify(begun)) assert.match(link, /[?&]s=1\./);
      const second = await openPage(browser);
      await second.page.goto(link);
      assert.deepEqual(await writtenOn((script) => second.page.evaluate(script)), written, 'Chromium');
      assert.equal(await second.page.$('[data-notice]'), null);
      assert.deepEqual([first.problems, second.problems], [[], []]);
      await Promise.all([first.close(), second.close()]);
      for (const { name, open, evaluate } of others) {
        await open('about:blank');
        await open(link);
        assert.deepEqual(await writtenOn(evaluate), written, name);
      }
    });
});

// Every control of each mechanism's picture is turned in Chromium; the page's link, opened in a fresh profile, shows the same: the same
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
/** All that is written in the picture, the tables behind it included; labels within drawings stand where their browser has room. */
const WRITTEN = `[...document.querySelectorAll('.picture [data-view], .picture')].slice(0, 1).map((element) => {
    const texts = element.cloneNode(true);
    texts.querySelectorAll('svg').forEach((drawing) => drawing.remove());
    return texts.textContent.replace(/\\s+/g, ' ');
  })
  .concat([...document.querySelectorAll('.picture [data-table] td')].map((cell) => cell.textContent), [...document.querySelectorAll('.picture input')].map((input) => input.value + input.checked))`;
/** Sliders, fields and switches of the picture: of radio buttons one a group. */
const CONTROLS = `[...document.querySelectorAll('.picture :is(input[type=range], input[type=number], input[type=checkbox], input[type=radio], select):not(:disabled, details:not([open]) *)')]
  .filter((one, n, all) => one.type !== 'radio' || all.findIndex(({ name }) => name === one.name) === n)`;
/** Turns the control of that place, if there is one: the next step of a slider, another button of a group. */
const turn = (place) => `((place) => {
  const control = ${CONTROLS}[place];
  if (!control) return false;
  const set = (value, event) => { control.value = value; control.dispatchEvent(new Event(event, { bubbles: true })); };
  if (control.type === 'checkbox') control.click();
  else if (control.type === 'radio') document.querySelector('.picture input[type=radio][name="' + CSS.escape(control.name) + '"]:not(:checked)')?.click();
  else if (control.localName === 'select') set([...control.options].find(({ selected }) => !selected)?.value ?? control.value, 'change');
  else set(control.valueAsNumber < Number(control.max) ? control.valueAsNumber + Number(control.step || 1) : Number(control.min), 'input');
  return true;
})(${place})`;

/** Controls that are turned, at most: pictures of heads have one a matrix. */
const MOST = 30;

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
      await writtenOn(evaluate);
      // A link that holds a page's state has nothing covered.
      await evaluate(`document.querySelectorAll('[data-show]').forEach((button) => button.click())`);
      const begun = await writtenOn(evaluate);
      let turned = 0;
      for (; turned < MOST && (await evaluate(turn(turned))); turned++) {
        await first.page.waitForFunction(() => !document.querySelector('main .loading'));
        await first.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))));
      }
      t.diagnostic(`${turned} sliders, fields and switches turned`);
      // The live region and the link are updated after the last change has settled.
      await new Promise((done) => setTimeout(done, 1000));
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

// The built page from a server that delays, reorders, cuts, refuses or mistakes its answers: the page says what is missing, and works once it can be had.
// A seed chooses the answers: FOVEA_SEED, FOVEA_VISITS (visits of each kind, 4 unless told otherwise).

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openPage, withBrowser } from '../support.mjs';

const seed = Number(process.env.FOVEA_SEED ?? 20261123);
const visits = Number(process.env.FOVEA_VISITS ?? 4);
const PAGES = ['', 'self-attention', 'bahdanau', 'learn/3', 'image', 'compare', 'mechanisms', 'text', 'top-k', 'laboratory'];
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Lehmer's generator. */
function randomOf(start) {
  let state = (start % 2147483646) + 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const WAYS = {
  /** Up to a second late: later requests are answered before earlier ones. */
  delayed: (random) => wait(1000 * random()).then(() => undefined),
  cut: (random) => (random() < 0.35 ? { part: random() } : undefined),
  refused: (random) => (random() < 0.35 ? { status: random() < 0.5 ? 404 : 500, body: 'no' } : undefined),
  mistaken: (random) =>
    random() < 0.35 ? { status: 200, type: 'text/html', body: '<!doctype html><p>Welcome</p>' } : undefined,
};

describe('a bad network', () => {
  let server, browser;
  let answer = () => undefined;
  withBrowser((given) => ({ server, browser } = given), {
    // The page itself comes: without it there is nobody to say anything.
    intercept: (path) => (path.endsWith('/') || path.endsWith('.html') ? undefined : answer(path)),
  });

  /** The heading, error message and loading state that a visitor sees. */
  const shown = (page) =>
    page.evaluate(() => {
      const late = document.querySelector('.late');
      const isLate = late !== null && getComputedStyle(late).visibility === 'visible';
      const says = isLate ? late : document.querySelector('[data-load-error], [data-page-error], [role=alert]');
      return {
        text: document.body.innerText.trim().length,
        heading: document.querySelector('main h1') !== null,
        says: says?.textContent.trim() ?? '',
        loading: document.querySelector('main .loading') !== null,
      };
    });

  for (const [way, answering] of Object.entries(WAYS))
    test(`${way}: the page stands or says what is missing; it stands when the network is good again`, async () => {
      const random = randomOf(seed + way.length);
      for (let visit = 0; visit < visits; visit++) {
        const path = PAGES[Math.floor(random() * PAGES.length)];
        const answers = [];
        answer = async (asked) => {
          const given = await answering(random);
          if (given) answers.push(`${asked.split('/').at(-1)}: ${JSON.stringify(given).slice(0, 40)}`);
          return given;
        };
        const what = `${way}, visit ${visit}, #/${path}, seed ${seed}`;
        const { page, close } = await openPage(browser, { savesData: false });
        await page
          .goto(`${server.url}?visit=${visit}#/${path}?lang=en`, { waitUntil: 'load', timeout: 20_000 })
          .catch(() => {});
        const isSettled = async () => {
          const { heading, says, loading } = await shown(page);
          return says !== '' || (heading && !loading);
        };
        for (let tries = 0; tries < 120 && !(await isSettled()); tries++) await wait(100);
        const seen = await shown(page);
        assert.ok(seen.text > 0, `${what}: the page is empty (${answers.join('; ')})`);
        if (way === 'delayed') assert.ok(seen.heading && seen.says === '', `${what}: ${JSON.stringify(seen)}`);
        else assert.ok(seen.says !== '' || seen.heading, `${what}: neither a page nor a word (${answers.join('; ')})`);

        answer = () => undefined;
        await page.reload({ waitUntil: 'load' });
        await page.waitForSelector('main h1');
        await page.waitForFunction(() => !document.querySelector('main .loading, [data-load-error], [data-page-error]'), {
          timeout: 10_000,
        });
        await close();
      }
    });
});

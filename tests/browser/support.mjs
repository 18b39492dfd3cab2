// The built page in a real browser: a plain file server under a sub-path, and pages that note everything that goes wrong.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import puppeteer from 'puppeteer-core';
import { serveFolder } from '../../scripts/serve.mjs';
import { findBrowser, findHeadlessShell } from '../../scripts/toolchain.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The path of a plain file server: some sub-path, and no COOP or COEP headers. */
export const BASE = '/some/where/';

/** The built page; browsers keep its files whose names have their hash, unless `hashed` is given as undefined. */
export const servePage = (options = {}) =>
  serveFolder({ root: `${root}web/dist`, base: BASE, hashed: /\/assets\//, ...options });

/**
 * The built package on a page of its own that has the page's CSP: `window.fovea` is the module, `window.worker` fovea/worker.
 *
 * @param {{ headers?: Record<string, string>, csp?: (text: string) => string, intercept?: (path: string) => object | undefined }}
 *   options - headers as of `serveFolder`, what to make of the CSP, and answers in place of the package's files
 */
export async function servePackage({ headers, csp: change = (text) => text, intercept } = {}) {
  const html = await readFile(`${root}web/index.html`, 'utf8');
  const csp = change(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/.exec(html)[0]);
  const made = {
    '/pkg/': {
      type: 'text/html',
      body: `<!doctype html><meta charset="utf-8">${csp}<link rel="icon" href="data:,"><script type="module" src="./main.mjs"></script>`,
    },
    '/pkg/main.mjs': {
      type: 'text/javascript',
      // The page does so: its policy asks of each worker's address.
      body: `globalThis.trustedTypes?.createPolicy('default', { createScriptURL: (url) => url });
        import * as fovea from './dist/index.web.js'; import * as worker from './dist/worker.web.js'; Object.assign(window, { fovea, worker });`,
    },
    '/pkg/page.wasm': { type: 'text/html', body: '<!doctype html><p>This is not wasm</p>' },
  };
  return serveFolder({
    root,
    base: '/pkg/',
    headers,
    intercept: (path) => intercept?.(path) ?? (made[path] && { status: 200, ...made[path] }),
  });
}

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage', // in a container /dev/shm is small
];

/**
 * Chromium's headless shell where there is one: it draws no browser around a page and keeps one process for all pages of a site, which is two
 * fifths less work for each page that is opened.
 *
 * @param {{ whole?: boolean, flags?: string[] }} options - `whole`: Chromium as visitors have it; `flags` beside those of all tests
 */
export function openChromium({ whole = false, flags = [] } = {}) {
  const shell = whole ? undefined : findHeadlessShell();
  const executablePath = shell ?? findBrowser();
  if (!executablePath) throw new Error('no Chromium found: run "npm run setup"');
  return puppeteer.launch({ executablePath, headless: shell ? 'shell' : true, args: [...CHROMIUM_FLAGS, ...flags] });
}

/**
 * A page of its own profile, with `problems`: console errors, exceptions, CSP violations, and requests to another host.
 *
 * @param {import('puppeteer-core').Browser} browser
 * @param {{ width?: number, height?: number, dark?: boolean, savesData?: boolean }} options - `savesData`: the device asks to save data, so that the
 *   service worker fetches nothing ahead; all files of the page are more work than most tests
 */
export async function openPage(browser, { width = 1280, height = 900, dark = false, savesData = true } = {}) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(60_000); // the speed of the machine is no matter of these tests
  const problems = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') problems.push(`request to ${request.url()}`);
  });
  await page.exposeFunction('noteViolation', (text) => problems.push(`CSP: ${text}`));
  await page.evaluateOnNewDocument(() => {
    addEventListener('securitypolicyviolation', (event) => {
      window.noteViolation(`${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  const client = await page.createCDPSession();
  await client.send('Emulation.setDataSaverOverride', { dataSaverEnabled: savesData });
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  return { page, problems, close: () => context.close() };
}

/** An address that names no page: one sentence, which is there at once. */
export const NOWHERE = '#/nowhere';

/**
 * Opens an address. Where the site is open it is followed in that document, which is half the work of loading it; by way of another page, so that what
 * is waited for is of the new one.
 */
export async function goTo(page, url) {
  const [site, hash] = url.split('#');
  const open = await page.evaluate(() => location.href);
  if (open.split('#')[0] !== site) return page.goto(url, { waitUntil: 'load' });
  await page.evaluate((to) => (location.hash = to), NOWHERE);
  await page.waitForFunction(
    () => document.querySelector('main [role=alert]') !== null && document.querySelector('main h1') === null,
  );
  await page.evaluate((to) => (location.hash = to), `#${hash}`);
}

/** Opens the room in the state that `params` say, and waits until it shows numbers and each of its parts, which are made in tasks of their own. */
export async function visit(page, url, params = {}) {
  const hash = new URLSearchParams({ lang: 'en', notation: 'rows', ...params });
  await goTo(page, `${url}#/self-attention?${hash}`);
  await page.waitForSelector('[data-value]');
  await page.waitForFunction(() => !document.querySelector('main .loading'));
  await drawn(page);
}

/** Waits until each stage of the computation that is on the page has its picture: they are made in turns. */
export const drawn = (page) =>
  page.waitForFunction(() => !document.querySelector('[data-room] [data-trace-stage]:not(:has([data-matrix]))'));

/** The script below the stages. */
export async function scriptOn(page) {
  await page.$eval('[data-room] [data-script]', (details) => (details.open = true));
  await page.waitForSelector('[data-code]');
  return page.$eval('[data-code]', (element) => element.textContent);
}

/** The spoken text of the number that is looked at. */
export const READING = '[data-room] [data-reading]:not(:empty)';

export const text = (page, selector) => page.$eval(selector, (element) => element.textContent.replace(/\s+/g, ' ').trim());

/** Waits until the text of `selector` matches, and returns it. */
export async function textMatching(page, selector, pattern) {
  await page
    .waitForFunction(
      (s, source) => new RegExp(source, 'u').test(document.querySelector(s)?.textContent.replace(/\s+/g, ' ') ?? ''),
      {},
      selector,
      pattern.source,
    )
    .catch(async () => {
      throw new Error(`${selector} reads "${await text(page, selector).catch(() => '(not there)')}", not ${pattern}`);
    });
  return text(page, selector);
}

/** The numbers of a matrix as its table for screen readers has them. */
export function table(page, id) {
  return page.$eval(`[data-trace-stage="${id}"] [data-table="${id}"]`, (element) =>
    [...element.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
  );
}

/** Frames in which what stands still has not moved: what is made late comes one a frame. */
const STILL = 8;

/** Brings an element to the middle of the screen; where its own middle is once it stands still. */
export const middleOf = (page, selector) =>
  page.$eval(
    selector,
    async (found, frames) => {
      const middle = () => {
        const { x, y, width, height } = found.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      };
      for (let [last, same] = ['', 0]; same < frames;) {
        found.scrollIntoView({ block: 'center', behavior: 'instant' });
        const now = String(middle());
        same = now === last ? same + 1 : 0;
        last = now;
        await new Promise(requestAnimationFrame);
      }
      return middle();
    },
    STILL,
  );

/** Reads until two readings that are 1.5 s apart are the same, as a page computes in a worker, part after part. */
export async function settled(read) {
  for (let last = await read(); ;) {
    await new Promise((done) => setTimeout(done, 1500));
    const now = await read();
    if (isDeepStrictEqual(now, last)) return now;
    last = now;
  }
}

/** The address when the page, which writes a choice into it a moment later, has not changed it for half a second. */
export const settledAddress = (page) =>
  page.evaluate(async () => {
    for (let last = ''; last !== location.hash;) {
      last = location.hash;
      await new Promise((done) => setTimeout(done, 500));
    }
    return location.href;
  });

/** The parameters of the settled address. */
export async function settledParams(page) {
  const { hash } = new URL(await settledAddress(page));
  return Object.fromEntries(new URLSearchParams(hash.split('?')[1]));
}

/** The address with the page's state, when the last choice is in it. */
export async function linkOf(page) {
  await page.waitForFunction(() => /[?&]s=/.test(location.hash));
  return settledAddress(page);
}

/** Chooses from the first menu inside of `scope`: "table", "log", "per-row", or a kind of file. */
export async function fromMenu(page, scope, item) {
  await page.waitForSelector(`${scope} [data-menu]`);
  await page.$eval(`${scope} [data-menu]`, (button) => button.click());
  await page.waitForSelector(`${scope} [data-item=${item}]`);
  await page.$eval(`${scope} [data-item=${item}]`, (button) => button.click());
}

/** Chooses a radio button by its value: "columns", "zh", "root", "previous" … */
export const choose = (page, value) => page.$eval(`input[type=radio][value="${value}"]`, (input) => input.click());

/** Turns a switch by its name. */
export async function flip(page, name) {
  const handle = await page.waitForSelector(`::-p-aria([name="${name}"][role="switch"])`);
  await handle.click();
}

/** Replaces what a field has, as typing does. */
export const fill = (page, selector, text) =>
  page.$eval(
    selector,
    (field, value) => {
      field.value = value;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    },
    text,
  );

/** Replaces the typed text. */
export const type = (page, words) => fill(page, 'textarea:not([data-own-matrices] *)', words);

/** Drags a file over the first element of `selector`, looks at it, and drops the file there. */
export async function dropFile(page, selector, { name, type, content }, look) {
  const send = (event) =>
    page.$eval(
      selector,
      (element, kind, file) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(file.bytes)], file.name, { type: file.type }));
        return element.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
      },
      event,
      { name, type, bytes: [...Buffer.from(content)] },
    );
  // A page that does not prevent the default leaves the browser to open the file in its place.
  assert.equal(await send('dragover'), false);
  await look();
  assert.equal(await send('drop'), false);
}

/** Moves the slider of that number among those of `selector`. */
export const slide = (page, index, value, selector = 'article input[type=range]') =>
  page.$$eval(
    selector,
    (sliders, at, to) => {
      sliders[at].value = to;
      sliders[at].dispatchEvent(new InputEvent('input', { bubbles: true }));
    },
    index,
    String(value),
  );

/** Inside a `describe`: one server and browser for all its tests, handed to `receive` before the first; `options` are those of both. */
export function withBrowser(receive, options) {
  let server, browser;
  before(async () => {
    server = await servePage(options);
    browser = await openChromium(options);
    await receive({ server, browser });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
}

/** Inside a `describe`: one server, browser and page for all its tests. */
export function withRoom(receive, options) {
  withBrowser(async ({ server, browser }) => {
    const opened = await openPage(browser);
    receive({ server, browser, opened, page: opened.page });
  }, options);
}

let copied = 0;

/** Runs a script of the page in Node and returns its printed values, by the words before each. */
export async function printedBy(script) {
  const folder = `${root}build/tests/browser`;
  await mkdir(folder, { recursive: true });
  const file = `${folder}/copied_${process.pid}_${copied++}.mjs`;
  const print = "const print = (...said) => console.log(JSON.stringify([said.slice(0, -1).join(' '), said.at(-1)]));\n";
  await writeFile(file, script.replaceAll('console.log', 'print').replace('const fovea', `${print}const fovea`));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    return Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  } finally {
    await rm(file);
  }
}

// A server of the built page whose files can be changed, withheld and counted, and the page's service worker as a visitor meets it.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BASE, root, servePage } from './support.mjs';

const read = (path) => readFileSync(`${root}web/dist/${path}`, 'utf8');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

const FEW = ['index.html', 'mark.svg', 'offline.json'];

function withFewFiles(worker) {
  const few = worker.replace(/\{path:"([^"]*)",[^}]*\},?/g, (entry, path) => (FEW.includes(path) ? entry : ''));
  if (few.match(/\{path:"/g)?.length !== FEW.length) throw new Error('the list of files cannot be read');
  return few;
}

/**
 * `asked`: the paths that were requested. `answers`: what is sent in place of a file, by path. `publish`: another version, in which the first page
 * has another title. The service worker knows three files only, which is quick, or `all` of them.
 */
export async function serveChanging({ all = false } = {}) {
  const asked = [];
  const answers = new Map();
  // The service worker alone answers requests while the server is gone.
  const server = await servePage({
    hashed: undefined,
    intercept: (path) => {
      asked.push(path.slice(BASE.length));
      return answers.get(path.slice(BASE.length));
    },
  });
  const worker = all ? read('service-worker.js') : withFewFiles(read('service-worker.js'));
  const script = (body) => ({ status: 200, type: 'text/javascript', body });
  answers.set('service-worker.js', script(worker));
  const publish = (mark) => {
    const page = read('index.html').replace('<title>', `<title>${mark} `).replace('<html ', `<html data-version="${mark}" `);
    answers.set('', { status: 200, type: 'text/html', body: page });
    answers.set('index.html', { status: 200, type: 'text/html', body: page });
    const before = sha256(read('index.html'));
    if (!worker.includes(before)) throw new Error('the service worker does not know index.html');
    answers.set('service-worker.js', script(worker.replace(before, sha256(page))));
  };
  return { ...server, asked, answers, publish };
}

/** Opens the page that says what is kept, and has it kept: no waiting for the idle time of other pages. */
export async function keepOffline(page, url) {
  await page.goto('about:blank');
  await page.goto(`${url}#/offline?lang=en`);
  await phase(page, 'kept');
}

/** Waits for a state of the offline copy, and returns the sentence that says it. */
export async function phase(page, wanted) {
  await page.waitForSelector(`[data-offline="${wanted}"]`).catch(async (cause) => {
    throw new Error(`never ${wanted}: ${await page.$eval('body', (body) => body.innerText)}`, { cause });
  });
  return page.$eval('[data-offline]', (state) => state.textContent);
}

/** The files that are kept, by path. */
export const keptFiles = (page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().map(({ url }) => url.slice(new URL('./', location.href).href.length));
  });

// Chromium and Firefox. Every contestant gets a page of an origin of its own, so that no two share a process.

import puppeteer from 'puppeteer-core';
import { findBrowser, findFirefox } from '../../scripts/toolchain.mjs';
import { serve } from './server.mjs';

// Pages that are not in front are not to be slowed down, and nothing is to be fetched in the background.
const chromiumArguments = [
  ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
  ...['--disable-sync', '--disable-background-timer-throttling', '--disable-backgrounding-occluded-windows'],
  ...['--disable-renderer-backgrounding', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
];
const firefoxPreferences = { 'privacy.reduceTimerPrecision': false, 'dom.ipc.processPriorityManager.enabled': false };

const callTimeout = 300_000;

function launch(name) {
  const firefox = name === 'firefox';
  const executablePath = firefox ? findFirefox() : findBrowser();
  if (!executablePath) throw new Error(`${name} not found`);
  return puppeteer.launch({
    browser: firefox ? 'firefox' : 'chrome',
    executablePath,
    headless: true,
    protocolTimeout: callTimeout,
    ...(firefox ? { extraPrefsFirefox: firefoxPreferences } : { args: chromiumArguments }),
  });
}

/** @param {'chromium' | 'firefox'} name */
export async function openBrowser(name) {
  const server = await serve();
  const browser = await launch(name);
  const version = (await browser.version()).replace(/^.*\//, '');
  let outputs = 0;
  return { name, version, open, cold, warm: (id, request) => start(browser, id, request), close };

  /** A page with an agent in it. Errors that the page reports by itself come with the next call that fails. */
  async function open(id) {
    const page = await browser.newPage();
    await page.goto(`http://${id}.localhost:${server.port}/`, { waitUntil: 'load' });
    const call = (method, ...args) => page.evaluate((name, list) => globalThis.agent[name](...list), method, args);
    return {
      call,
      async output(rows) {
        const key = String(++outputs);
        await call('postOutput', key, rows);
        return server.taken(key);
      },
      close: () => page.close(),
    };
  }

  /** One cold start, in a browser and a profile of their own: { ready, result } in milliseconds since navigation. */
  async function cold(request) {
    const fresh = await launch(name);
    try {
      return await start(fresh, 'cold', request);
    } finally {
      await fresh.close();
    }
  }

  /** One start in a page of an origin, whose files are in the browser's cache from the second on. */
  async function start(opened, id, request) {
    const page = await opened.newPage();
    try {
      const query = encodeURIComponent(JSON.stringify(request));
      await page.goto(`http://${id}.localhost:${server.port}/?cold=${query}`, { waitUntil: 'load' });
      return await page.evaluate(() => globalThis.cold);
    } finally {
      await page.close();
    }
  }

  async function close() {
    await browser.close();
    server.close();
  }
}

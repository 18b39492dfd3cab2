// The page without a network, in a new version, without room, removed, and withdrawn by its server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keepOffline, keptFiles, phase, serveChanging } from './offline_support.mjs';
import { openChromium, openPage, text } from './support.mjs';

describe('the offline copy', () => {
  let browser;
  before(async () => (browser = await openChromium()));
  after(() => browser?.close());

  /** A visitor of a server of their own. */
  async function visitor(t, { all = false, savesData = false } = {}) {
    const server = await serveChanging({ all });
    const opened = await openPage(browser, { savesData });
    t.after(async () => {
      await opened.close();
      await server.close();
    });
    return { server, ...opened };
  }

  test('pages never opened before work when the server is gone', async (t) => {
    const { server, page, problems } = await visitor(t, { all: true });
    await keepOffline(page, server.url);
    assert.match(await text(page, 'main'), /Fetched ahead: \d+ files, [\d.]+ MB on the disk, [\d.]+ MB over the network/);
    await server.close();
    for (const [path, selector] of [
      ['', '[data-bars] .number:not(:empty)'],
      ['rope', '[data-trace-stage]'],
      ['self-attention', '[data-value]'],
      ['learn/3', 'main h1'],
    ]) {
      await page.goto('about:blank');
      await page.goto(`${server.url}#/${path}?lang=zh`);
      await page.waitForSelector(selector);
    }
    assert.deepEqual(problems, []);
  });

  test('the first view registers it by itself, after it stands', async (t) => {
    const { server, page } = await visitor(t);
    await page.goto(server.url);
    await page.waitForSelector('[data-bars] .number:not(:empty)');
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.active);
    const before = server.asked.slice(0, server.asked.indexOf('service-worker.js'));
    assert.ok(
      before.some((path) => path.endsWith('.wasm')),
      before.join(' '),
    );
  });

  test('a device that saves data is asked first', async (t) => {
    const { server, page } = await visitor(t, { savesData: true });
    await page.goto(`${server.url}#/offline?lang=en`);
    assert.match(await phase(page, 'spared'), /asks to save data/);
    assert.ok(!server.asked.includes('service-worker.js'));
    await page.locator('[data-keep]').click();
    await phase(page, 'kept');
  });

  test('a file that does not arrive: said, and the next try fetches only what is missing', async (t) => {
    const { server, page } = await visitor(t);
    server.answers.set('mark.svg', { status: 503, body: 'busy' });
    await page.goto(`${server.url}#/offline?lang=en`);
    assert.match(await phase(page, 'failed'), /mark\.svg did not arrive/);
    const before = (await keptFiles(page)).length;
    assert.ok(before > 0);
    server.answers.delete('mark.svg');
    server.asked.length = 0;
    await page.locator('[data-keep]').click();
    await phase(page, 'kept');
    const after = (await keptFiles(page)).length;
    const fetched = server.asked.filter((path) => path !== 'service-worker.js').length;
    // The page itself asked for its summary.
    assert.ok(fetched <= after - before + 1, `${fetched} files were fetched for ${after - before}`);
  });

  test('a file of another build is not kept', async (t) => {
    const { server, page } = await visitor(t);
    server.answers.set('mark.svg', { status: 200, type: 'image/svg+xml', body: '<svg/>' });
    await page.goto(`${server.url}#/offline?lang=en`);
    assert.match(await phase(page, 'failed'), /mark\.svg is not the file that was built/);
  });

  test('no room: said, nothing stays, and nothing is tried again unasked', async (t) => {
    const { server, page } = await visitor(t);
    const client = await page.createCDPSession();
    await client.send('Storage.overrideQuotaForOrigin', { origin: new URL(server.url).origin, quotaSize: 5_000 });
    await page.goto(`${server.url}#/offline?lang=en`);
    assert.match(await phase(page, 'failed'), /no room left/);
    assert.deepEqual(await keptFiles(page), []);
    server.asked.length = 0;
    await page.reload();
    await phase(page, 'off');
    assert.ok(!server.asked.includes('service-worker.js'));
  });

  test('a new version is said and taken on a click; until then the old one goes on, and its page keeps its files', async (t) => {
    const { server, page } = await visitor(t);
    await keepOffline(page, server.url);
    const version = () => page.$eval('html', (html) => html.dataset.version ?? 'first');
    server.publish('second');
    await page.reload();
    await page.waitForSelector('[data-update]');
    assert.equal(await version(), 'first');
    await page.reload();
    await page.waitForSelector('[data-update]');
    assert.equal(await version(), 'first', 'a reload takes nothing');
    const other = await page.browserContext().newPage();
    await other.goto(`${server.url}#/offline?lang=en`);
    await phase(other, 'kept');
    await page.bringToFront();
    await Promise.all([page.waitForNavigation(), page.locator('[data-update] .primary').click()]);
    assert.equal(await version(), 'second');
    await other.bringToFront();
    // The tab beside it still is of the first version.
    await other.waitForFunction(() => document.querySelector('[data-update]')?.textContent.includes('Another tab'));
    const index = (await keptFiles(page)).filter((name) => name.startsWith('index.html'));
    assert.equal(index.length, 2, 'the files of the version before stay for such tabs');
  });

  test('it removes itself, and stays away until asked', async (t) => {
    const { server, page } = await visitor(t);
    await keepOffline(page, server.url);
    await page.locator('[data-remove]').click();
    await phase(page, 'off');
    assert.deepEqual(await page.evaluate(() => caches.keys()), []);
    server.asked.length = 0;
    await page.reload();
    await phase(page, 'off');
    assert.ok(server.asked.includes('') && !server.asked.includes('service-worker.js'));
    await page.locator('[data-keep]').click();
    await phase(page, 'kept');
  });

  for (const [what, answer] of [
    ['gone', { status: 404, body: 'not found' }],
    ['empty', { status: 200, type: 'text/javascript', body: '' }],
  ])
    test(`the site's owner ends all copies: the worker's file is ${what}`, async (t) => {
      const { server, page } = await visitor(t);
      await keepOffline(page, server.url);
      server.answers.set('service-worker.js', answer);
      await page.goto('about:blank');
      await page.goto(server.url);
      await page.waitForFunction(async () => (await caches.keys()).length === 0);
      assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
      server.asked.length = 0;
      await page.reload();
      assert.ok(server.asked.includes(''), 'the page comes from the server again');
    });

  test('threads on a host of plain files: the copy adds the headers when asked', async (t) => {
    const { server, page, problems } = await visitor(t);
    await keepOffline(page, server.url);
    assert.equal(await page.evaluate(() => crossOriginIsolated), false);
    for (const [on, said] of [
      [true, 'Threads are possible on this page now.'],
      [false, 'This page runs on one thread now.'],
    ]) {
      await page.locator('main [role=switch]').click();
      // The page is opened again, in another process: until it stands, nothing can be asked of it.
      const isIsolated = () => page.$eval('[data-isolated]', () => crossOriginIsolated).catch(() => null);
      for (let tries = 0; (await isIsolated()) !== on; tries++) {
        assert.ok(tries < 600, 'the page is not opened again');
        await new Promise((done) => setTimeout(done, 100));
      }
      await phase(page, 'kept');
      assert.equal(await text(page, '[data-isolated]'), said);
    }
    assert.deepEqual(problems, []);
  });

  test('a page without service workers says nothing and works', async (t) => {
    const { server, page, problems } = await visitor(t);
    await page.evaluateOnNewDocument(() => delete Navigator.prototype.serviceWorker);
    await page.goto(server.url);
    await page.waitForSelector('[data-bars] .number:not(:empty)');
    await page.evaluate(() => (location.hash = '#/offline?lang=en'));
    assert.match(await phase(page, 'unsupported'), /keeps no pages for this address/);
    assert.deepEqual(problems, []);
  });
});

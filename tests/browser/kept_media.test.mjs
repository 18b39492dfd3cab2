// The pages of images, sounds, comparison and the laboratory keep their state: a link opened in another profile shows the same, undo goes back, and a
// saved file holds the visitor's own image.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { photo, png } from './image_files.mjs';
import { choose, goTo, linkOf, openPage, slide, withRoom } from './support.mjs';

describe('state of images, sounds and comparisons', () => {
  let room, page, folder;
  withRoom((given) => {
    room = given;
    page = given.page;
  });
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'fovea-kept-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  const open = async (hash, ready, on = page) => {
    await goTo(on, `${room.server.url}#/${hash}`);
    await on.waitForSelector(ready);
    await on.waitForSelector('[data-undo]');
    await on.waitForFunction(() => !document.querySelector('main .loading'));
  };
  const data = (selector, on = page) => on.$$eval(selector, (all) => all.map(({ dataset }) => ({ ...dataset })));
  const link = async () => new URL(await linkOf(page)).hash.slice(2);
  /** `data` of the page in a fresh profile that opens the link. */
  async function elsewhere(hash, ready, selector) {
    const other = await openPage(room.browser);
    try {
      await open(hash, ready, other.page);
      return await data(selector, other.page);
    } finally {
      await other.page.browserContext().close();
    }
  }

  test('an image: mechanism, patches and scale', async () => {
    await open('image?lang=en', '[data-strongest]');
    const first = await data('[data-strongest] [data-weight]');
    await choose(page, 'axial');
    await slide(page, 0, 6);
    await page.waitForFunction(
      (before) => document.querySelector('[data-strongest] [data-weight]')?.dataset.weight !== before,
      {},
      first[0].weight,
    );
    const changed = await data('[data-strongest] [data-weight]');
    assert.notDeepEqual(changed, first);
    assert.deepEqual(await elsewhere(await link(), '[data-strongest]', '[data-strongest] [data-weight]'), changed);
    await page.locator('[data-undo]').click();
    await page.locator('[data-undo]').click();
    await page.waitForFunction(
      (before) => document.querySelector('[data-strongest] [data-weight]')?.dataset.weight === before,
      {},
      first[0].weight,
    );
    assert.deepEqual(await data('[data-strongest] [data-weight]'), first);
  });

  test("an image of one's own is in a saved file, and not in a link", async () => {
    await open('image?lang=en', '[data-strongest]');
    const path = join(folder, 'own.png');
    await writeFile(path, png(48, 32, photo(48, 32)));
    await (await page.$('input[type=file]')).uploadFile(path);
    await page.waitForSelector('[data-grid="4x6"]');
    const client = await page.createCDPSession();
    await client.send('Browser.setDownloadBehavior', {
      ...{ behavior: 'allow', downloadPath: folder, eventsEnabled: true },
      browserContextId: page.browserContext().id,
    });
    const saved = new Promise((resolve) =>
      client.on('Browser.downloadProgress', ({ state }) => state === 'completed' && resolve()),
    );
    await page.locator('[data-save]').click();
    await saved;
    const name = (await readdir(folder)).find((file) => file.endsWith('.json'));
    const { state } = JSON.parse(await readFile(join(folder, name), 'utf8'));
    assert.equal(state.image.width * state.image.height * 3, Buffer.from(state.image.rgb, 'base64').length);
    assert.ok(!(await page.evaluate(() => location.hash)).includes(state.image.rgb.slice(0, 40)));
  });

  test('a sound: frame and scale', async () => {
    await open('sound?lang=en', '[data-five] [data-weight]');
    const first = await data('[data-five] [data-weight]');
    await slide(page, 0, 30);
    await page.waitForFunction(
      (before) => document.querySelector('[data-five] [data-weight]')?.dataset.frame !== before,
      {},
      first[0].frame,
    );
    const changed = await data('[data-five] [data-weight]');
    assert.deepEqual(await elsewhere(await link(), '[data-five] [data-weight]', '[data-five] [data-weight]'), changed);
  });
});

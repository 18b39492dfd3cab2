// A page keeps its state: in its link, by undo and redo, in a file. What anybody may send opens the page as it begins.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from 'fovea';
import { run } from 'fovea/catalog';
import { openPage, withRoom } from './support.mjs';

describe('state of a page', () => {
  let room, page, folder;
  withRoom((given) => {
    room = given;
    page = given.page;
  });
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'fovea-keep-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  const open = async (hash, on = page) => {
    await on.goto('about:blank');
    await on.goto(`${room.server.url}#/${hash}`);
    await on.waitForSelector('[data-mechanism] [data-undo]');
    await on.waitForSelector('[data-table="stage.weights"] tbody td');
    await on.waitForFunction(() => !document.querySelector('main .loading'));
  };
  /** The most of top-k attention, as its slider has it. */
  const most = (on = page) => on.$eval('.picture input[type=number]', (input) => Number(input.value));
  const keepMost = (value) =>
    page.$eval(
      '.picture input[type=number]',
      (input, to) => {
        input.value = to;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      },
      String(value),
    );
  const linked = () => page.waitForFunction(() => new URLSearchParams(location.hash.split('?')[1]).has('s'));
  const weights = (on = page) =>
    on.$$eval('[data-table="stage.weights"] tbody td', (cells) => cells.map((cell) => cell.textContent));

  test('a link opened in another profile shows what was on the page', async () => {
    await open('top-k?lang=en');
    const before = await most();
    await keepMost(1);
    await linked();
    assert.notEqual(await most(), before);
    const link = await page.evaluate(() => location.hash.slice(2));
    const other = await openPage(room.browser);
    await open(link, other.page);
    assert.equal(await most(other.page), 1);
    assert.deepEqual(await weights(other.page), await weights());
    assert.deepEqual(other.problems, []);
    await other.close();
    const fovea = await load({ deterministic: true });
    const { weights: computed } = run(fovea, 'top_k', undefined, undefined, { most: 1 });
    assert.equal([...computed.data].filter((x) => x > 0).length, computed.shape.at(-2));
  });

  test('undo and redo, by buttons and keys', async () => {
    await open('top-k?lang=en');
    const first = await most();
    assert.equal(await page.$eval('[data-undo]', (button) => button.disabled), true);
    await keepMost(1);
    await page.waitForSelector('[data-undo]:not([disabled])');
    await page.click('[data-undo]');
    assert.equal(await most(), first);
    await page.click('[data-redo]');
    assert.equal(await most(), 1);
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    assert.equal(await most(), first);
    await page.keyboard.down('Shift');
    await page.keyboard.press('Z');
    await page.keyboard.up('Shift');
    await page.keyboard.up('Control');
    assert.equal(await most(), 1);
  });

  for (const [name, text, notice] of [
    ['damaged', '1.@@@', 'broken'],
    ['of another version', '7.AAAA', 'version'],
    ['too long', `1.${'A'.repeat(5000)}`, 'large'],
  ]) {
    test(`a link that is ${name} opens the page as it begins and says so`, async () => {
      await open('top-k?lang=en');
      const first = await weights();
      await open(`top-k?lang=en&s=${encodeURIComponent(text)}`);
      assert.ok(await page.$(`[data-notice="${notice}"]`));
      assert.deepEqual(await weights(), first);
    });
  }

  test('a page is saved as a file and opened again', async () => {
    await open('top-k?lang=en');
    await keepMost(1);
    await linked();
    const client = await page.createCDPSession();
    await client.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: folder,
      browserContextId: page.browserContext().id,
      eventsEnabled: true,
    });
    const done = new Promise((resolve) =>
      client.on('Browser.downloadProgress', ({ state }) => state === 'completed' && resolve()),
    );
    await page.click('[data-save]');
    await done;
    const file = join(folder, 'fovea-top-k.json');
    assert.equal(JSON.parse(await readFile(file, 'utf8')).fovea, 1);
    await open('dot?lang=en');
    await (await page.$('[data-open]')).uploadFile(file);
    await page.waitForSelector('[data-mechanism=top_k]');
    await page.waitForFunction(() => document.querySelector('.picture input[type=number]')?.value === '1');

    await writeFile(join(folder, 'other.json'), '{"some": "file"}');
    await (await page.$('[data-open]')).uploadFile(join(folder, 'other.json'));
    await page.waitForSelector('[data-notice=broken]');
    assert.equal(await most(), 1);
  });

  test('nothing went wrong on the way', () => assert.deepEqual(room.opened.problems, []));
});

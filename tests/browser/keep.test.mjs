// A page keeps its state: in its link, by undo and redo, in a file. What anybody may send opens the page as it begins.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { writeNpy, writeSafetensors } from 'fovea/files';
import { fill, fromMenu, goTo, linkOf, openPage, withRoom } from './support.mjs';

describe('state of a page', () => {
  let room, page, folder;
  withRoom((given) => {
    room = given;
    page = given.page;
  });
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'fovea-keep-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  const open = async (hash, on = page) => {
    await goTo(on, `${room.server.url}#/${hash}`);
    await on.waitForSelector('[data-mechanism] [data-undo]');
    await on.waitForSelector('[data-table="stage.weights"] tbody td');
    await on.waitForFunction(() => !document.querySelector('main .loading'));
  };
  /** The most of top-k attention, as its slider has it. */
  const most = (on = page) => on.$eval('.picture input[type=number]', (input) => Number(input.value));
  const keepMost = (value) => fill(page, '.picture input[type=number]', String(value));
  const weights = (on = page) =>
    on.$$eval('[data-table="stage.weights"] tbody td', (cells) => cells.map((cell) => cell.textContent));

  const allowDownloads = async () => {
    const client = await page.createCDPSession();
    await client.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      downloadPath: folder,
      browserContextId: page.browserContext().id,
      eventsEnabled: true,
    });
    return client;
  };
  const downloaded = (client) =>
    new Promise((resolve) => client.on('Browser.downloadProgress', ({ state }) => state === 'completed' && resolve()));

  test('a link opened in another profile shows what was on the page', async () => {
    await open('top-k?lang=en');
    const before = await most();
    await keepMost(1);
    assert.notEqual(await most(), before);
    const link = new URL(await linkOf(page)).hash.slice(2);
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
    await page.locator('[data-undo]').click();
    assert.equal(await most(), first);
    await page.locator('[data-redo]').click();
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

  test('what a link holds for a part of the page that is not there yet stays in it when another choice changes', async () => {
    const state = deflateRawSync(JSON.stringify({ later: [3] })).toString('base64url');
    await open(`top-k?lang=en&s=1.${state}`);
    const held = () =>
      page
        .evaluate(() => new URLSearchParams(location.hash.split('?')[1]).get('s'))
        .then((text) => JSON.parse(inflateRawSync(Buffer.from(text.slice(2), 'base64url'))));
    const changed = () => page.waitForFunction((before) => !location.hash.includes(before), {}, state).then(held);
    await keepMost(1);
    assert.deepEqual(await changed(), { later: [3], options: { set: { most: 1 } } });
    await page.locator('[data-undo]').click();
    await page.waitForFunction((first) => location.hash.includes(first), {}, state);
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
    await linkOf(page);
    const done = downloaded(await allowDownloads());
    await page.locator('[data-save]').click();
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

  test('own matrices: pasted, as CSV, npy and safetensors; what cannot be used is said and stays', async () => {
    await open('top-k?lang=en');
    await page.locator('[data-own-matrices] summary').click();
    const before = await weights();
    const { q, k } = list().find(({ id }) => id === 'top_k').defaults.inputs;
    const own = { q: q.map((row) => row.map((_, c) => c + 0.5)), k: k.map((row, r) => row.map(() => r / 3)) };
    const matches = async (inputs) => {
      const fovea = await load({ deterministic: true });
      const { weights: computed } = run(fovea, 'top_k', {
        ...list().find(({ id }) => id === 'top_k').defaults.inputs,
        ...inputs,
      });
      await page.waitForFunction(
        (expected) =>
          JSON.stringify(
            [...document.querySelectorAll('[data-table="stage.weights"] tbody td')].map((cell) =>
              Math.round(Number(cell.textContent) * 100),
            ),
          ) === expected,
        {},
        JSON.stringify([...computed.data].map((x) => Math.round(x * 100))),
      );
    };
    await page.type('[data-own-matrices] textarea', '1, 2\n3');
    await page.locator('[data-use]').click();
    await page.waitForSelector('[data-refused]');
    assert.match(await page.$eval('[data-refused]', (element) => element.textContent), /Row 2 has 1 number/);
    assert.equal(await page.$eval('[data-own-matrices] textarea', (field) => field.value), '1, 2\n3');
    assert.deepEqual(await weights(), before);

    const picker = await page.$('[data-own-matrices] input[type=file]');
    const files = [
      ['q.csv', own.q.map((row) => row.join(',')).join('\n'), { q: own.q }],
      ['q.npy', writeNpy(q), {}],
      ['both.safetensors', writeSafetensors(own), { q: own.q, k: own.k.map((row) => row.map(Math.fround)) }],
    ];
    for (const [name, content, inputs] of files) {
      await writeFile(join(folder, name), content);
      await picker.uploadFile(join(folder, name));
      await matches(inputs);
    }
    await writeFile(join(folder, 'taller.csv'), [...own.q, ...own.q].map((row) => row.join(',')).join('\n'));
    await picker.uploadFile(join(folder, 'taller.csv'));
    await page.waitForFunction(
      (size) => document.querySelector('[data-own-matrices] option').textContent.endsWith(`q (${size})`),
      {},
      `${2 * q.length}×${q[0].length}`,
    );
    await picker.uploadFile(join(folder, 'both.safetensors'));
    await matches(files[2][2]);
    await writeFile(join(folder, 'broken.npy'), 'no npy');
    await picker.uploadFile(join(folder, 'broken.npy'));
    await page.waitForSelector('[data-refused]');
    await matches(files[2][2]);
  });

  test('own matrices of other sizes: the arrays stand in place of the picture, in a link too; what does not fit is refused', async () => {
    await open('top-k?lang=en');
    const before = await weights();
    const bring = async (matrices) => {
      await page.$eval('[data-own-matrices]', (details) => (details.open = true));
      await fill(page, '[data-own-matrices] textarea', JSON.stringify(matrices));
      await page.locator('[data-use]').click();
    };
    const { q, k, v } = list().find(({ id }) => id === 'top_k').defaults.inputs;
    await bring({ k: [...k, k[0]] });
    await page.waitForSelector('[data-refused]');
    assert.match(await page.$eval('[data-refused]', (element) => element.textContent), /v/);
    assert.deepEqual(await weights(), before);

    const own = { q: q.slice(0, 1), k: [...k, k[0], k[1]], v: [...v, v[0], v[1]] };
    await bring(own);
    await page.waitForSelector('[data-other-sizes]');
    await page.waitForFunction(
      (count) => document.querySelectorAll('[data-table="stage.weights"] tbody td').length >= count,
      {},
      own.k.length,
    );
    const fovea = await load({ deterministic: true });
    const { data } = run(fovea, 'top_k', own).weights;
    const shown = async (on) => (await weights(on)).slice(0, data.length).map(Number);
    const numbers = await shown();
    numbers.forEach((x, n) => assert.ok(Math.abs(x - data[n]) <= 0.006, `${n}: ${x}, ${data[n]}`));
    const link = new URL(await linkOf(page)).hash.slice(2);
    const other = await openPage(room.browser);
    await open(link, other.page);
    await other.page.waitForSelector('[data-other-sizes]');
    assert.deepEqual(await shown(other.page), numbers);
    await other.close();
    await page.locator('[data-undo]').click();
    await page.waitForFunction(() => !document.querySelector('[data-other-sizes]'));
    await page.waitForFunction(
      (count) => document.querySelectorAll('[data-table="stage.weights"] tbody td').length === count,
      {},
      before.length,
    );
    assert.deepEqual(await weights(), before);
  });

  test('a picture is saved as SVG, HTML, CSV and JSON with what it is of', async () => {
    await open('multi-head?lang=en');
    const names = ['svg', 'html', 'csv', 'json', 'png'];
    const client = await allowDownloads();
    for (const kind of names) {
      const done = downloaded(client);
      await fromMenu(page, 'figure:has(canvas)', kind);
      await done;
      const content = await readFile(join(folder, `fovea-weights.${kind}`));
      assert.ok(content.length > 200, kind);
      if (kind !== 'png')
        for (const word of ['Multi-head', 'set by hand', '#/multi-head'])
          assert.ok(content.includes(word) || content.includes(word.replace('#', '&#35;')), `${kind}: ${word}`);
    }
  });

  test('nothing went wrong on the way', () => assert.deepEqual(room.opened.problems, []));
});

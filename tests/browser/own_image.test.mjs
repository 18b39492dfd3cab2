// An image that a visitor brings: real files, the camera, what cannot be read; weights are those of the package on the same pixels.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from 'fovea';
import { convolutionAttention } from 'fovea/mechanisms';
import { jpeg, photo, png } from './image_files.mjs';
import { assertSound } from './pages.mjs';
import { choose, dropFile, goTo, openChromium, openPage, servePage, slide, text, textMatching } from './support.mjs';

const fovea = await load({ deterministic: true });
const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} against ${b}`);

/** Patches of 8-bit pixels as the page has them: rows of numbers, and the same centered and normalized, in double. */
function patchesOf(rgb, width, height, size) {
  const rows = [];
  for (let y = 0; y < height; y += size)
    for (let x = 0; x < width; x += size) {
      const row = [];
      for (let a = 0; a < size; a++) for (let b = 0; b < 3 * size; b++) row.push(rgb[3 * ((y + a) * width + x) + b] / 255);
      rows.push(row);
    }
  const centered = rows.map((row) => {
    const mean = row.reduce((a, b) => a + b) / row.length;
    const length = Math.hypot(...row.map((x) => x - mean));
    return row.map((x) => (x - mean) / length);
  });
  return { rows, centered };
}
const weightsOf = (features, query, scale) =>
  fovea.attention([features[query]], features, features, { scale, returnWeights: true }).weights.data;

describe('your image', () => {
  let server, browser, opened, page, folder;

  before(async () => {
    server = await servePage();
    browser = await openChromium({ flags: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] });
    opened = await openPage(browser);
    page = opened.page;
    folder = await mkdtemp(join(tmpdir(), 'fovea-image-'));
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  async function visit(where = page) {
    await goTo(where, `${server.url}#/image?lang=en`);
    await where.waitForSelector('[data-strongest]');
  }
  async function give(name, bytes) {
    const path = join(folder, name);
    await writeFile(path, bytes);
    await (await page.$('input[type=file]')).uploadFile(path);
  }
  const grid = (expected) => page.waitForSelector(`[data-grid="${expected}"]`);
  const strongest = () =>
    page.$$eval('[data-strongest] [data-weight]', (cells) =>
      cells.map(({ dataset }) => [Number(dataset.patch), Number(dataset.weight)]),
    );
  const chosen = () => page.$eval('[data-patches]', (picture) => Number(picture.dataset.patches));

  test('a PNG: the weights of a patch are the package’s, centered and raw, and arrow keys choose another', async () => {
    await visit();
    const [width, height, size] = [96, 64, 4];
    const rgb = photo(width, height);
    await give('photo.png', png(width, height, rgb));
    await slide(page, 0, 3);
    await grid('16x24');
    const { rows, centered } = patchesOf(rgb, width, height, size);
    const compare = async (features, scale) => {
      const expected = weightsOf(features, await chosen(), scale);
      for (const [patch, weight] of await strongest()) near(weight, expected[patch], 2e-5);
      near((await strongest())[0][1], Math.max(...expected), 2e-5);
    };
    await compare(centered, 20);
    await page.focus('[data-patches]');
    const at = await chosen();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector(`[data-patches="${at + 24 - 1}"]`);
    await compare(centered, 20);
    await choose(page, 'raw');
    await page.waitForSelector('[data-features=raw]');
    await compare(rows, 20 / size ** 2);
    assert.deepEqual(opened.problems, []);
  });

  test('a dropped file is taken, and the place that takes it is marked while it is held over', async () => {
    await visit();
    const place = '[role=group]:has(> .line input[type=file])';
    await dropFile(page, place, { name: 'dropped.png', type: 'image/png', content: png(48, 32, photo(48, 32, 7)) }, () =>
      page.waitForSelector(`${place}.dragging`),
    );
    await grid('4x6');
    await page.waitForSelector(`${place}:not(.dragging)`);
    assert.deepEqual(opened.problems, []);
  });

  test('axial attention takes two hops, and the product of both weights is what arrives', async () => {
    await visit();
    const [width, height] = [48, 32];
    const rgb = photo(width, height, 7);
    await give('axial.png', png(width, height, rgb));
    await slide(page, 0, 3);
    await grid('8x12');
    await choose(page, 'axial');
    await page.waitForSelector('[data-pairs]');
    const { centered } = patchesOf(rgb, width, height, 4);
    const query = await chosen();
    const column = Array.from({ length: 8 }, (_, row) => row * 12 + (query % 12));
    const pick = (list) => list.map((n) => centered[n]);
    const options = { scale: 20, returnWeights: true };
    const down = fovea.attention(pick([query]), pick(column), pick(column), options).weights.data;
    const expected = column.flatMap((patch, row) => {
      const line = Array.from({ length: 12 }, (_, c) => row * 12 + c);
      return [...fovea.attention(pick([patch]), pick(line), pick(line), options).weights.data].map((x) => x * down[row]);
    });
    for (const [patch, weight] of await strongest()) near(weight, expected[patch], 2e-5);
    // Every patch sees its row of 12, then its column of 8.
    assert.match(await text(page, '[data-pairs]'), /compute 1,920 pairs; the whole image would be 9,216/);
    await choose(page, '1');
    await page.waitForFunction(
      (n) => [...document.querySelectorAll('[data-patch]')].every(({ dataset }) => dataset.patch % 12 === n),
      {},
      query % 12,
    );
    for (const [patch, weight] of await strongest()) near(weight, down[Math.floor(patch / 12)], 2e-5);
    await page.locator('[data-script] summary').click();
    await page.waitForSelector('[data-code]');
    assert.match(await text(page, '[data-code]'), /fovea\.attention\(query, columnKeys, columnColors, \{ scale: 20,/);
  });

  test('clusters move round by round; nine heads become the convolution', async () => {
    await visit();
    await choose(page, 'clusters');
    await page.waitForSelector('[data-clusters="1"]');
    const shares = () => page.$$eval('[data-share]', (cells) => cells.map(({ dataset }) => Number(dataset.share)));
    const first = await shares();
    near(
      first.reduce((a, b) => a + b),
      1,
      1e-4,
    );
    await slide(page, 1, 7);
    await page.waitForSelector('[data-clusters="8"]');
    assert.notDeepEqual(await shares(), first);
    const mine = await page.$$eval('[data-membership]', (cells) => cells.map(({ dataset }) => Number(dataset.membership)));
    near(
      mine.reduce((a, b) => a + b),
      1,
      1e-5,
    );

    const [width, height] = [14, 10];
    const rgb = photo(width, height, 3);
    await give('small.png', png(width, height, rgb));
    await choose(page, 'convolution');
    await slide(page, 0, 0);
    await grid('10x14');
    const image = Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_, x) => {
        const [r, g, b] = rgb.subarray(3 * (y * width + x));
        return [(0.299 * r + 0.587 * g + 0.114 * b) / 255];
      }),
    );
    const W = [
      [-1, 0, 1],
      [-2, 0, 2],
      [-1, 0, 1],
    ].map((row) => row.map((tap) => [[tap]]));
    const value = (index) => page.$$eval('[data-at]', (all, n) => Number(all[n].dataset.at), index);
    await page.waitForFunction(() => Number(document.querySelector('[data-differ]').dataset.differ) < 1e-5);
    near(await value(2), convolutionAttention(fovea, { image }, { W }, { alpha: 50 }).convolution.data[await chosen()], 1e-5);
    await slide(page, 1, 4);
    const { output, convolution } = convolutionAttention(fovea, { image }, { W }, { alpha: 1 });
    near(await value(1), output.data[await chosen()], 1e-5);
    near(
      await page.$eval('[data-differ]', ({ dataset }) => Number(dataset.differ)),
      Math.max(...output.data.map((x, n) => Math.abs(x - convolution.data[n]))),
      1e-5,
    );
  });

  test('a JPEG is turned as its EXIF data says; one of 20 megapixels is made smaller', async () => {
    await visit();
    await give('upright.jpg', await jpeg(page, 64, 40));
    await grid('5x8');
    await give('turned.jpg', await jpeg(page, 64, 40, 6));
    await grid('8x5');
    await give('large.jpg', await jpeg(page, 5472, 3648));
    await grid('26x39');
    await textMatching(page, 'article', /Made smaller from 5472 × 3648 to 312 × 208 pixels/);
    for (const value of [0, 9]) {
      await slide(page, 0, value);
      await grid('26x39');
    }
    assert.deepEqual(opened.problems, []);
  });

  test('what cannot be used is said in place, and the image before it stays', async () => {
    await visit();
    await give('good.png', png(40, 24, photo(40, 24)));
    await grid('3x5');
    const before = await strongest();
    const whole = png(40, 24, photo(40, 24));
    const huge = png(1, 1, photo(1, 1));
    huge.writeUInt32BE(60000, 16);
    huge.writeUInt32BE(60000, 20);
    for (const [name, bytes, sentence] of [
      ['text.png', Buffer.from('this is a text <img src=x onerror=alert(1)>'), /cannot read this file as an image/],
      ['half.png', whole.subarray(0, 30), /cannot read this file as an image/],
      ['empty.jpg', Buffer.alloc(0), /The file is empty/],
      ['bomb.png', huge, /3600 million pixels; at most 120 million/],
      ['large.png', Buffer.alloc(61 * 2 ** 20), /61 MB; at most 60 MB/],
    ]) {
      await give(name, bytes);
      await textMatching(page, '[data-trouble]', sentence);
      assert.deepEqual(await strongest(), before, name);
    }
    await choose(page, 'tiny');
    await grid('5x10');
    assert.equal(await page.$('[data-trouble]'), null);
    await choose(page, 'own');
    await slide(page, 0, 5);
    await grid('3x5');
    assert.deepEqual(await strongest(), before);
    assert.deepEqual(opened.problems, []);
  });

  test('the camera gives a picture, and is let go; where it is refused or absent, that is said', async () => {
    await visit();
    await page.locator('[data-camera]').click();
    await page.waitForFunction(() => document.querySelector('video')?.videoWidth > 0);
    const stream = await page.evaluateHandle(() => document.querySelector('video').srcObject);
    await page.locator('[data-take]').click();
    await textMatching(page, 'article', /The image stays in this browser/);
    assert.equal(await stream.evaluate((media) => media.getTracks().every(({ readyState }) => readyState === 'ended')), true);
    for (const [name, sentence] of [
      ['NotAllowedError', /did not allow the camera/],
      ['NotFoundError', /No camera was found/],
    ]) {
      await page.evaluate((kind) => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', kind));
      }, name);
      await page.locator('[data-camera]').click();
      await textMatching(page, '[data-trouble]', sentence);
    }
    await page.evaluate(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
    await page.locator('[data-camera]').click();
    await textMatching(page, '[data-trouble]', /No camera was found/);
    assert.ok((await strongest()).length === 5);
  });

  test('by touch at 390 × 844 in Chinese: a patch is tapped, and the page is sound', async () => {
    const phone = await openPage(browser, { dark: true });
    await phone.page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    await assertSound(phone, server.url, 'image', { lang: 'zh', theme: 'dark' });
    const picture = await phone.page.waitForSelector('[data-patches]');
    const { x, y, width, height } = await picture.boundingBox();
    await phone.page.touchscreen.tap(x + width * 0.01, y + height * 0.01);
    await phone.page.waitForSelector('[data-patches="0"]');
    await phone.close();
  });
});

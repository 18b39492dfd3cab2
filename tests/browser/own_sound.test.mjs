// A sound that a visitor brings: a WAV made here, the microphone, what cannot be read; weights are those of the package on the same bands.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { build } from 'esbuild';
import { load } from 'fovea';
import { assertSound } from './pages.mjs';
import { choose, goTo, openChromium, openPage, root, servePage, slide, text, textMatching } from './support.mjs';

const RATE = 16000;
const fovea = await load({ deterministic: true });
const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} against ${b}`);

/** 16-bit PCM of one channel. */
function wav(samples, rate = RATE) {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + 2 * samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  for (const [at, value, size] of [
    [16, 16, 4],
    [20, 1, 2],
    [22, 1, 2],
    [24, rate, 4],
    [28, 2 * rate, 4],
    [32, 2, 2],
    [34, 16, 2],
    [40, 2 * samples.length, 4],
  ])
    header.writeUIntLE(value, at, size);
  header.write('data', 36, 'latin1');
  return Buffer.concat([header, Buffer.from(Int16Array.from(samples, (x) => Math.round(32767 * x)).buffer)]);
}
/** Two tones in turn, the second louder. */
const melody = (seconds) =>
  Float32Array.from({ length: seconds * RATE }, (_, n) => {
    const high = Math.floor(n / (0.2 * RATE)) % 2 === 1;
    return (high ? 0.8 : 0.2) * Math.sin((2 * Math.PI * (high ? 1400 : 440) * n) / RATE);
  });

/** The page's own log-mel, which its test compares with the definition. */
async function openMel() {
  const outfile = `${root}build/tests/mel.mjs`;
  await build({ entryPoints: [`${root}web/inputs/sound/mel.ts`], outfile, bundle: true, format: 'esm', logLevel: 'error' });
  return import(outfile);
}

describe('your sound', () => {
  let server, browser, opened, page, folder;

  before(async () => {
    server = await servePage();
    browser = await openChromium({ flags: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'] });
    opened = await openPage(browser);
    page = opened.page;
    folder = await mkdtemp(join(tmpdir(), 'fovea-sound-'));
    await page.evaluateOnNewDocument(() => {
      const { start } = AudioBufferSourceNode.prototype;
      window.played = [];
      AudioBufferSourceNode.prototype.start = function (...args) {
        window.played.push(this.buffer.duration);
        start.apply(this, args);
      };
    });
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    if (folder) await rm(folder, { recursive: true });
  });

  async function visit() {
    await goTo(page, `${server.url}#/sound?lang=en`);
    await page.waitForSelector('[data-five] [data-weight]');
  }
  async function give(name, bytes) {
    const path = join(folder, name);
    await writeFile(path, bytes);
    await (await page.$('input[type=file]')).uploadFile(path);
  }
  const framesAre = (count) => page.waitForSelector(`[data-frames="${count}"]`);
  const five = () =>
    page.$$eval('[data-five] [data-weight]', (cells) =>
      cells.map(({ dataset }) => [Number(dataset.frame), Number(dataset.weight)]),
    );

  test('a WAV: weights are the package’s, centered, raw and truncated; kept pairs are counted', async () => {
    await visit();
    const { FRAME, SHIFT, BANDS, hann, logMel } = await openMel();
    const samples = melody(1);
    await give('melody.wav', wav(samples));
    await framesAre(98);
    const read = Float32Array.from(samples, (x) => Math.round(32767 * x) / 32768);
    const window = hann(FRAME);
    const framed = Float32Array.from(
      { length: 98 * FRAME },
      (_, n) => read[Math.floor(n / FRAME) * SHIFT + (n % FRAME)] * window[n % FRAME],
    );
    const { data } = logMel({ data: framed, width: FRAME });
    const raw = Array.from({ length: 98 }, (_, t) => [...data.slice(t * BANDS, (t + 1) * BANDS)]);
    const centered = raw.map((row) => {
      const mean = row.reduce((a, b) => a + b) / BANDS;
      const length = Math.hypot(...row.map((x) => x - mean));
      return row.map((x) => (x - mean) / length);
    });
    const compare = async (features, scale, reach, query) => {
      const { weights } = fovea.attention(features, features, features, { scale, window: [reach, reach], returnWeights: true });
      const row = weights.data.slice(query * 98, (query + 1) * 98);
      const shown = await five();
      near(shown[0][1], Math.max(...row), 2e-4);
      for (const [frame, weight] of shown) near(weight, row[frame], 2e-4);
    };
    await compare(centered, 20, -1, 12);
    await page.focus('[data-sound]');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('[data-sound="13"]');
    await slide(page, 1, 4);
    await textMatching(page, '[data-kept]', /^862 of 9,604 pairs/);
    await compare(centered, 20, 4, 13);
    await choose(page, 'raw');
    await page.waitForSelector('[data-features=raw]');
    await compare(raw, 20 / BANDS, 4, 13);
    assert.deepEqual(opened.problems, []);
  });

  test('nothing plays by itself; a click plays the frame and its five, unless that is switched off', async () => {
    await visit();
    const played = () => page.evaluate(() => window.played);
    assert.deepEqual(await played(), []);
    await page.keyboard.press('Tab');
    await page.focus('[data-sound]');
    await page.keyboard.press('ArrowRight');
    assert.deepEqual(await played(), []);
    const { x, y, width } = await (await page.$('[data-sound]')).boundingBox();
    await page.mouse.click(x + width / 2, y + 40);
    await page.waitForFunction(() => window.played.length === 1);
    // Six frames of 0.2 s and their pauses.
    near((await played())[0], 6 * ((17 * 200) / RATE + 0.12), 1e-3);
    await (await page.waitForSelector('article [role=switch]')).click();
    await page.mouse.click(x + width / 3, y + 40);
    await page.focus('[data-hear]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => window.played.length === 2);
  });

  test('a long sound is cut to ten seconds; what cannot be used is said, and the sound before it stays', async () => {
    await visit();
    await give('long.wav', wav(melody(12)));
    await framesAre(998);
    await textMatching(page, 'article', /The first 10 s of 12 s are used/);
    const before = await five();
    for (const [name, bytes, sentence] of [
      ['text.wav', Buffer.from('this is a text'), /cannot read this file as sound/],
      ['empty.wav', Buffer.alloc(0), /The file is empty/],
      ['none.wav', wav([]), /cannot read this file as sound|shorter than one frame/],
      ['short.wav', wav(melody(0.02)), /shorter than one frame/],
      ['silent.wav', wav(new Float32Array(RATE)), /only silence/],
      ['large.wav', Buffer.alloc(17 * 2 ** 20), /17 MB; at most 16 MB/],
    ]) {
      await give(name, bytes);
      await textMatching(page, '[data-trouble]', sentence);
      assert.deepEqual(await five(), before, name);
    }
    await choose(page, 'aeiou');
    await framesAre(123);
    await choose(page, 'own');
    await framesAre(998);
    assert.deepEqual(opened.problems, []);
  });

  test('the microphone records and is let go; where it is refused or absent, that is said', async () => {
    await visit();
    await page.evaluate(() => {
      const get = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (wanted) => (window.stream = await get(wanted));
    });
    await page.locator('[data-record]').click();
    await page.waitForSelector('[data-stop]');
    // The false device beeps once a second.
    await new Promise((done) => setTimeout(done, 1500));
    await page.locator('[data-stop]').click();
    await textMatching(page, 'article', /The sound stays in this browser/);
    assert.ok(await page.evaluate(() => window.stream.getTracks().every(({ readyState }) => readyState === 'ended')));
    for (const [name, sentence] of [
      ['NotAllowedError', /did not allow the microphone/],
      ['NotFoundError', /No microphone was found/],
    ]) {
      await page.evaluate((kind) => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', kind));
      }, name);
      await page.locator('[data-record]').click();
      await textMatching(page, '[data-trouble]', sentence);
    }
    assert.ok((await five()).length > 0);
    assert.match(await text(page, 'h1'), /Your sound/);
  });

  test('by touch at 390 × 844 in Chinese the page is sound', async () => {
    const phone = await openPage(browser, { dark: true });
    await phone.page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    await assertSound(phone, server.url, 'sound', { lang: 'zh', theme: 'dark' });
    await phone.close();
  });
});

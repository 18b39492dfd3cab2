// Arcs, bars and curves are saved as pictures and as their numbers: all digits, what they are of, and nothing that asks for anything.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load } from 'fovea';
import { run } from 'fovea/catalog';
import { fromMenu, goTo, withRoom } from './support.mjs';

describe('diagrams as files', () => {
  let room, page, folder, fovea, client;
  withRoom((given) => {
    room = given;
    page = given.page;
  });
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fovea-diagrams-'));
    fovea = await load({ deterministic: true });
    client = await page.createCDPSession();
    const browserContextId = page.browserContext().id;
    await client.send('Browser.setDownloadBehavior', {
      ...{ behavior: 'allow', downloadPath: folder, eventsEnabled: true },
      ...(browserContextId && { browserContextId }),
    });
  });
  after(async () => {
    fovea.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** The files of a diagram of the page, by their kinds. */
  async function saved(hash, diagram) {
    await goTo(page, `${room.server.url}#/${hash}?lang=en`);
    const kinds = ['svg', 'png', 'csv', 'json', 'html'];
    await page.waitForSelector('[data-diagrams]');
    await page.$eval('[data-diagrams]', (details) => (details.open = true));
    await page.waitForSelector(`[data-diagram="${diagram}"]`);
    const files = {};
    for (const kind of kinds) {
      const done = new Promise((resolve) => {
        const listen = ({ state }) => {
          if (state !== 'completed') return;
          client.off('Browser.downloadProgress', listen);
          resolve();
        };
        client.on('Browser.downloadProgress', listen);
      });
      await fromMenu(page, `[data-diagram="${diagram}"]`, kind);
      await done;
      files[kind] = await readFile(join(folder, `fovea-${diagram}.${kind}`));
      await rm(join(folder, `fovea-${diagram}.${kind}`));
    }
    return files;
  }
  const numbersOf = (csv) =>
    csv
      .toString()
      .split('\r\n\r\n')[0]
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').slice(1).map(Number));
  function asksForNothing(text) {
    assert.doesNotMatch(text, /<script|<foreignObject|<link|@import|\son\w+=|url\((?!&#34;#|['"]?#)/i);
    for (const [, target] of text.matchAll(/(?:href|src)="([^"]*)"/g)) assert.match(target, /^(#|data:image\/png)/);
  }

  test('arcs: the weights of the chosen word', async () => {
    const { svg, png, csv, json, html } = await saved('bahdanau', 'arcs');
    const { weights } = run(fovea, 'bahdanau');
    const shown = numbersOf(csv)[0];
    const [, cols] = weights.shape.slice(-2);
    const rows = Array.from({ length: weights.data.length / cols }, (_, r) => [
      ...weights.data.slice(r * cols, (r + 1) * cols),
    ]);
    assert.ok(
      rows.some((row) => row.every((x, n) => Math.fround(shown[n]) === x)),
      `${shown} is a row of the weights`,
    );
    assert.deepEqual(JSON.parse(json).data[0], shown);
    for (const text of [svg.toString(), html.toString()]) {
      asksForNothing(text);
      assert.match(text, /Bahdanau attention/);
      assert.match(text, /set by hand/);
      assert.match(text, /#\/bahdanau/);
      assert.ok(text.match(/<path /g).length >= shown.filter((x) => x > 0).length);
    }
    assert.match(html.toString(), /default-src 'none'/);
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.readUInt32BE(16) > 600, 'twice as sharp as on the screen');
  });

  test('bars and a curve', async () => {
    const bars = await saved('relu', 'bars');
    assert.equal(numbersOf(bars.csv).length, run(fovea, 'relu').weights.shape.at(-1));
    asksForNothing(bars.svg.toString());
    const curve = await saved('relu', 'curve');
    asksForNothing(curve.svg.toString());
    for (const [i, line] of curve.csv.toString().split('\r\n').slice(1, 4).entries())
      assert.equal(line.split(',').length, 3, `line ${i}: x and two curves`);
  });

  test('nothing went wrong on the way', () => assert.deepEqual(room.opened.problems, []));
});

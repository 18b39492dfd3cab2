// The worked example of source 004, as the page opens: its exact numbers, the scale switch, editing, the walked arithmetic.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import {
  choose,
  drawn,
  flip,
  fromMenu,
  printedBy,
  root,
  scriptOn,
  table,
  text,
  textMatching,
  visit,
  withRoom,
} from './support.mjs';

describe('the worked example', () => {
  let server, browser, opened, page;
  const truth = async () => JSON.parse(await readFile(`${root}tests/golden/seed/worked_example.json`, 'utf8')).outputs;

  withRoom((room) => ({ server, browser, opened, page } = room));

  test('it opens with scale 1 and the weights 0.0634 0.4683 0.4683', async () => {
    await page.goto(`${server.url}#/self-attention`);
    await page.waitForSelector('[data-value]');
    await textMatching(page, '[data-row-sum]', /0\.0634 \+ 0\.4683 \+ 0\.4683 = 1/);
    await drawn(page);
    assert.equal(await text(page, '[data-value]'), '0.4683');
    assert.deepEqual(await table(page, 'query'), [
      ['1', '0', '2'],
      ['2', '2', '2'],
      ['2', '1', '3'],
    ]);
    assert.deepEqual(await table(page, 'scores'), [
      ['2', '4', '4'],
      ['4', '16', '12'],
      ['4', '12', '10'],
    ]);
    assert.match(await text(page, '[data-trace-stage=scaled]'), /leaves the scores unscaled/);
    assert.deepEqual(opened.problems, []);
  });

  test('the arithmetic of a weight goes from products through scale and exp to the quotient', async () => {
    await visit(page, server.url, { cell: 'weights.0.1' });
    assert.equal(await text(page, '[data-of=scores] [data-sum]'), '1·4 + 0·4 + 2·0 = 4');
    const walk = await text(page, 'aside');
    assert.match(walk, /1 × 4 = 4/);
    assert.match(walk, /1 ÷ 2\.1353 = 0\.4683/);
  });

  test('1/√3 gives the first row 0.1361 0.4319 0.4319', async () => {
    await choose(page, 'root');
    await textMatching(page, '[data-row-sum]', /0\.1361 \+ 0\.4319 \+ 0\.4319 = 1/);
    assert.match(await text(page, 'aside'), /4 ÷ √3 = 2\.3094/);
  });

  test('all digits are the float32 nearest to the true numbers, within one unit in the last place', async () => {
    await visit(page, server.url, { scale: '1' });
    await flip(page, 'All digits');
    await textMatching(page, '[data-value]', /^0\.46831\d+/);
    const shown = (await table(page, 'weights')).flat().map((cell) => Number(cell.replace('−', '-')));
    const { weights_unscaled: expected } = await truth();
    shown.forEach((x, i) =>
      assert.ok(Math.abs(x - expected.data[i]) <= 4e-7 * Math.abs(expected.data[i]), `weight ${i}: ${x}`),
    );
    await flip(page, 'All digits');
  });

  test('the causal mask adds a stage, forbids what stands after, and keeps every sum at 1', async () => {
    await visit(page, server.url, { scale: 'sqrt', cell: 'weights.1.0' });
    await flip(page, 'Causal mask');
    await textMatching(page, '[data-row-sum]', /0\.0010 \+ 0\.9990 \+ 0 = 1/);
    await drawn(page);
    assert.deepEqual((await table(page, 'masked'))[0], ['1.1547', '−∞', '−∞']);
    assert.equal((await table(page, 'weights'))[0].join(' '), '1 0 0');
  });

  test('a changed number changes all that follows, is marked as yours, and can be taken back', async () => {
    await visit(page, server.url, { cell: 'X.0.0' });
    const field = await page.waitForSelector('aside input[type=number]');
    await field.click({ clickCount: 3 });
    await field.type('3');
    await page.waitForFunction(
      () => document.querySelector('[data-trace-stage=query] [data-table=query] tbody td')?.textContent === '3',
    );
    assert.deepEqual((await table(page, 'scores'))[0], ['12', '12', '10']);
    assert.match(await text(page, '[data-trace-stage=output] .provenance'), /yours/);
    await page.waitForFunction(() => location.hash.includes('X=3%2C0'));
    await page.$eval('[data-trace-stage=input] > button', (button) => button.click());
    await textMatching(page, '[data-trace-stage=output] .provenance', /set by hand/);
  });

  test('Enter on a cell opens a field on it', async () => {
    await visit(page, server.url, { cell: 'X.1.1' });
    await page.focus('[data-trace-stage=input] [data-matrix=input]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.heatmap input[type=number]');
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await textMatching(page, '[data-value]', /^5$/);
  });

  test('the copied script gives the shown numbers, bit for bit', async () => {
    await visit(page, server.url, { scale: 'sqrt', causal: 'on' });
    await flip(page, 'All digits');
    await textMatching(page, '[data-value]', /\d/);
    const script = await scriptOn(page);
    const printed = await printedBy(script);
    for (const name of ['weights', 'output']) {
      const shown = (await table(page, name)).map((row) => row.map((cell) => Math.fround(Number(cell.replace('−', '-')))));
      assert.deepEqual(printed[name], shown, name);
    }
  });

  test('a picture can be taken along as CSV, JSON and PNG', async () => {
    await visit(page, server.url, { scale: '1' });
    await page.evaluate(() => {
      window.files = [];
      const { createObjectURL } = URL;
      URL.createObjectURL = (blob) => {
        window.files.push({ blob });
        return createObjectURL(blob);
      };
      HTMLAnchorElement.prototype.click = function () {
        window.files.at(-1).name = this.download;
      };
    });
    for (const [n, kind] of ['png', 'csv', 'json'].entries()) {
      await fromMenu(page, '[data-trace-stage=weights]', kind);
      await page.waitForFunction((count) => window.files[count]?.name, {}, n);
    }
    const files = await page.evaluate(() =>
      Promise.all(window.files.map(async ({ blob, name }) => ({ name, bytes: [...new Uint8Array(await blob.arrayBuffer())] }))),
    );
    const named = Object.fromEntries(files.map(({ name, bytes }) => [name, Buffer.from(bytes)]));
    assert.match(named['fovea-weights.csv'].toString(), /^\uFEFF,k₁,k₂,k₃\r\nq₁,0\.0633789\d*,0\.4683105\d*,/);
    const json = JSON.parse(named['fovea-weights.json'].toString());
    assert.deepEqual([json.provenance, json.rows.axis, json.data.length], ['designed', 'query', 3]);
    assert.equal(named['fovea-weights.png'].subarray(1, 4).toString(), 'PNG');
  });

  test('nothing went wrong on the way', () => assert.deepEqual(opened.problems, []));
});

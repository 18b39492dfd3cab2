// A pattern painted in the room: by mouse, keyboard and finger.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pattern as builders } from '../../dist/pattern.node.js';
import { withSparseRoom } from './sparse_support.mjs';
import { choose, flip, middleOf, openPage, READING, table, text, textMatching, type, visit } from './support.mjs';

describe('painting a pattern', () => {
  let server, browser, opened, page, show, kept, assertShows, cellPoint;

  withSparseRoom((room) => ({ server, browser, opened, page, show, kept, assertShows, cellPoint } = room));

  test('pairs are painted with the mouse, by click and by stroke; an empty row gives zeros and is told in words', async () => {
    await visit(page, server.url, { scale: '1', pattern: 'local.1' });
    await flip(page, 'All digits');
    await choose(page, 'paint');
    await page.waitForSelector('.painted');
    await page.mouse.click(...(await cellPoint(0, 2)));
    await kept(/8 of 9/);
    assert.match(await text(page, '[data-trace-stage=pattern] .provenance'), /yours/);
    await page.mouse.move(...(await cellPoint(0, 0)));
    await page.mouse.down();
    await page.mouse.move(...(await cellPoint(0, 2)));
    await page.mouse.up();
    await page.mouse.move(2, 2);
    await kept(/5 of 9 pairs.*q₁ keeps no key: all its scores are −∞, so all its weights are 0 and its output is 0/);
    await assertShows(
      builders.fromMask([
        [false, false, false],
        [true, true, true],
        [false, true, true],
      ]),
    );
    assert.deepEqual((await table(page, 'masked'))[0], ['−∞', '−∞', '−∞']);
    assert.deepEqual((await table(page, 'output'))[0], ['0', '0', '0']);
    assert.match(await text(page, '[data-row-sum]'), /0 \+ 0 \+ 0 = 0 no key is kept/);
    await page.focus('[data-trace-stage=weights] [data-matrix=weights]');
    await page.keyboard.press('Home');
    await textMatching(page, '[data-note=empty]', /nothing to share out/);
    assert.match(await text(page, '[data-trace-stage=weights] .col-title .sums'), /sums to 1 or 0/);
  });

  test('pairs are painted with the keyboard: arrows move, Space toggles', async () => {
    await show({ pattern: 'local.1', cell: 'pattern.0.0', scale: '1' });
    await choose(page, 'paint');
    await page.waitForSelector('.painted');
    await page.focus('[data-trace-stage=pattern] [data-matrix=pattern]');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await textMatching(page, READING, /^query q₁, key k₃, left out$/);
    await page.keyboard.press('Space');
    await textMatching(page, READING, /^query q₁, key k₃, kept$/);
    await kept(/8 of 9/);
    await page.keyboard.press('Space');
    await kept(/7 of 9/);
  });

  test('column notation paints what it shows', async () => {
    await show({ pattern: 'paint.3._4A', notation: 'columns' });
    assert.match(await text(page, '[data-kept]'), /9 of 9/);
    await page.mouse.click(...(await cellPoint(2, 0)));
    await page.mouse.move(2, 2);
    await kept(/8 of 9/);
    await textMatching(page, READING, /^query q₁, key k₃, left out$/);
  });

  test('a text that grows keeps what is painted, and its new pairs are kept', async () => {
    await show({ input: 'text', text: 'a b c', head: 'nearby', pattern: 'paint.3.AAA' });
    await kept(/0 of 9 pairs/);
    await type(page, 'a b c d');
    await kept(/7 of 16 pairs kept, density 0\.44\. Every query keeps/);
    await type(page, 'a b');
    await kept(/0 of 4 pairs.*a, b keep no key/);
    await show({});
  });

  test('on a phone nothing is wider than the screen, a finger paints, and what it paints does not move', async () => {
    const phone = await openPage(browser, { width: 390, height: 844, dark: true });
    await phone.page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    await visit(phone.page, server.url, { pattern: 'bigBird.1.1.7_longformer.2.1_fixed.3.1_truncated.2.0', join: 'and' });
    const widths = () =>
      phone.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    const [scroll, client] = await widths();
    assert.ok(scroll <= client, `${scroll} > ${client}`);
    const small = await phone.page.$$eval('.pattern select, .pattern input, .pattern .remove', (controls) =>
      controls.map((one) => (one.closest('label') ?? one).getBoundingClientRect().height).filter((height) => height < 42),
    );
    assert.deepEqual(small, []);
    await visit(phone.page, server.url, { pattern: 'paint.3._4A' });
    await phone.page.$eval('[data-room] .controls .quiet-button', (button) => button.click());
    await phone.page.waitForSelector('[data-trace-stage=pattern] [data-matrix=pattern]');
    const surface = await phone.page.$('[data-trace-stage=pattern] [data-matrix=pattern]');
    await middleOf(phone.page, '[data-trace-stage=pattern] [data-matrix=pattern]');
    const before = await surface.boundingBox();
    const left = before.x + before.width - 7 - 54 * 2.5;
    const y = before.y + before.height - 3 - 38 * 2.5;
    await phone.page.touchscreen.touchStart(left, y);
    await phone.page.touchscreen.touchMove(left + 108, y);
    await phone.page.touchscreen.touchEnd();
    await textMatching(phone.page, '[data-kept]', /6 of 9 pairs.*q₁ keeps no key/);
    assert.deepEqual(await surface.boundingBox(), before);
    assert.deepEqual(phone.problems, []);
    await phone.close();
  });

  test('nothing went wrong on the way', () => assert.deepEqual(opened.problems, []));
});

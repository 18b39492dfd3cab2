// "set by hand" stays true while a visitor only switches between states that the page brings; a number of their own makes it "yours".

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { show } from './pages.mjs';
import { choose, withRoom } from './support.mjs';

describe('where the numbers come from', () => {
  let page, server;
  withRoom((room) => ({ page, server } = room));

  const said = () => page.$eval('.below [data-provenance]', (one) => one.dataset.provenance);
  const press = (selector) => page.$eval(selector, (button) => button.click());
  const settled = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

  const SWITCHES = {
    luong: () => choose(page, 'concat'),
    saliency: () => choose(page, 'nouns'),
    'structured-self-attention': () => press('.picture .equal'),
    linformer: () => press('.picture .stepper button:first-of-type'),
    'image-self-attention': () => press('.picture .stepper button:last-of-type'),
  };

  for (const [path, change] of Object.entries(SWITCHES))
    test(`${path}: a switch of the page leaves them set by hand`, async () => {
      await show(page, server.url, path);
      const numbers = () => page.$eval('.picture', (one) => one.innerText);
      const before = await numbers();
      assert.equal(await said(), 'designed');
      await change();
      await settled();
      assert.notEqual(await numbers(), before, 'the picture changes');
      assert.equal(await said(), 'designed');
    });

  test('a cell that the visitor changes makes them theirs, and they can be taken back', async () => {
    await show(page, server.url, 'luong');
    await press('.picture td button');
    await settled();
    assert.equal(await said(), 'yours');
    await choose(page, 'dot');
    await choose(page, 'general');
    await settled();
    assert.equal(await said(), 'designed');
  });
});

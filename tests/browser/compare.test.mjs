// The comparisons with a recurrent network, a fully connected window and a convolution: what is drawn is what the package computes.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { rnn } from 'fovea/ops';
import { goTo, text, textMatching, withRoom } from './support.mjs';

describe('comparisons', () => {
  let server, opened, page;

  withRoom((room) => ({ server, opened, page } = room));

  const open = async (id, params = {}) => {
    await goTo(page, `${server.url}#/compare/${id}?${new URLSearchParams({ lang: 'en', ...params })}`);
    await page.waitForSelector('[data-table=reach]');
  };
  const reach = () =>
    page.$$eval('[data-table=reach] tbody tr', (rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))),
    );

  test('a recurrent network forgets the first word, attention does not', async () => {
    await open('recurrent', { words: 8, kept: 0.5 });
    const fovea = await load({ deterministic: true });
    const x = Array.from({ length: 8 }, (_, t) => [Number(t === 0)]);
    const { output } = rnn(fovea, x, { weight_ih_l0: [[1]], weight_hh_l0: [[0.5]] });
    fovea.dispose();
    const [recurrent, attention] = await reach();
    recurrent.forEach((change, t) => assert.ok(Math.abs(change - output.data[t]) < 1e-4 * Math.max(1, output.data[t])));
    assert.ok(attention.every((change) => change > 0.999));
    assert.deepEqual(opened.problems, []);
  });

  test('beyond the window nothing changes; the arrow keys widen it', async () => {
    await open('fully-connected');
    const within = async () => (await reach())[0].filter((change) => change > 0).length;
    assert.equal(await within(), 6);
    await page.focus('[data-slider=context]');
    await page.keyboard.press('ArrowRight');
    await textMatching(page, '.facts tbody tr:nth-child(1) td', /^13$/);
    assert.equal(await within(), 7);
  });

  test('each layer of a convolution widens the receptive field by two', async () => {
    await open('convolution', { layers: 4, kernel: 3, words: 19 });
    const rows = await reach();
    assert.deepEqual(
      rows.map((row) => row.filter((change) => change > 0).length),
      [3, 5, 7, 9, 19],
    );
    assert.equal(await text(page, '.facts tbody tr:nth-child(1) td'), '9');
    assert.deepEqual(opened.problems, []);
  });
});

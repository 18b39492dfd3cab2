// The family beyond text: patches, pixels, frames and nodes are chosen by the keyboard and by touch, and the numbers shown are the package's.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { load } from 'fovea';
import { list, run } from 'fovea/catalog';
import { assertSound } from './pages.mjs';
import { choose, goTo, openPage, slide, text, textMatching, withRoom } from './support.mjs';

const fovea = await load({ deterministic: true });
const ids = list()
  .filter(({ family }) => family === 'beyondText')
  .map(({ id }) => id);
const defaultsOf = (id) => list().find((entry) => entry.id === id).defaults;
const stageOf = ({ trace }, name) => trace.find((stage) => stage.name === name);
const row = ({ data, shape }, n) => [...data.slice(n * shape.at(-1), (n + 1) * shape.at(-1))];
const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} against ${b}`);

describe('the family beyond text', () => {
  let server, browser, page;

  withRoom((room) => ({ server, browser, page } = room));

  async function open(id, { language = 'en', touch = false } = {}) {
    await page.setViewport(touch ? { width: 390, height: 844, hasTouch: true, isMobile: true } : { width: 1280, height: 800 });
    await goTo(page, `${server.url}#/${id.replaceAll('_', '-')}?lang=${language}`);
    await page.waitForSelector(`[data-view="${id}"]`);
  }
  const slideView = (index, value) => slide(page, index, value, '[data-view] input[type=range]');
  const score = (name) => page.$eval(`[data-score="${name}"]`, (cell) => Number(cell.textContent.trim().replace('−', '-')));
  const dots = () => page.$$eval('[data-dot]', (all) => all.map((dot) => Number(dot.dataset.dot)));

  test('image: red scores 1 as dark red does, white 0; in raw colors white wins', async () => {
    await open('image_self_attention');
    for (const [name, expected] of [
      ['2 0 0', 1],
      ['1 0 0', 1],
      ['3 3 3', 0],
    ])
      near(await score(name), expected, 0.005);
    const shown = await page.$$eval('[data-colors] [data-weight]', (cells) => cells.map((cell) => Number(cell.dataset.weight)));
    near(
      shown.reduce((a, b) => a + b),
      1,
      1e-5,
    );
    const weights = row(stageOf(run(fovea, 'image_self_attention'), 'weights'), 35);
    near(shown[0], 3 * weights[34], 1e-6);
    await choose(page, 'raw');
    // Raw scores 1, 2 and 3 ninths: of the three they are shares of .17, .33 and .50.
    const raw = [await score('3 3 3'), await score('2 0 0'), await score('1 0 0')];
    const sum = raw.reduce((a, b) => a + b);
    raw.forEach((x, n) => near(x / sum, [0.5, 0.33, 0.17][n], 0.01));
  });

  test('image: arrow keys choose a patch, and position alone gives the patches around it', async () => {
    await open('image_self_attention');
    await page.$eval('[data-scene]', (svg) => svg.focus());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('[data-scene="44"]');
    await slideView(0, 10);
    const near44 = [...(await dots())];
    for (const patch of [33, 34, 35, 43, 44, 45, 53, 54, 55]) assert.ok(near44.includes(patch), `${near44}`);
    assert.equal(near44.includes(0), false);
  });

  test('convolution: nine heads give the convolution, and leave it as α falls', async () => {
    await open('convolution_attention');
    assert.equal(Number(await page.$eval('[data-differ]', (note) => note.dataset.differ)), 0);
    await slideView(0, 3);
    const { output, convolution } = run(fovea, 'convolution_attention', undefined, undefined, { alpha: 1 });
    const most = Math.max(...output.data.map((x, n) => Math.abs(x - convolution.data[n])));
    near(Number(await page.$eval('[data-differ]', (note) => note.dataset.differ)), most, 1e-6);
    await page.focus('[data-cells=attended] button[tabindex="0"]');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-heads="1"]');
  });

  test('sound: five strongest frames, and the pairs that are kept', async () => {
    await open('speech_self_attention');
    const weights = stageOf(run(fovea, 'speech_self_attention'), 'weights');
    const kept = weights.data.filter((x) => x > 0).length;
    assert.match(await text(page, '[data-kept]'), new RegExp(`^${kept} of 1156 `));
    await page.$eval('[data-sound]', (svg) => svg.focus());
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('[data-sound="5"]');
    const five = () => page.$$eval('[data-five] [data-weight]', (cells) => cells.map((cell) => Number(cell.dataset.weight)));
    const expected = row(weights, 5).sort((a, b) => b - a);
    (await five()).forEach((x, n) => near(x, expected[n], 1e-6));
    await slideView(1, 33);
    await textMatching(page, '[data-kept]', /^1156 of 1156 /);
    const all = run(fovea, 'speech_self_attention', undefined, undefined, { left: -1, right: -1 });
    near((await five())[0], Math.max(...row(stageOf(all, 'weights'), 5)), 1e-6);
    assert.match(await text(page, '[data-five] tbody tr'), /^2\d, from 2\d0 ms/);
  });

  test('graph: an edge is made with a button and by dragging; without any the output is 0', async () => {
    await open('graph_attention');
    await page.$eval('[data-edge="4"]', (button) => button.click());
    await page.waitForSelector('[data-edge="4"][aria-pressed=true]');
    const { edges, h } = defaultsOf('graph_attention').inputs;
    const output = row(stageOf(run(fovea, 'graph_attention', { h, edges: [...edges, [0, 3], [3, 0]] }), 'output'), 0);
    await textMatching(page, '[data-output]', new RegExp(`red ${String(output[0].toFixed(3)).replace(/0+$/, '')}`));
    const nodes = await page.$$('[data-graph] g');
    const middle = async (node) => {
      const { x, y, width, height } = await nodes[node].boundingBox();
      return [x + width / 2, y + height / 2];
    };
    await page.mouse.move(...(await middle(0)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(3)));
    await page.mouse.up();
    await page.waitForSelector('[data-edge="4"][aria-pressed=false]');
    await page.$eval('[data-isolate]', (button) => button.click());
    await textMatching(page, '[data-output]', /^Output of node 1: red 0, blue 0\./);
  });

  test('graph: nodes are moved by dragging and by buttons, added, recolored and removed', async () => {
    await open('graph_attention');
    const { edges, h } = defaultsOf('graph_attention').inputs;
    const place = (node) =>
      page.$$eval('[data-graph] text', (labels, n) => ['x', 'y'].map((axis) => Number(labels[n].getAttribute(axis))), node);
    const before = await place(0);
    await choose(page, 'move');
    const { x, y, width, height } = await (await page.$('[data-graph] g')).boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 - 40, y + height / 2 + 50);
    await page.mouse.up();
    const after = await place(0);
    assert.ok(after[0] < before[0] - 20 && after[1] > before[1] + 20, `${before} ${after}`);
    await page.$eval('[data-move=right]', (button) => button.click());
    assert.ok(Math.abs((await place(0))[0] - after[0] - 20) < 1e-6);

    await page.$eval('[data-add]', (button) => button.click());
    await page.waitForSelector('[data-graph="8"]');
    await page.$eval('[data-color]', (button) => button.click());
    await page.$eval('[data-edge="1"]', (button) => button.click());
    const now = { h: [...h, [1, 0]], edges: [...edges, [8, 0], [0, 8]] };
    const output = row(stageOf(run(fovea, 'graph_attention', now), 'output'), 8);
    await textMatching(page, '[data-output]', new RegExp(`^Output of node 9: red ${Number(output[0].toFixed(3))}`));
    assert.deepEqual(await place(0), [after[0] + 20, after[1]]);

    await page.$eval('[data-graph]', (svg) => svg.focus());
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('[data-graph="0"]');
    await page.$eval('[data-remove]', (button) => button.click());
    await page.waitForFunction(() => document.querySelectorAll('[data-graph] g').length === 8);
    const left = now.edges.filter((edge) => !edge.includes(0)).map(([a, b]) => [a - 1, b - 1]);
    const rest = row(stageOf(run(fovea, 'graph_attention', { h: now.h.slice(1), edges: left }), 'output'), 0);
    await textMatching(
      page,
      '[data-output]',
      new RegExp(`^Output of node 1: red ${Number(rest[0].toFixed(3))}, blue ${Number(rest[1].toFixed(3))}`),
    );
  });

  test('graph: with the score 0 in place of −∞, nodes without an edge take part', async () => {
    await open('graph_attention');
    await choose(page, 'zero');
    const scores = stageOf(run(fovea, 'graph_attention'), 'scores').data;
    const used = [0, 2, 4, defaultsOf('graph_attention').inputs.edges.length].map((edge) => Math.exp(scores[edge]));
    const stray = 4 / (used.reduce((a, b) => a + b) + 4);
    near(Number(/get ([\d.]+)/.exec(await text(page, '[data-output]'))[1]), stray, 6e-4);
  });

  test('by touch at 390 × 844 in Chinese: an edge is tapped, and every page is sound', async () => {
    await open('graph_attention', { language: 'zh', touch: true });
    await (await page.waitForSelector('[data-edge="2"]')).tap();
    await page.waitForSelector('[data-edge="2"][aria-pressed=true]');
    // A page of its own: requests that another test's page left unanswered would be waited for.
    const phone = await openPage(browser, { dark: true });
    await phone.page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    for (const id of ids) await assertSound(phone, server.url, id.replaceAll('_', '-'), { lang: 'zh', theme: 'dark' });
    await phone.close();
  });
});

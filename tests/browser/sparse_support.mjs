// The room with sparse attention: the pattern that it shows, and what the package computes in Node for the same pattern.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before } from 'node:test';
import { drawn, root, table, textMatching, withRoom } from './support.mjs';

/** `withRoom`, whose `receive` gets these helpers too. */
export function withSparseRoom(receive) {
  let page, fovea, example;

  withRoom((room) => {
    page = room.page;
    receive({ ...room, show, kept, grid, numbers, maskOf, assertShows, cellPoint, fovea: () => fovea, example: () => example });
  });
  before(async () => {
    const { load } = await import('../../dist/index.node.js');
    fovea = await load({ deterministic: true });
    ({ inputs: example } = JSON.parse(await readFile(`${root}tests/golden/seed/worked_example.json`, 'utf8')));
  });

  /** Goes to another state of the room without loading the page anew. */
  async function show(params) {
    const hash = new URLSearchParams({ lang: 'en', notation: 'rows', input: 'example', scale: '1', ...params });
    await page.evaluate((state) => {
      location.hash = `/self-attention?${state}`;
      // Two frames: the state is read, then drawn.
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }, hash.toString());
    await drawn(page);
  }

  const kept = (pattern) => textMatching(page, '[data-kept]', pattern);
  const numbers = async (id) =>
    (await table(page, id)).map((row) => row.map((cell) => Number(cell.replace('−', '-').replace('∞', 'Infinity'))));

  /** The grid of a shown pattern, as 1 and 0. */
  const grid = async () => (await table(page, 'pattern')).map((row) => row.map((cell) => Number(cell === 'kept')));

  /** Node's result for the worked example at scale 1. */
  function computed(pattern) {
    const { X, ...params } = example;
    const result = fovea.selfAttention(X, params, { scale: 1, pattern, returnWeights: 'dense' });
    const rows = ({ data, shape }) =>
      Array.from({ length: shape[0] }, (_, i) => [...data.slice(i * shape[1], (i + 1) * shape[1])]);
    return { weights: rows(result.weights), output: rows(result.output) };
  }

  function maskOf(pattern, size) {
    const { data } = pattern.toMask(fovea, { queries: size, keys: size, heads: 1 });
    return Array.from({ length: size }, (_, i) => [...data.slice(i * size, (i + 1) * size)]);
  }

  async function assertShows(pattern) {
    assert.deepEqual(await grid(), maskOf(pattern, 3));
    const { weights, output } = computed(pattern);
    const rounded = (rows) => rows.map((row) => row.map(Math.fround));
    assert.deepEqual(rounded(await numbers('weights')), weights);
    assert.deepEqual(rounded(await numbers('output')), output);
  }

  /** The middle of a cell of the worked example's grid, whose cells are 54 × 38 and end 7 and 3 before its edges. */
  async function cellPoint(row, col) {
    const surface = await page.$('[data-trace-stage=pattern] [data-matrix=pattern]');
    await surface.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    const { x, y, width, height } = await surface.boundingBox();
    return [x + width - 7 - 54 * (2.5 - col), y + height - 3 - 38 * (2.5 - row)];
  }
}

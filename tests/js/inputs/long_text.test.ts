/** A long text of the page is computed a few rows at a time: the weights of all pairs are never held. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'fovea';
import { project } from '../../../web/families/self_attention/long_text/embedding.ts';
import { rowsOf, MASK_NAMES } from '../../../web/families/self_attention/long_text/rows.ts';
import { TileRun } from '../../../web/families/self_attention/long_text/tiles.ts';

const WORDS = 2000;
const ALL_PAIRS = 4 * WORDS * WORDS;

test('2,000 words in tiles: the largest array is 16 rows, and wasm memory stays below all pairs', async () => {
  const tokens = Array.from({ length: WORDS }, (_, n) => `word${(n * 7919) % 997}`);
  for (const seen of MASK_NAMES) {
    const fovea = await load({ deterministic: true });
    const before = fovea.memory().total;
    const read = rowsOf(fovea, project(fovea, tokens, 'same'), seen);
    let largest = 0;
    const watched = (from: number, to: number): Float32Array => {
      const rows = read(from, to);
      largest = Math.max(largest, rows.buffer.byteLength);
      return rows;
    };
    const run = new TileRun(watched, WORDS, { row: 0, col: 0, span: WORDS }, 48);
    while (run.next() < 1);
    const { mean } = run.tiles();
    const total = Array.from(mean.data).reduce((sum, x) => sum + x, 0);
    assert.ok(total > 0, seen);
    assert.ok(largest <= 4 * 16 * WORDS, `${seen}: ${largest} bytes at once`);
    const grown = fovea.memory().total - before;
    assert.ok(grown < ALL_PAIRS / 2, `${seen}: wasm memory grew by ${grown} bytes, all pairs have ${ALL_PAIRS}`);
    fovea.dispose();
  }
});

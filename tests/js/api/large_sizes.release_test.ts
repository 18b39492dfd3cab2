/**
 * Calls whose sizes multiply beyond 2^31, 2^32 and 2^53: an error that names what is wrong, or the right answer, never a trap; the next
 * small call is right. Arrays are cheap to make: an axis of length 0 or 1, zeros.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AttentionError, toNested } from 'fovea';
import { kvCache } from 'fovea/cache';
import { favorProjection, linearAttention, linearState } from 'fovea/linear-attention';
import { conv1d, layerNorm, matmul, meanPool, rmsNorm, softmax } from 'fovea/ops';
import { pattern, type Pattern } from 'fovea/pattern';
import { learnedPositions, rotaryEmbedding, sinusoidalPositions } from 'fovea/position';
import { bias, multiDimensionalAttention } from 'fovea/score';
import { fails, fovea, near, works } from '../support/api.ts';

after(() => fovea.dispose());

const sizeOf = (shape: readonly number[]): number => shape.reduce((product, length) => product * length, 1);
const zeros = (...shape: number[]) => ({ data: new Float32Array(sizeOf(shape)), shape });

const refused = (call: () => unknown): void => fails('memory', /\d+ bytes/, call);

test('the partial sums of a few queries follow neither the rows nor the keys', () => {
  // 512 · 8 rows, 2048 chunks of keys and 145 floats for each: 1.2e9 floats, if all were kept.
  const keys = 2 ** 21;
  const values = { data: Float32Array.from({ length: keys }, (_, j) => j % 97), shape: [1, 1, keys, 1] };
  const { output } = fovea.attention(zeros(512, 1, 8, 1), zeros(1, 1, keys, 1), values, {
    window: [0, 0],
    relativeValues: { table: { data: new Float32Array(129).fill(0.5), shape: [129, 1] }, clip: 64 },
  });
  output.data.forEach((x, n) => assert.equal(x, (n % 8) + 0.5));
  works();
});

test('a workspace beyond 2^32 bytes is a memory error that names them', () => {
  const wide = zeros(1, 3.4e6);
  const near2 = pattern.window(1, 1);
  refused(() => fovea.attention(zeros(1, 1), zeros(1, 1), wide, { pattern: near2 }));
  refused(() => fovea.attention(wide, wide, zeros(1, 1), { pattern: near2 }));
  refused(() => fovea.attention(zeros(64, 1), zeros(1, 1), zeros(1, 14.3e6)));
  const clip = 2.1e6;
  const table = zeros(2 * clip + 1, 1);
  refused(() => fovea.attention(zeros(300, 1), zeros(1, 1), zeros(1, 1), { relativeKeys: { table, clip } }));
  const buckets = bias.t5(zeros(32, 1), { maxDistance: 2 ** 29 });
  refused(() => fovea.attention(zeros(1, 1), zeros(1, 1), zeros(1, 1), { bias: buckets, causalOffset: 2 ** 29 }));
  refused(() => linearAttention(fovea, zeros(1, 12000), zeros(1, 12000), zeros(1, 1), { featureMap: 'taylor' }));
  const projection = zeros(2 ** 23, 1);
  refused(() => linearAttention(fovea, zeros(9, 1), zeros(9, 1), zeros(9, 1), { featureMap: 'favor+', projection }));
  refused(() => favorProjection(fovea, { width: 32768, features: 1 }));
  refused(() => conv1d(fovea, zeros(1, 2, 4.2e6), zeros(1, 2, 4.2e6)));
});

test('the state of a pattern of several passes is a memory error that names its bytes', () => {
  const rows = 2 ** 20;
  const relativeValues = { table: zeros(4097, 1), clip: 2048 };
  const passes = pattern.atrous(3).or(pattern.atrous(2));
  refused(() => fovea.attention(zeros(rows, 1), zeros(64, 1), zeros(64, 1), { pattern: passes, relativeValues }));
});

test('patterns over many keys are right, or a memory error', () => {
  // Memory follows the intervals that a row of the pattern can have, not the keys.
  const kept = (one: Pattern, keys: number): number => Math.round(one.density(fovea, { queries: 1, keys }) * keys);
  const { total } = fovea.memory();
  for (const keys of [60e6, 115e6, 180e6, 2 ** 29]) {
    assert.equal(kept(pattern.all(), keys), keys);
    assert.equal(kept(pattern.random({ perQuery: 1000 }), keys), 1000);
    assert.equal(
      kept(
        pattern
          .window(3, 3)
          .or(pattern.globalTokens([7, 9]))
          .not()
          .and(pattern.atrous(1e6)),
        keys,
      ),
      Math.ceil(keys / 1e6) - 1,
    );
  }
  let nots = pattern.causal();
  for (let n = 0; n < 63; n++) nots = nots.not();
  assert.equal(kept(nots, 8.2e6), 8.2e6 - 1);
  assert.ok(fovea.memory().total - total < 2 ** 20);
  refused(() => pattern.atrous(2).density(fovea, { queries: 1, keys: 2 ** 29 }));
  works();
});

test('results without an element are had at once, whatever the other axes are', () => {
  const many = 2 ** 27;
  const { output } = fovea.attention(zeros(many, 1, 0, 1), zeros(many, 1, 0, 1), zeros(many, 1, 0, 1));
  assert.deepEqual(output.shape, [many, 1, 0, 1]);
  const empty = { data: new Float32Array(0), shape: [many, 0] };
  assert.deepEqual(fovea.attention(zeros(3, 1), zeros(2, 1), zeros(2, 0)).output.shape, [3, 0]);
  assert.deepEqual(softmax(fovea, empty).shape, [many, 0]);
  works();
});

test('every function takes sizes whose products pass 2^31, 2^32 and 2^53', () => {
  for (const length of [2 ** 16, 2 ** 24, 2 ** 31 - 1]) {
    const none = (...shape: number[]) => ({ data: new Float32Array(0), shape });
    const calls: (() => unknown)[] = [
      () => fovea.attention(none(0, 1, length, length), none(0, 1, length, length), none(0, 1, length, length)),
      () => fovea.attention(none(length, 0), none(length, 0), none(length, 0)),
      () => fovea.attention(none(0, length), none(length, 0), none(length, 0)),
      () => fovea.attention(none(0, length), none(0, length), none(0, length), { returnWeights: true, returnLse: true }),
      () => fovea.selfAttention(none(0, length), { Wq: none(length, 0), Wk: none(length, 0), Wv: none(length, 0) }),
      () =>
        fovea.multiHeadAttention(
          none(0, length),
          none(0, length),
          none(0, length),
          { Wq: none(length, 0), Wk: none(length, 0), Wv: none(length, 0) },
          { heads: length },
        ),
      () => fovea.combine([{ output: none(0, length, length, length), lse: none(0, length, length) }]),
      () =>
        multiDimensionalAttention(fovea, none(0, length), none(0, length), none(0, length), {
          Wq: none(length, 0),
          Wk: none(length, 0),
        }),
      () => linearAttention(fovea, none(0, length), none(0, length), none(0, length)),
      () => linearAttention(fovea, none(0, length), none(0, length), none(0, length), { featureMap: 'taylor' }),
      () => linearState(fovea, { kvHeads: length, width: length, valueWidth: length }),
      () => favorProjection(fovea, { width: 2 ** 16, features: length }),
      () => softmax(fovea, none(0, length, length), { axis: 1 }),
      () => matmul(fovea, none(length, 0), none(0, length)),
      () => layerNorm(fovea, none(0, length, length), { axis: 1 }),
      () => conv1d(fovea, none(0, length, length), none(0, length, 1)),
      () => meanPool(fovea, none(0, length, length), { kernel: 2 }),
      () => rotaryEmbedding(fovea, none(0, length, length)),
      () => learnedPositions(fovea, none(0, length), { tokens: length }),
      () => sinusoidalPositions(fovea, { tokens: length, width: length }),
      () => pattern.window(length, length).density(fovea, { queries: 1, keys: 2 ** 29, heads: 2 ** 20, batch: 2 ** 20 }),
      () => pattern.axial({ size: [length, length], axis: 0 } as never),
      () => kvCache(fovea, { batch: 2 ** 20, kvHeads: 2 ** 20, width: 2 ** 20, capacity: length }),
    ];
    for (const call of calls) {
      const before = performance.now();
      try {
        const result = call() as { dispose?: () => void } | undefined;
        result?.dispose?.();
      } catch (error) {
        assert.ok(error instanceof AttentionError, `${String(call)}: ${String(error)}`);
        assert.ok(
          ['memory', 'shape', 'value', 'option'].includes(error.code),
          `${String(call)}: ${error.code}: ${error.message}`,
        );
      }
      assert.ok(performance.now() - before < 5000, `${String(call)} of ${length} took long`);
      works();
    }
  }
});

test('normalization along an axis that is followed by axes of length 1 alone', () => {
  const x = [
    [[1], [2], [3]],
    [[10], [30], [20]],
  ];
  const row = Math.sqrt(1.5);
  near(layerNorm(fovea, x, { axis: 1, eps: 0 }), [
    [[-row], [0], [row]],
    [[-row], [row], [0]],
  ]);
  const rms = (line: number[]) => line.map((one) => [one / Math.sqrt(line.reduce((sum, n) => sum + n * n, 0) / line.length)]);
  near(rmsNorm(fovea, x, { axis: 1, eps: 0 }), [rms([1, 2, 3]), rms([10, 30, 20])]);
});

test('an infinite query with relative keys has the score of the sum of key and row', () => {
  const { logits } = fovea.attention([[Infinity]], [[1], [-3]], [[1], [1]], {
    relativeKeys: { table: [[0], [-2], [2]], clip: 1 },
    returnLogits: 'raw',
  });
  assert.deepEqual(toNested(logits!), [[-Infinity, -Infinity]]);
});

/** Shapes of a few bytes that name huge sizes: an empty result at once, or an error, never a hang or an end of the process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ops from 'fovea/ops';
import { AttentionError, type ArrayInput } from 'fovea';
import { pattern } from 'fovea/pattern';
import { bias } from 'fovea/score';
import { fails, fovea, near, works } from '../support/api.ts';

const W = [[1]];
const one = [[[[1]]]];

function empty(...shape: number[]): { data: Float32Array; shape: number[] } {
  return { data: new Float32Array(0), shape };
}

/** Asserts that `call` gives a result of this shape, holds no memory, and leaves the instance as it was. */
function gives(shape: readonly number[], call: () => { output: { shape: number[] } }): void {
  const before = fovea.memory().live;
  assert.deepEqual(call().output.shape, shape);
  assert.equal(fovea.memory().live, before);
  works();
}

const sizes = [2 ** 31, 2 ** 40, 2 ** 53 - 1];

for (const n of sizes) {
  test(`${n} batch entries or heads without a pair are an empty result`, { timeout: 20_000 }, () => {
    const x = empty(n, 1, 0, 1);
    const h = empty(1, n, 0, 1);
    gives(x.shape, () => fovea.attention(x, x, x, { causal: true, causalAlign: 'bottom-right' }));
    gives(x.shape, () => fovea.attention(x, x, x, { causalOffset: 3 }));
    gives(h.shape, () => fovea.attention(h, h, h, { bias: bias.alibi() }));
    gives(h.shape, () => fovea.attention(h, h, h, { bias: bias.distance(1), sinks: 1 }));
    gives(x.shape, () => fovea.attention(x, x, x, { pattern: pattern.fromFunction((i, j) => i === j), causalOffset: 1 }));
    gives(x.shape, () =>
      fovea.attention(x, x, x, {
        pattern: pattern.causal(),
        returnWeights: true,
        returnLse: true,
        returnLogits: 'raw',
        trace: true,
      }),
    );
    const params = { Wq: W, Wk: W, Wv: W, Wo: W };
    gives([n, 0, 1], () =>
      fovea.selfAttention(empty(n, 0, 1), params, { causalAlign: 'bottom-right', sinks: 1, bias: bias.alibi() }),
    );
    gives([1, n, 0, 4], () => fovea.combine([{ output: empty(1, n, 0, 4), lse: empty(1, n, 0) }], { sinks: 2 }));
  });

  test(`${n} results are a memory error that names the bytes`, { timeout: 20_000 }, () => {
    const k = empty(n, 1, 0, 1);
    for (const options of [{}, { causalAlign: 'bottom-right' }, { sinks: 1, bias: bias.alibi() }] as const)
      fails('memory', /^attention: needs \d+ bytes/, () => fovea.attention(one, k, k, options));
    fails('memory', /bytes/, () => fovea.attention(one, k, k, { pattern: pattern.causal(), returnWeights: true }));
    fails('memory', /bytes/, () => ops.matmul(fovea, empty(n, 1, 0), empty(0, 4)));
  });
}

test('masks of empty pairs beside huge axes are a shape error, or are never asked', () => {
  const mask = empty(2 ** 29, 2 ** 29, 0, 0);
  fails('shape', /mask must broadcast/, () => fovea.attention([[1]], [[1]], [[1]], { mask }));
  const x = empty(2 ** 29, 2 ** 29, 0, 1);
  gives(x.shape, () => fovea.attention(x, x, x, { mask }));
  for (const shape of [
    [2 ** 29, 0],
    [2 ** 29, 2 ** 29, 0, 0],
  ])
    assert.equal(typeof pattern.fromMask({ data: new Uint8Array(0), shape }).describe(), 'string');
});

test('a pattern of a function far from the first position is a memory error, or asks about its own rows alone', () => {
  const everywhere = pattern.fromFunction(() => true);
  const call = (causalOffset: number): unknown => fovea.attention([[1]], [[1]], [[7]], { pattern: everywhere, causalOffset });
  fails('memory', /the pattern would hold \d+ bytes for its positions/, () => call(2 ** 29));
  near((call(2 ** 20) as { output: never }).output, [7]);
});

test('patterns from JSON that are too deep or too wide', () => {
  let deep: unknown[] = ['all'];
  for (let n = 0; n < 100_000; n++) deep = ['not', deep];
  fails('value', /patterns are at most 64 levels deep/, () => pattern.from(deep));
  assert.ok(pattern.from(['or', ...new Array<unknown>(200_000).fill(['all'])]));
  assert.ok(pattern.from(['window', 1, ...new Array<unknown>(200_000).fill(1)]));
});

test('an empty list is no tokens: of the width of what it meets, or an error that says what to pass', () => {
  const k = [
    [1, 2],
    [3, 4],
  ];
  gives([0, 2], () => fovea.attention([], k, k));
  gives([1, 3], () => fovea.attention([[1, 2]], [], empty(0, 3)));
  gives([0, W[0]!.length], () => fovea.selfAttention([], { Wq: W, Wk: W, Wv: W }));
  gives([0, W[0]!.length], () => fovea.multiHeadAttention([], W, W, { Wq: W, Wk: W, Wv: W }, { heads: 1 }));
  gives([W.length, W[0]!.length], () => fovea.multiHeadAttention(W, [], [], { Wq: W, Wk: W, Wv: W }, { heads: 1 }));
  for (const call of [() => fovea.attention([], [], []), () => fovea.attention([[1, 2]], [], [])])
    fails('shape', /an empty list has no width: pass \{ data: \[\], shape: \[0, width\] \}$/, call);
});

test('a Tensor of an empty shape with huge axes can be read, reshaped and copied', () => {
  const x = fovea.tensor(empty(2 ** 40, 0, 2 ** 40) as ArrayInput);
  assert.equal(x.toArray().data.length, 0);
  assert.deepEqual(x.slice(0, 1).reshape([0]).shape, [0]);
  x.clone().dispose();
  x.dispose();
  assert.throws(() => fovea.tensor(empty(2 ** 40, 2 ** 40)), AttentionError);
});

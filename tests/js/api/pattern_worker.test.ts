/** Patterns in calls to a worker: the bits of the plain call, whatever kind the pattern is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from 'fovea/worker';
import { pattern as P, type Pattern } from 'fovea/pattern';
import type { AttentionOptions } from 'fovea';
import { fovea, numbers, same } from '../support/api.ts';
import { leavesNothingRemotely, rejects, remote, worksRemotely } from '../support/remote.ts';

const [B, H, Tq, Tk] = [2, 4, 150, 180];
const q = numbers([B, H, Tq, 8], 1);
const k = numbers([B, 2, Tk, 8], 2);
const v = numbers([B, 2, Tk, 8], 3);
const mask = { data: Uint8Array.from(numbers([H, Tq, Tk], 4).data, (x) => Number(x > 0)), shape: [H, Tq, Tk] };

const patterns: Record<string, Pattern> = {
  'a composition': P.window(9, 9).or(P.atrous(16), P.globalTokens([3])),
  'one drawn at random': P.bigBird({ block: 8 }),
  'a grid': P.axial({ shape: [12, 15], axis: 1 }),
  'edges with a bias': P.graph({ edges: [0, 0, 1, 2, 149, 179], bias: [1, 2, 3] }),
  'one for each head': P.perHead([P.causal(), P.block(7), P.all(), P.local(2)]),
  'a mask': P.fromMask(mask),
  'a function': P.fromFunction((i, j) => (i + j) % 3 === 0),
  'a function of heads and batch entries': P.fromFunction((i, j, h, b) => (i + j + h + 2 * b) % 5 === 0).or(P.causal().not()),
  'bound LSH': P.lsh({ buckets: 8, rounds: 2 }).bind(fovea, numbers([Tq, 4], 5), numbers([Tk, 4], 6)),
};

for (const [name, pattern] of Object.entries(patterns)) {
  test(`${name}: output, sparse weights, logits and trace have the bits of the plain call`, async () => {
    const options = { pattern, returnWeights: true, returnLse: true, returnLogits: 'biased', trace: { rows: [3, 5] } } as const;
    const want = fovea.attention(q, k, v, options);
    const got = await leavesNothingRemotely(() => remote.attention(q, k, v, options));
    assert.deepEqual(got, want);
    assert.deepEqual(await remote.attention(q, k, v, options), want);
  });
}

test('functions are asked about the positions and heads of every layout', async () => {
  const f = P.fromFunction((i, j, h, b) => (i * 3 + j * 5 + h * 2 + b) % 4 < 2);
  const shapes: [number[], number[], AttentionOptions][] = [
    [[20, 4], [30, 4], {}],
    [[3, 20, 4], [3, 30, 4], { causalOffset: 4 }],
    [[2, 3, 20, 4], [1, 3, 30, 4], { causalOffset: [1, 7] }],
    [[1, 3, 20, 4], [1, 3, 30, 4], { causalAlign: 'bottom-right', keyLengths: [25] }],
    [[2, 20, 3, 4], [2, 30, 3, 4], { layout: 'bthd' }],
    [[20, 3, 4], [30, 3, 4], { layout: 'bthd' }],
    [[2, 20, 4], [2, 30, 4], { layout: 'btd', causalAlign: 'bottom-right' }],
    [[2, 20, 12], [2, 30, 12], { heads: 3 }],
    [[20, 12], [30, 12], { heads: 3 }],
    [[3, 0, 4], [3, 30, 4], {}],
  ];
  for (const [shape, keyShape, more] of shapes) {
    const [x, y] = [numbers(shape, 1), numbers(keyShape, 2)];
    const options = { ...more, pattern: f };
    same((await remote.attention(x, y, y, options)).output.data, fovea.attention(x, y, y, options).output.data);
  }
  const x = numbers([2, 20, 6]);
  const params = { Wq: numbers([6, 6], 1), Wk: numbers([6, 6], 2), Wv: numbers([6, 6], 3) };
  const own = { pattern: f, heads: 3 };
  same((await remote.selfAttention(x, params, own)).output.data, fovea.selfAttention(x, params, own).output.data);
  const y = numbers([2, 25, 6], 2);
  same(
    (await remote.multiHeadAttention(x, y, y, params, own)).output.data,
    fovea.multiHeadAttention(x, y, y, params, own).output.data,
  );
  const far = await remote.tensor(numbers([3, 20, 4], 1));
  const kept = (await remote.attention(far, far, far, { pattern: f })).output;
  same(
    (await kept.toArray()).data,
    fovea.attention(numbers([3, 20, 4], 1), numbers([3, 20, 4], 1), numbers([3, 20, 4], 1), { pattern: f }).output.data,
  );
  kept.dispose();
  far.dispose();
});

test('what is refused there is refused here, and the worker works on', async () => {
  await rejects(
    'shape',
    /^attention: pattern\.axial is made for 12 keys, got 180$/,
    remote.attention(q, k, v, { pattern: P.axial({ shape: [3, 4], axis: 0 }) }),
  );
  await rejects('value', /^attention: pattern must be a Pattern/, remote.attention(q, k, v, { pattern: {} as never }));
  await rejects(
    'value',
    /^attention: pattern\.lsh must be bound/,
    remote.attention(q, k, v, { pattern: P.lsh({ buckets: 2 }) }),
  );
  await rejects(
    'value',
    /^attention: pattern\.fromFunction needs positions from 0 on, got -1$/,
    remote.attention(q, k, v, { pattern: P.fromFunction((i, j) => i > j), causalOffset: -1 }),
  );
  await rejects(
    'shape',
    /^attention: k must be/,
    remote.attention(q, [1] as never, v, { pattern: P.fromFunction((i, j) => i > j) }),
  );
  await rejects(
    'option',
    /^attention: out\.weights takes dense weights/,
    remote.attention(q, k, v, { pattern: P.causal(), returnWeights: true, out: { weights: numbers([B, H, Tq, Tk]) } }),
  );
  await worksRemotely();
});

test('patterns of the same pairs keep their own demands on a call', async () => {
  const x = numbers([2, 4]);
  const lists = P.graph({ indptr: [0, 1], indices: [0] });
  const edges = P.graph({ edges: [[0, 0]] });
  await rejects(
    'shape',
    /pattern\.graph is made for positions 0 to 0, got 0 to 1$/,
    remote.attention(x, x, x, { pattern: lists }),
  );
  same(
    (await remote.attention(x, x, x, { pattern: edges })).output.data,
    fovea.attention(x, x, x, { pattern: edges }).output.data,
  );
  await rejects('shape', /pattern\.graph is made for positions/, remote.attention(x, x, x, { pattern: lists }));
});

test('progress rises to the end, and an abort is heard between units', async () => {
  const own = await connect({ variant: fovea.info.variant, sliceTime: 0 });
  const x = numbers([8, 1000, 16]);
  const told: number[] = [];
  const pattern = P.window(60, 60).or(P.atrous(10));
  await own.attention(x, x, x, { pattern, onProgress: ({ done, total }) => void told.push(done / total) });
  assert.ok(told.length > 3 && told.at(-1) === 1, `told ${told.length} times`);
  assert.ok(told.every((share, n) => n === 0 || share >= told[n - 1]!));
  const stop = new AbortController();
  const { live } = await own.memory();
  const call = own.attention(x, x, x, { pattern, returnWeights: true, signal: stop.signal, onProgress: () => stop.abort() });
  await assert.rejects(call, { name: 'AbortError' });
  assert.equal((await own.memory()).live, live);
  await worksRemotely(own);
  own.terminate();
});

/** Scores and biases in calls to a worker: it makes them anew of what their builders were given. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bias, score, type Bias, type Score } from 'fovea/score';
import { fovea, numbers, same } from '../support/api.ts';
import { leavesNothingRemotely, rejects, remote, worksRemotely } from '../support/remote.ts';

const [H, Tq, Tk, D] = [2, 70, 9, 4];
const q = numbers([H, Tq, D], 1);
const k = numbers([H, Tk, D], 2);
const v = numbers([H, Tk, 3], 3);

const scores: Record<string, Score> = {
  dot: score.dot(),
  scaledDot: score.scaledDot(),
  cosine: score.cosine(),
  bilinear: score.bilinear(numbers([H, D, D], 4)),
  'bilinear, [out, in]': score.bilinear(numbers([D, D], 4), { weightLayout: 'outIn' }),
  additive: score.additive({ Wq: numbers([D, 5], 4), Wk: numbers([D, 5], 5), w: numbers([5], 6), bias: numbers([5], 7) }),
  'additive, LeakyReLU of projected keys': score.additive(
    { Wq: numbers([D, D], 4), w: numbers([D], 6) },
    { activation: 'leakyRelu', slope: 0.1, keys: 'projected' },
  ),
  concat: score.concat({ W: numbers([2 * D, 5], 4), w: numbers([5], 6) }, { activation: 'relu' }),
  pairSum: score.pairSum({ wq: numbers([D], 4), wk: numbers([D], 5) }, { activation: 'tanh' }),
  location: score.location(numbers([Tk, D], 4)),
};

for (const [name, one] of Object.entries(scores))
  test(`a worker's call with the score ${name} has the bits of this thread's, in slices and with a trace`, async () => {
    const options = { score: one, returnWeights: true, trace: { rows: [0, 2] } } as const;
    const got = await leavesNothingRemotely(() => remote.attention(q, k, v, options));
    assert.deepEqual(got, fovea.attention(q, k, v, options));
  });

const table = numbers([H, 5], 4);
const biases: Record<string, Bias | Bias[]> = {
  alibi: [bias.alibi(), bias.alibi([1, 2])],
  distance: bias.distance(0.5),
  relative: bias.relative(table, 2),
  t5: bias.t5(numbers([8, H], 5), { maxDistance: 8, bidirectional: false }),
  gaussian: bias.gaussian(numbers([H, Tq], 6), 3),
  direction: bias.direction('backward'),
  fromFunction: bias.fromFunction((i, j, h) => (i - j) / (h + 2)),
};

for (const [name, one] of Object.entries(biases))
  test(`a worker's call with bias.${name} has the bits of this thread's`, async () => {
    const options = { bias: one, returnWeights: true, causalOffset: 1 } as const;
    assert.deepEqual(await remote.attention(q, k, v, options), fovea.attention(q, k, v, options));
  });

test('a Score and a Bias keep their arrays where transfer moves the others', async () => {
  const options = { score: scores['bilinear']!, bias: biases['relative'] as Bias };
  const want = fovea.attention(q, k, v, options).output.data;
  for (let n = 0; n < 2; n++) {
    const [a, b, c] = [numbers([H, Tq, D], 1), numbers([H, Tk, D], 2), numbers([H, Tk, 3], 3)];
    same((await remote.attention(a, b, c, { ...options, transfer: true })).output.data, want);
    assert.equal(a.data.length, 0);
  }
  assert.equal(table.data.length, 5 * H);
});

test('one Bias in two places is sent once, and a RemoteTensor may be its table', async () => {
  const remoteTable = await remote.tensor(table);
  const same2 = bias.alibi([1, 2]);
  const options = { bias: [same2, bias.relative(remoteTable as never, 2), same2] };
  const want = fovea.attention(q, k, v, { bias: [same2, bias.relative(table, 2), same2] });
  assert.deepEqual(await remote.attention(q, k, v, options), want);
  remoteTable.dispose();
});

test('what does not fit is refused by the worker with the words of the plain call', async () => {
  await rejects(
    'shape',
    /bias\.alibi must have one number per query head, 2, got 3/,
    remote.attention(q, k, v, { bias: bias.alibi([1, 2, 3]) }),
  );
  await rejects('shape', /score\.W must be/, remote.attention(q, k, v, { score: score.bilinear(numbers([3, 3])) }));
  await rejects(
    'option',
    /bias must be what fovea\/score makes/,
    remote.attention(q, k, v, { bias: { alibi: 'default' } as never }),
  );
  await worksRemotely();
});

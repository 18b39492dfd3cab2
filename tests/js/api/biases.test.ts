/** The option `bias`: each kind against its definition as a mask, together, in parts of a call, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pattern } from 'fovea/pattern';
import { bias as build, type Bias } from 'fovea/score';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

const [B, H, Tq, Tk, D] = [2, 3, 5, 9, 4];
const q = numbers([B, H, Tq, D], 1);
const k = numbers([B, H, Tk, D], 2);
const v = numbers([B, H, Tk, D], 3);
const offsets = [2, -1];
const bad = (options: object) => () => fovea.attention(q, k, v, options);

type Rule = (distance: number, h: number, b: number, i: number, j: number) => number;

/** A bias as a mask, for positions i + offsets[b]. */
function maskOf(rule: Rule): { data: Float32Array; shape: number[] } {
  const data = new Float32Array(B * H * Tq * Tk);
  for (let at = 0; at < data.length; at++) {
    const [j, i, h, b] = [at % Tk, Math.floor(at / Tk) % Tq, Math.floor(at / Tk / Tq) % H, Math.floor(at / Tk / Tq / H)];
    data[at] = rule(j - i - offsets[b]!, h, b, i, j);
  }
  return { data, shape: [B, H, Tq, Tk] };
}

const clipped = (distance: number, clip: number) => Math.max(-clip, Math.min(clip, distance)) + clip;
const shared = numbers([5], 4);
const perHead = numbers([H, 5], 5);
const buckets = numbers([8, H], 6);
const centers = numbers([B, 1, Tq], 7);
const sigmas = { data: [1, 2, 0.5], shape: [H, 1] };
/** T5's bucket with 8 buckets and maxDistance 8: each way 0, 1, then one for 2 and 3, then one for all others. */
function bucket(distance: number): number {
  const far = Math.abs(distance);
  return (distance > 0 ? 4 : 0) + (far < 2 ? far : far < 4 ? 2 : 3);
}

const kinds: [name: string, bias: Bias | Bias[], rule: Rule][] = [
  ['alibi', build.alibi([0.5, 0.25, 1]), (d, h) => -[0.5, 0.25, 1][h]! * Math.abs(d)],
  ['distance', build.distance(0.3), (d) => -0.3 * Math.abs(d)],
  ['distance of each head', build.distance([0.1, 0.2, 0.3]), (d, h) => -[0.1, 0.2, 0.3][h]! * Math.abs(d)],
  ['alibi and distance', [build.alibi([1, 2, 3]), build.distance(0.5)], (d, h) => -(h + 1.5) * Math.abs(d)],
  ['relative', build.relative(shared, 2), (d) => shared.data[clipped(d, 2)]!],
  ['relative of each head', build.relative(perHead, 2), (d, h) => perHead.data[h * 5 + clipped(d, 2)]!],
  ['t5', build.t5(buckets, { maxDistance: 8 }), (d, h) => buckets.data[bucket(d) * H + h]!],
  ['gaussian', build.gaussian(3.5, 2), (_, _h, _b, _i, j) => -((j - 3.5) ** 2) / 8],
  [
    'gaussian of arrays',
    build.gaussian(centers, sigmas),
    (_, h, b, i, j) => -((j - centers.data[b * Tq + i]!) ** 2) / (2 * sigmas.data[h]! ** 2),
  ],
  ['forward', build.direction('forward'), (d) => (d < 0 ? 0 : -Infinity)],
  ['backward', build.direction('backward'), (d) => (d > 0 ? 0 : -Infinity)],
  [
    'all kinds',
    [build.alibi([1, 1, 1]), build.distance(1), build.relative(shared, 2), build.gaussian(1, 4), build.direction('forward')],
    (d, _h, _b, _i, j) => (d < 0 ? -2 * Math.abs(d) + shared.data[clipped(d, 2)]! - (j - 1) ** 2 / 32 : -Infinity),
  ],
];

for (const [name, bias, rule] of kinds) {
  test(`${name}: what the same mask gives, without and with a pattern, and its trace`, () => {
    const options = { causalOffset: offsets, returnLse: true, returnLogits: 'biased' } as const;
    const want = fovea.attention(q, k, v, { ...options, mask: maskOf(rule), returnWeights: true });
    const got = leavesNothing(() => fovea.attention(q, k, v, { ...options, bias, returnWeights: true, trace: true }));
    const sparse = fovea.attention(q, k, v, { ...options, bias, pattern: pattern.all(), returnWeights: 'dense' });
    for (const result of [got, sparse]) {
      near(result.output, [...want.output.data], 2e-6);
      near(result.weights, [...want.weights!.data], 2e-6);
      near(result.lse, [...want.lse!.data], 2e-6);
      // A Gaussian far away is in the hundreds.
      near(result.logits, [...want.logits!.data], 5e-5);
    }
    const stages = got.trace!;
    assert.deepEqual(
      stages.map((stage) => stage.name),
      ['query', 'key', 'value', 'scores', 'scaled', 'masked', 'weights', 'output'],
    );
    same(stages[5]!.data, got.logits!.data);
    same(stages[6]!.data, got.weights!.data);
    // The part of one head and some rows sees its own part of every table.
    const part = fovea.attention(q, k, v, { causalOffset: offsets, bias, trace: { batch: 1, head: 2, rows: [1, 4] } }).trace!;
    const first = (1 * H + 2) * Tq + 1;
    same(part[5]!.data, got.logits!.data.slice(first * Tk, (first + 3) * Tk));
    same(part[6]!.data, got.weights!.data.slice(first * Tk, (first + 3) * Tk));
  });
}

test('sparse weights of a direction are those of the keys on its side', () => {
  const { weights } = fovea.attention(q, k, v, {
    causalOffset: offsets,
    bias: build.direction('forward'),
    returnWeights: 'sparse',
  });
  const dense = fovea.attention(q, k, v, { causalOffset: offsets, bias: build.direction('forward'), returnWeights: true });
  assert.deepEqual(
    [...weights!.values],
    [...dense.weights!.data].filter((w) => w > 0),
  );
  assert.deepEqual([...weights!.indptr.slice(0, 6)], [0, 2, 5, 9, 14, 20]);
});

test("T5's buckets of 32 and 128, both ways, are those of its authors' function", () => {
  // From which distance on each bucket is reached: 8·16^(k/8), and 16·8^(k/16), rounded up.
  const twoWays = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91];
  const oneWay = [...Array(17).keys(), 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113];
  const bucketIn = (starts: number[], d: number) => starts.filter((start) => start <= d).length - 1;
  const table = { data: Float32Array.from({ length: 32 }, (_, n) => n), shape: [32, 1] };
  const keys = numbers([601, 1], 1);
  const biasOf = (bidirectional: boolean) =>
    fovea.attention([[1]], keys, keys, {
      scale: 0,
      causalOffset: 300,
      bias: build.t5(table, { bidirectional }),
      returnLogits: 'biased',
    }).logits!.data;
  const [both, one] = [biasOf(true), biasOf(false)];
  for (let j = 0; j <= 600; j++) {
    const d = j - 300;
    assert.equal(both[j], bucketIn(twoWays, Math.abs(d)) + (d > 0 ? 16 : 0), `both ways, distance ${d}`);
    assert.equal(one[j], bucketIn(oneWay, Math.max(0, -d)), `one way, distance ${d}`);
  }
});

test('no bias and no direction applies to appended keys', () => {
  const x = numbers([1, 6, 4], 8);
  const weight = (seed: number) => numbers([4, 4], seed);
  const params = { Wq: weight(1), Wk: weight(2), Wv: weight(3), Wo: weight(4) };
  const { weights } = fovea.multiHeadAttention(x, x, x, params, {
    heads: 2,
    addZeroAttention: true,
    bias: [build.distance(100), build.direction('backward')],
    returnWeights: true,
  });
  for (let row = 0; row < 12; row++) {
    const own = weights!.data.slice(row * 7, row * 7 + 7);
    own.forEach((w, j) => assert.equal(w > 0 && j < 6, j === (row % 6) + 1 && j < 6 && w > 0, `row ${row}, key ${j}`));
    assert.ok(own[6]! > 0.99, 'the appended key is at no distance');
  }
  const t5 = build.t5(numbers([8, 2], 6), { maxDistance: 8 });
  for (const bias of [build.relative(shared, 2), build.gaussian(0, 1), t5, build.distance(3)]) {
    // A zero key and value do to the output what a sink of 0 does.
    const [own, appended] = [{ sinks: 0 }, { addZeroAttention: true }].map((more) =>
      fovea.multiHeadAttention(x, x, x, params, { heads: 2, bias, ...more }),
    );
    near(appended!.output, [...own!.output.data], 1e-6);
  }
});

test('tables may be Tensors, also views of them, and out must not overlap them', () => {
  const rule = kinds[5]![2];
  fovea.scope(() => {
    const wide = fovea.tensor({
      data: Float32Array.from({ length: H * 7 }, (_, n) => perHead.data[Math.floor(n / 7) * 5 + (n % 7) - 1] ?? 9),
      shape: [H, 7],
    });
    const bias = build.relative(wide.slice(1, 1, 6), 2);
    const want = fovea.attention(q, k, v, { causalOffset: offsets, mask: maskOf(rule) });
    near(fovea.attention(q, k, v, { causalOffset: offsets, bias }).output, [...want.output.data], 2e-6);
    const large = fovea.tensor(numbers([B * H * Tq * D + 5], 9));
    const taken = build.relative(large.slice(0, 0, 5), 2);
    const output = large.slice(0, 0, B * H * Tq * D).reshape([B, H, Tq, D]);
    const tensor = fovea.tensor(q);
    fails('value', /overlap/, () => fovea.attention(tensor, k, v, { bias: taken, out: { output } }));
  });
});

test('what a bias must be is said', () => {
  type Given = Record<string, unknown>;
  const relative = ({ table, clip }: Given) => bad({ bias: build.relative(table as never, clip as never) });
  const t5 = ({ table, ...options }: Given) => bad({ bias: build.t5(table as never, options) });
  const gaussian = ({ center, sigma }: Given) => bad({ bias: build.gaussian(center as never, sigma as never) });
  const made = /^attention: bias must be what fovea\/score makes by bias\.alibi, .* got /;
  for (const given of [
    { alibi: 'default' },
    { alibi: 'default', distance: 1 },
    {},
    null,
    'alibi',
    build.alibi,
    pattern.all(),
  ]) {
    fails('option', made, bad({ bias: given }));
    fails('option', made, bad({ bias: [build.alibi(), given] }));
  }
  fails('option', /got an object$/, bad({ bias: { alibi: 'default' } }));
  fails('option', /got 3$/, bad({ bias: [3] }));
  const twice = [build.distance(1), build.distance(1)];
  fails('option', /bias\.distance must be given once, got it twice/, bad({ bias: twice }));
  fails(
    'option',
    /bias\.direction must be given once/,
    bad({ bias: [build.direction('forward'), build.direction('backward')] }),
  );
  fails('value', /bias\.distance must be a finite number/, bad({ bias: build.distance(NaN) }));
  fails('shape', /bias\.distance must have one number per query head, 3, got 2/, bad({ bias: build.distance([1, 2]) }));
  fails(
    'option',
    /bias\.direction must be 'forward' or 'backward', got 'forwards'; did you mean 'forward'/,
    bad({ bias: build.direction('forwards' as never) }),
  );
  fails(
    'option',
    /bias\.direction must be 'forward' or 'backward', got null/,
    bad({ bias: build.direction(undefined as never) }),
  );

  fails('value', /bias\.relative\.clip must be an integer of at least 0, got undefined/, relative({ table: shared }));
  fails('value', /bias\.relative\.clip must be an integer/, relative({ table: shared, clip: 1.5 }));
  fails(
    'shape',
    /bias\.relative\.table must be \[2·clip \+ 1\] = \[7\], or \[H, 2·clip \+ 1\] = \[3, 7\], got \[5\]/,
    relative({ table: shared, clip: 3 }),
  );
  fails('shape', /bias\.relative\.table must be/, relative({ table: numbers([2, 5], 1), clip: 2 }));
  fails(
    'value',
    /bias\.relative\.table must hold finite numbers \(in float32\), got -Infinity at index 1/,
    relative({ table: [0, -Infinity, 0], clip: 1 }),
  );
  fails('value', /must hold finite numbers/, relative({ table: { data: Float64Array.of(0, 1e39, 0), shape: [3] }, clip: 1 }));

  fails(
    'shape',
    /bias\.t5\.table must be \[buckets, H\], at least 4 buckets and H = 3, got \[8\]/,
    t5({ table: numbers([8], 1) }),
  );
  fails(
    'shape',
    /bias\.t5\.table must be \[buckets, H\], at least 4 buckets and H = 3, got \[8, 2\]/,
    t5({ table: numbers([8, 2], 1) }),
  );
  fails(
    'shape',
    /bias\.t5\.table must be \[buckets, H\], 32 buckets and H = 3, got \[8, 3\]/,
    t5({ table: buckets, buckets: 32 }),
  );
  fails('shape', /at least 4 buckets and H = 3, got \[3, 3\]/, t5({ table: numbers([3, H], 1) }));
  fails('shape', /at least 2 buckets and H = 3, got \[1, 3\]/, t5({ table: numbers([1, H], 1), bidirectional: false }));
  fails('value', /bias\.t5\.maxDistance must be an integer from 3 to/, t5({ table: buckets, maxDistance: 2 }));
  fails('value', /bias\.t5\.bidirectional must be true or false/, t5({ table: buckets, bidirectional: 1 }));

  fails('option', /^bias\.t5: unknown option 'maxDistanc'; did you mean 'maxDistance'\?$/, () =>
    build.t5(buckets, { maxDistanc: 8 } as object),
  );
  fails('option', /^bias\.t5: options must be an object, got 8$/, () => build.t5(buckets, 8 as never));
  fails('value', /bias\.gaussian\.sigma must be greater than 0 \(in float32\), got 0/, gaussian({ center: 1, sigma: 1e-50 }));
  fails('value', /bias\.gaussian\.sigma must be greater than 0/, gaussian({ center: 1, sigma: [1, 2, 3, 4, -1] }));
  fails(
    'value',
    /bias\.gaussian\.center must hold finite numbers \(in float32\), got Infinity at index 0/,
    gaussian({ center: Infinity, sigma: 1 }),
  );
  fails('value', /bias\.gaussian\.center must hold finite numbers/, gaussian({ center: [NaN], sigma: 1 }));
  fails(
    'shape',
    /bias\.gaussian\.center must be a number or broadcast to \[B, H, Tq\] = \[2, 3, 5\], got \[4\]/,
    gaussian({ center: [1, 2, 3, 4], sigma: 1 }),
  );
});

test('buckets may be named where they are the rows of the table', () => {
  const bias = build.t5(buckets, { buckets: 8, maxDistance: undefined, bidirectional: undefined });
  same(fovea.attention(q, k, v, { bias }).output.data, fovea.attention(q, k, v, { bias: build.t5(buckets) }).output.data);
});

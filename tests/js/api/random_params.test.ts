/** randomParams and the samples of resa: against the generator as its definition has it, in double. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bahdanau, randomParams, resa } from 'fovea/mechanisms';
import { Linear } from 'fovea/nn';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { fnv1a, normal, philox, uniform } from '../support/philox.ts';

const SEEDS = [0, 1, 12345678901234, 2 ** 53 - 1];

/** The entries of a param: normals by its name, times a standard deviation. */
function expected(seed: number, name: string, count: number, deviation: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const words = philox(seed, [Math.floor(i / 4), 0, fnv1a(name), 5]);
    return deviation * normal(words, i % 4);
  });
}

/** Half an ULP of float for the normal, for its deviation and for their product. */
function assertDrawn(got: Float32Array, want: readonly number[], title: string): void {
  assert.equal(got.length, want.length, title);
  want.forEach((value, i) =>
    assert.ok(
      Math.abs(got[i]! - value) <= 3 * 2 ** -24 * Math.abs(value) + 2 ** -46,
      `${title}[${i}]: ${got[i]} is not ${value}`,
    ),
  );
}

test('the reference hashes as the authors of FNV do', () => {
  assert.deepEqual(['', 'a', 'foobar'].map(fnv1a), [0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
});

test('params are normals of variance 1 / fan-in by their dotted names, in every seed', () => {
  const shapes = {
    ...{ Wa: [4, 3], va: [5], R: [2, 3, 4], 'decoder.weight_ih_l0': [6, 7], in_proj_weight: [9, 2, 3] },
    ...{ 'Wé€😀': [3, 1], 'a.weight': [1, 1], s: [], wide: [1, 63] },
  };
  const fanIn = { Wa: 4, va: 5, R: 6, 'decoder.weight_ih_l0': 7, in_proj_weight: 6, 'Wé€😀': 3, 'a.weight': 1, s: 1, wide: 1 };
  for (const seed of SEEDS) {
    const params = leavesNothing(() => randomParams(fovea, shapes, { seed }));
    assert.deepEqual(Object.keys(params), Object.keys(shapes));
    for (const [name, shape] of Object.entries(shapes)) {
      assert.deepEqual(params[name]!.shape, shape);
      const count = shape.reduce((a, b) => a * b, 1);
      assertDrawn(params[name]!.data, expected(seed, name, count, 1 / Math.sqrt(fanIn[name as 'Wa'])), `${name}, seed ${seed}`);
    }
  }
});

test('a check that reads the wrong name, the wrong stream or the wrong axes fails', () => {
  const { data } = randomParams(fovea, { 'x.W': [4, 3] }, { seed: 7 })['x.W']!;
  const want = expected(7, 'x.W', 12, 0.5);
  assertDrawn(data, want, 'x.W');
  assert.throws(() => assertDrawn(data, expected(7, 'W', 12, 0.5), 'the name without its group'));
  assert.throws(() => assertDrawn(data, expected(8, 'x.W', 12, 0.5), 'another seed'));
  assert.throws(() => assertDrawn(data, expected(7, 'x.W', 12, 1 / Math.sqrt(3)), 'fan-out'));
});

test('biases are 0, scales of normalizations 1', () => {
  const zero = ['b', 'b1', 'ba', 'bF', 'bptr', 'beta', 'bias', 'bias_hh_l0', 'in_proj_bias', 'layer.0.bias', 'bias_k'];
  const one = ['gamma', 'norm1.weight', 'weight'];
  const params = randomParams(fovea, Object.fromEntries([...zero, ...one].map((name) => [name, [5]])), { seed: 3 });
  for (const name of zero) assert.deepEqual([...params[name]!.data], [0, 0, 0, 0, 0], name);
  for (const name of one) assert.deepEqual([...params[name]!.data], [1, 1, 1, 1, 1], name);
  const drawn = randomParams(fovea, { 'block.W': [2, 2], 'b.W': [2, 2] });
  for (const name of ['block.W', 'b.W'])
    assert.ok(
      drawn[name]!.data.every((value) => value !== 0),
      name,
    );
});

test('shapes are taken from arrays of every kind, nested, flat or in a Map', () => {
  const tensor = fovea.tensor([[1, 2, 3]]);
  const nested = {
    ...{
      W: { data: new Float32Array(6), shape: [2, 3] },
      inner: {
        W: [
          [1, 2],
          [3, 4],
        ],
        U: { data: [1, 2], dims: [2, 1] },
      },
    },
    ...{ V: tensor, rows: [new Float32Array(2), new Float32Array(2)], c: 0.5, b: 2, left: undefined },
    half: { data: new Uint16Array(4), shape: [4], dtype: 'float16' },
  };
  const want = { W: [2, 3], 'inner.W': [2, 2], 'inner.U': [2, 1], V: [1, 3], rows: [2, 2], c: [], b: [], half: [4] };
  const got = randomParams(fovea, nested as never, { seed: 2 });
  assert.deepEqual(Object.fromEntries(Object.entries(got).map(([name, { shape }]) => [name, shape])), want);
  assert.deepEqual(randomParams(fovea, want, { seed: 2 }), got);
  assert.deepEqual(randomParams(fovea, new Map(Object.entries(want)), { seed: 2 }), got);
  tensor.dispose();
});

test('the numbers of a name are those of a module of fovea/nn; empty arrays are empty', () => {
  const module = new Linear(fovea, { inFeatures: 5, outFeatures: 3, seed: 11 });
  const { weight, bias } = randomParams(fovea, module.stateDict(), { seed: 11 });
  assert.deepEqual(weight!.data, module.stateDict().get('weight')!.data);
  assert.deepEqual(bias!.data, new Float32Array(3));
  module.dispose();
  const empty = randomParams(fovea, { W: [0, 4], U: [4, 0], v: [0], b: [0, 3] });
  for (const [name, { data }] of Object.entries(empty)) assert.equal(data.length, 0, name);
});

test('what randomParams gives is what a mechanism takes', () => {
  const names = ['Wa', 'Ua', 'W', 'Wz', 'Wr', 'U', 'Uz', 'Ur', 'C', 'Cz', 'Cr'];
  const params = randomParams(fovea, { ...Object.fromEntries(names.map((name) => [name, [2, 2]])), va: [2] }, { seed: 5 });
  const { weights } = bahdanau(
    fovea,
    {
      source: [
        [1, 0],
        [0, 1],
      ],
      decoderInputs: [[1, 2]],
    },
    params,
  );
  assert.ok(Math.abs(weights.data[0]! + weights.data[1]! - 1) < 1e-6);
});

test('bad shapes and seeds are errors that say what was expected', () => {
  const call = (shapes: unknown, options?: object) => () => randomParams(fovea, shapes as never, options);
  fails('value', /shapes must be an object of arrays by name, got undefined/, call(undefined));
  fails('value', /shapes must be an object/, call([[1]]));
  fails('shape', /the shape of va must be an array of integers of at least 0/, call({ va: [0.5, 0.25] }));
  fails('shape', /the shape of W/, call({ W: [2, -1] }));
  fails(
    'value',
    /ids must hold floats, as integers cannot be drawn, got a Int32Array/,
    call({ ids: { data: new Int32Array(2), shape: [2] } }),
  );
  fails('value', /rows must hold floats/, call({ rows: [new Uint8Array(2)] }));
  fails('value', /BigInt64Array/, call({ ids: { data: new BigInt64Array(2), shape: [2] } }));
  fails('value', /W must be/, call({ W: 'matrix' }));
  fails('memory', /randomParams: .*bytes/, call({ W: [2 ** 20, 2 ** 20] }));
  fails('memory', /randomParams: .*bytes/, call({ b: [2 ** 50, 2 ** 50] }));
  for (const seed of [-1, 0.5, 2 ** 53, NaN, '1']) fails('value', /seed must be an integer/, call({ W: [1, 1] }, { seed }));
  fails('option', /unknown option 'sed'.*seed/, call({ W: [1, 1] }, { sed: 1 }));
  const gone = fovea.tensor([1]);
  gone.dispose();
  fails('disposed', /W/, call({ W: gone }));
});

test('samples of resa are uniforms of token, role and batch entry below the probability', () => {
  const shapes = {
    ...{ 'head.WR': [6, 3], 'head.bR': [3], 'head.w': [3], 'head.b': [] },
    ...{ 'dependent.WR': [6, 2], 'dependent.bR': [2], 'dependent.w': [2], 'dependent.b': [] },
    ...{ W1: [2, 2], W2: [2, 2], b1: [2], Wf: [4, 2], bf: [2] },
  };
  const [B, T] = [3, 37];
  const x = randomParams(fovea, { x: [B, T, 2] }, { seed: 1 })['x']!;
  const params = randomParams(fovea, shapes, { seed: 2 });
  const lengths = [T, 20, 0];
  for (const seed of SEEDS) {
    const got = resa(fovea, { x }, params, { seed, lengths });
    for (const [role, name] of (['head', 'dependent'] as const).entries()) {
      let wrongRole = 0;
      got[name].data.forEach((z, n) => {
        const [b, t] = [Math.floor(n / T), n % T];
        const p = got[`${name}Probability`].data[n]!;
        const drawn = (of: number): number => Number(uniform(philox(seed, [t, of, b, 6])[0]) < p);
        assert.equal(z, t < lengths[b]! ? drawn(role) : -1, `${name}, seed ${seed}, batch ${b}, token ${t}`);
        if (t < lengths[b]! && z !== drawn(1 - role)) wrongRole++;
      });
      assert.ok(wrongRole > 0, 'the roles have draws of their own');
    }
  }
});

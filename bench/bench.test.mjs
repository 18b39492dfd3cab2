// Whether the benchmark itself is right: `node --test bench/bench.test.mjs`. It times nothing, and needs neither the peers nor a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeArrays, swapAxes } from './arrays.mjs';
import { drawChart } from './chart.mjs';
import { load as loadPlain } from './contestants/plain.mjs';
import { judge } from './goals.mjs';
import { takesPart } from './measure.mjs';
import { readOptions } from './options.mjs';
import { encodeModel, node } from './peers/onnx.mjs';
import { Checker } from './reference.mjs';
import { report } from './report.mjs';
import { allowedKeys, arrayBytes, cacheBytes, flopsOf, shapes } from './shapes.mjs';
import { summary } from './stats.mjs';

const dense = shapes.find(({ id }) => id === 'n128');
const rules = {
  dense: { ...dense, heads: 4, kvHeads: 4, queries: 70, keys: 70, width: 16 },
  causal: { ...dense, heads: 2, kvHeads: 2, queries: 70, keys: 70, width: 16, causal: true },
  window: { ...dense, heads: 2, kvHeads: 2, queries: 70, keys: 70, width: 16, window: 5 },
  grouped: { ...dense, heads: 4, kvHeads: 2, queries: 70, keys: 70, width: 16 },
  decode: { ...dense, heads: 4, kvHeads: 4, queries: 1, keys: 300, width: 16, decode: true },
};

async function outputOf(shape, change = {}) {
  const { prepare } = await loadPlain();
  const { run, output } = prepare({ ...shape, ...change }, makeArrays(shape));
  run();
  return output();
}

function complaintAbout(shape, output) {
  return new Checker(shape).check('it', output).complaint;
}

test('the pairs that a rule allows are counted one by one', () => {
  for (const shape of [...Object.values(rules), ...shapes.filter(({ keys }) => keys <= 1024)]) {
    let pairs = 0;
    for (let i = 0; i < shape.queries; ++i) {
      for (let j = 0; j < shape.keys; ++j) {
        const allowed = (!shape.causal || j <= i) && (shape.window === null || Math.abs(i - j) <= shape.window);
        const [from, to] = allowedKeys(shape, i);
        assert.equal(j >= from && j < to, allowed);
        pairs += allowed ? 1 : 0;
      }
    }
    assert.equal(flopsOf(shape), 4 * shape.heads * shape.width * pairs);
  }
});

test('inputs have mean 0 and variance 1, and are always the same', () => {
  const { q, k } = makeArrays(dense);
  assert.ok(Math.abs(q.reduce((a, b) => a + b) / q.length) < 0.01);
  assert.ok(Math.abs(q.reduce((a, b) => a + b * b, 0) / q.length - 1) < 0.01);
  assert.notDeepEqual(q, k);
  assert.deepEqual(makeArrays(dense).q, q);
});

test('axes change places and back', () => {
  const values = Float32Array.from({ length: 2 * 3 * 4 }, (_, i) => i);
  assert.deepEqual(swapAxes(swapAxes(values, [2, 3, 4]), [3, 2, 4]), values);
  assert.deepEqual([...swapAxes(values, [2, 3, 4]).subarray(4, 8)], [12, 13, 14, 15]);
});

for (const [name, shape] of Object.entries(rules)) {
  test(`a right result passes: ${name}`, async () => {
    const { error, complaint } = new Checker(shape).check('it', await outputOf(shape));
    assert.equal(complaint, null);
    assert.ok(error > 0 && error < 1e-6, `${error}`);
  });
}

test('wrong results are found: rule, heads, one number, NaN, length', async () => {
  const right = await outputOf(rules.dense);
  const changed = (at, value) => {
    const copy = right.slice();
    copy[at] = value;
    return copy;
  };
  const rotated = new Float32Array(right.length);
  rotated.set(right.subarray(70 * 16));
  rotated.set(right.subarray(0, 70 * 16), 3 * 70 * 16);
  assert.match(complaintAbout(rules.window, await outputOf(rules.window, { window: 6 })), /wrong result/);
  assert.match(complaintAbout(rules.causal, await outputOf(rules.causal, { causal: false })), /wrong result/);
  assert.match(complaintAbout(rules.grouped, await outputOf(rules.grouped, { kvHeads: 1 })), /wrong result/);
  assert.match(complaintAbout(rules.dense, rotated), /head 0, query 0/);
  assert.match(complaintAbout(rules.dense, changed(0, right[0] + 1e-4)), /wrong result/);
  assert.match(complaintAbout(rules.dense, changed(right.length - 1, NaN)), /wrong result/);
  assert.match(complaintAbout(rules.dense, right.subarray(1)), /instead of/);
});

test('a row that the reference does not look at is found by comparison, on whichever side the fault is', async () => {
  const right = await outputOf(rules.dense);
  const wrong = right.slice();
  wrong[16] += 1e-3; // head 0, query 1 is not sampled
  const lenient = new Checker(rules.dense);
  assert.equal(lenient.check('wrong', wrong).complaint, null);
  assert.equal(lenient.check('right', right).complaint, null);
  assert.match(lenient.accused.get('wrong'), /head 0, query 1/);

  const strict = new Checker(rules.dense);
  assert.equal(strict.check('right', right).complaint, null);
  assert.match(strict.check('wrong', wrong).complaint, /head 0, query 1/);
  assert.equal(strict.accused.size, 0);
});

test('each contestant gets as many turns as it has, spread over the rounds', () => {
  for (let rounds = 3; rounds < 20; ++rounds) {
    for (let turns = 1; turns <= rounds; ++turns) {
      const taken = Array.from({ length: rounds }, (_, round) => takesPart(turns, round, rounds));
      assert.equal(taken.filter(Boolean).length, turns);
    }
  }
});

test('medians and quartiles', () => {
  assert.deepEqual(summary([5, 1, 3, 2, 4]), { median: 3, q1: 2, q3: 4, least: 1, most: 5, samples: 5 });
  assert.equal(summary([]), null);
});

test('a model is written as protocol buffers have it', () => {
  const model = encodeModel({
    opsets: { '': 21 },
    nodes: [node('Add', ['a', 'b'], ['c'])],
    inputs: { a: [300] },
    outputs: {},
    constants: { b: { dims: [1], data: Float32Array.of(1) } },
  });
  const add = [0x0a, 1, 97, 0x0a, 1, 98, 0x12, 1, 99, 0x22, 3, 65, 100, 100, 0x3a, 0];
  const constant = [0x08, 1, 0x10, 1, 0x42, 1, 98, 0x4a, 4, 0, 0, 0x80, 0x3f];
  const input = [0x0a, 1, 97, 0x12, 11, 0x0a, 9, 0x08, 1, 0x12, 5, 0x0a, 3, 0x08, 0xac, 0x02];
  const name = [0x12, 9, ...new TextEncoder().encode('attention')];
  const graph = [0x0a, add.length, ...add, ...name, 0x2a, constant.length, ...constant, 0x5a, input.length, ...input];
  assert.deepEqual([...model], [0x08, 10, 0x42, 4, 0x0a, 0, 0x10, 21, 0x3a, graph.length, ...graph]);
});

test('a mistyped name is told', () => {
  assert.throws(() => readOptions(['--only', 'n513']), /no such shape or contestant: n513/);
  assert.throws(() => readOptions(['--engine', 'node']), /no such engine/);
  assert.deepEqual(
    readOptions(['--only', 'n512,fovea']).contestants.map(({ id }) => id),
    ['fovea', 'fovea-arrays', 'fovea-simd128'],
  );
});

/** Results in which fovea reaches half of every limit and is twice as fast as the best peer. */
function inventedResults() {
  const leg = (engine, threads) => ({
    engine,
    version: '1',
    threads,
    cold: null,
    shapes: shapes.map((shape) => entry(shape, threads)),
  });
  const entry = (shape, threads) => {
    const limits = { mulAdd: 40, madd: 50, read: 20 };
    const work = shape.decode ? cacheBytes(shape) / limits.read : flopsOf(shape) / limits.madd;
    const result = (times, more) => ({
      ...summary([(times * work) / 1e6 / threads]),
      first: 1,
      bytes: arrayBytes(shape),
      threads,
      ...more,
    });
    return {
      shape: shape.id,
      limits: Object.fromEntries(Object.entries(limits).map(([kind, rate]) => [kind, summary([rate])])),
      results: {
        fovea: result(2, { variant: 'relaxed' }),
        tfjs: result(4, {}),
        'ort-mha': { failure: 'Integer overflow' },
        plain: result(1, {}),
      },
    };
  };
  const machine = { date: '2026-11-20', processor: 'test', processors: 2, commit: null };
  return { machine, versions: {}, quick: false, seconds: 1, legs: [leg('chromium', 1), leg('chromium', 2)] };
}

test('goals are judged by the best peer, not by the floor', () => {
  const found = Object.fromEntries(judge(inventedResults()).map(({ goal, here, reached }) => [goal, [here, reached]]));
  assert.deepEqual(found['N = 512 to 4096, one thread: part of the madd limit'], ['50 %', false]);
  assert.deepEqual(found['N = 512 to 4096, one thread: times the best peer'], ['2.00 ×', true]);
  assert.deepEqual(found['N = 512 to 4096: two threads, times one'], ['2.00 ×', true]);
  assert.deepEqual(found['decode: part of the read bandwidth'], ['50 %', false]);
  assert.deepEqual(found['memory beside the arrays, most of N = 512 to 4096'], ['0 MB', true]);
  assert.equal(found['D = 128: part of the madd limit'][0], '50 %');
  assert.equal(found['Node 24: part of what Chromium reaches of its limit'], undefined);
});

test('report and chart are the same for the same results', () => {
  const text = report(inventedResults());
  assert.match(text, /\| N = 512 \| 21\.5 ±0\.00 \| 25\.0 \| 50 % \| 2\.00 \|/);
  assert.match(text, /- fails \(.*N = 4096.*\): onnxruntime-web, MultiHeadAttention: Integer overflow/);
  const chart = drawChart(inventedResults());
  assert.equal(chart, drawChart(inventedResults()));
  assert.equal(chart.match(/<rect /g).length, 5 + 5 * 3); // the legend, then three contestants at five sizes
  assert.doesNotMatch(chart, /NaN|undefined/);
});

// Whether the benchmark itself is right: `node --test bench/bench.test.mjs`. It times nothing, and needs neither the peers nor a browser.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createAgent } from './agent.mjs';
import { additiveMask, makeArrays, numbers, swapAxes } from './arrays.mjs';
import { drawChart } from './chart.mjs';
import { cliffs } from './cliffs.mjs';
import { cosineOf, differenceOf } from './compare.mjs';
import { byLoops } from './contestants/decoder.mjs';
import { checkLogits, decoderRatio, decoders, decoderValue } from './decoders.mjs';
import { contestants, isMeasured } from './contestants/index.mjs';
import { load as loadPlain } from './contestants/plain.mjs';
import { earlierGoals, goalValues, judge } from './goals.mjs';
import { encode, EncoderChecker } from './encoder.mjs';
import { byPairs, byState, fewTokens, LinearChecker, sampledRows } from './linear.mjs';
import { layers } from './layers.mjs';
import { takesPart } from './measure.mjs';
import { readOptions } from './options.mjs';
import { keptSpans, philox, randomGraph } from './patterns.mjs';
import { encodeModel, node } from './peers/onnx.mjs';
import * as graphs from './peers/graphs.mjs';
import { makePlan } from './plan.mjs';
import { Checker, referenceRow } from './reference.mjs';
import { report } from './report.mjs';
import { growthOf, slowdownOf } from './results.mjs';
import { allowedKeys, allowedSpans, arrayBytes, cacheBytes, densityOf, flopsOf, isOf, pairsOf, shapes } from './shapes.mjs';
import { summary } from './stats.mjs';
import { decoderGraph } from './peers/decoder.mjs';
import * as encoderGraphs from './peers/encoder.mjs';
import { int8Constants } from './peers/int8.mjs';
import { readGraphModel } from './trained/graph_model.mjs';
import { makeTokenizer } from './trained/pieces.mjs';
import { correlation, neighborsKept, ranks } from './trained/ranking.mjs';

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
  for (const shape of [
    ...Object.values(rules),
    ...shapes.filter(({ keys, linear, encoder }) => keys <= 1024 && linear === null && encoder === null),
  ]) {
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

/** Whether the pair is kept, by the definitions one at a time. */
const kept = {
  window:
    ([left, right]) =>
    (i, j) =>
      i - left <= j && j <= i + right,
  atrous: (step) => (i, j) => (i - j) % step === 0,
  documents: (length) => (i, j) => Math.floor(i / length) === Math.floor(j / length),
  or: (rules) => (i, j) => rules.some((rule) => keepsOf(rule)(i, j)),
};
const keepsOf = (rule) => kept[Object.keys(rule)[0]](Object.values(rule)[0]);

test('the pairs that a pattern keeps are those of its definition, in spans that do not touch', () => {
  const keys = 150;
  const simple = [{ window: [3, 5] }, { window: [0, 200] }, { atrous: 7 }, { documents: 40 }];
  for (const rule of [...simple, { or: [{ window: [9, 4] }, { atrous: 7 }] }, { or: simple.slice(2) }]) {
    for (let i = 0; i < keys; ++i) {
      const spans = keptSpans(rule, keys, 0, i);
      const listed = spans.flatMap(([from, to]) => Array.from({ length: to - from }, (_, n) => from + n));
      const wanted = Array.from({ length: keys }, (_, j) => j).filter((j) => keepsOf(rule)(i, j));
      assert.deepEqual(listed, wanted, JSON.stringify([rule, i]));
    }
  }
});

test('bigBird keeps a window, the first blocks, and as many drawn ones as asked for, the same for all queries of a block', () => {
  const bigBird = { block: 8, window: 3, global: 2, random: 3, seed: 5 };
  const blocksOf = (i, h) =>
    keptSpans({ bigBird }, 400, h, i).flatMap(([from, to]) => {
      assert.ok(from % 8 === 0 && to % 8 === 0);
      return Array.from({ length: (to - from) / 8 }, (_, n) => from / 8 + n);
    });
  assert.equal(blocksOf(15, 0).length, 50);
  const drawn = new Set();
  for (let own = 2; own < 50; ++own) {
    const found = blocksOf(8 * own, 0);
    assert.deepEqual(blocksOf(8 * own + 7, 0), found);
    for (const b of [0, 1, own - 1, own, Math.min(49, own + 1)]) assert.ok(found.includes(b));
    assert.ok(found.length <= 8);
    for (const b of found) if (b > 1 && Math.abs(b - own) > 1) drawn.add(b);
  }
  assert.ok(drawn.size > 40);
  assert.notDeepEqual(blocksOf(200, 0), blocksOf(200, 1));
});

test('the generator is the published one', () => {
  assert.deepEqual(philox([0, 0], [0, 0, 0, 0]), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
  const ones = 0xffffffff;
  assert.deepEqual(philox([ones, ones], [ones, ones, ones, ones]), [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
});

test('a random graph has every edge once, ascending, and is always the same', () => {
  const { indptr, indices } = randomGraph(100, 2001, 1);
  assert.equal(indptr.length, 101);
  assert.equal(indptr[100], indices.length);
  assert.ok(indices.length > 1700 && indices.length < 2001); // of 10000 pairs some are drawn twice
  for (let i = 0; i < 100; ++i) {
    for (let at = indptr[i] + 1; at < indptr[i + 1]; ++at) assert.ok(indices[at - 1] < indices[at]);
  }
  assert.ok(indices.every((key) => key >= 0 && key < 100));
  assert.notDeepEqual(randomGraph(100, 2001, 2).indices, indices);
});

test('sparse shapes keep about what their names say', () => {
  const density = (id) => densityOf(shapes.find((shape) => shape.id === id));
  assert.equal(pairsOf(shapes.find(({ id }) => id === 'window16384')), 257 * 16384 - 128 * 129);
  assert.equal(density('atrous16384'), 1 / 64);
  assert.equal(density('documents16384'), 1 / 32);
  assert.ok(Math.abs(density('union16384') - (257 + 252) / 16384) < 1e-3);
  assert.ok(density('bigbird16384') > 7.5 / 256 && density('bigbird16384') < 10 / 256);
  assert.ok(Math.abs(pairsOf(shapes.find(({ id }) => id === 'graph10k')) / 8 - 100_000) < 100);
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

const patterns = {
  union: { ...rules.dense, heads: 2, kvHeads: 2, pattern: { or: [{ window: [2, 3] }, { atrous: 9 }] } },
  graph: { ...rules.dense, heads: 2, kvHeads: 2, pattern: { graph: { edges: 100, seed: 1 } } },
};

/** Attention over a mask's pairs, in rows of zeros where there are none. */
function maskedOutput(shape, { q, k, v }, mask) {
  const { heads, queries, keys, width } = shape;
  const output = new Float32Array(heads * queries * width);
  for (let row = 0; row < heads * queries; ++row) {
    const start = Math.floor(row / queries) * keys;
    const weights = Array.from({ length: keys }, (_, j) => {
      let dot = 0;
      for (let d = 0; d < width; ++d) dot += q[row * width + d] * k[(start + j) * width + d];
      return Math.exp(dot / Math.sqrt(width) + mask[(row % queries) * keys + j]);
    });
    const sum = weights.reduce((a, b) => a + b);
    weights.forEach((weight, j) => {
      for (let d = 0; d < width && sum > 0; ++d) output[row * width + d] += (weight / sum) * v[(start + j) * width + d];
    });
  }
  return output;
}

test('a right result of a pattern passes and that of another is found, rows without keys among them', () => {
  for (const shape of Object.values(patterns)) {
    const arrays = makeArrays(shape);
    const mask = additiveMask(shape);
    assert.equal(complaintAbout(shape, maskedOutput(shape, arrays, mask)), null);
    assert.match(complaintAbout(shape, maskedOutput(shape, arrays, new Float32Array(mask.length))), /wrong result/);
  }
  const empty = Array.from({ length: 70 }, (_, i) => i).filter((i) => allowedSpans(patterns.graph, 0, i).length === 0);
  assert.ok(empty.length > 0);
  assert.ok(referenceRow(patterns.graph, makeArrays(patterns.graph), 0, empty[0]).every((x) => x === 0));
});

test('a mask is a constant of its graph while it is small', () => {
  const { feeds, model } = graphs.matmul(patterns.union, makeArrays(patterns.union));
  assert.deepEqual(Object.keys(feeds), ['Q', 'K', 'V']);
  assert.ok(model.length > 4 * 70 * 70);
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

const shapeNamed = (id) => shapes.find((shape) => shape.id === id);
const linearShapes = shapes.filter((shape) => isOf('linear', shape));
const allRows = ({ queries }) => Array.from({ length: queries }, (_, i) => i);
const small = (shape, more = {}) => ({ ...shape, queries: 70, keys: 70, width: 8, ...more });
const reference = (shape, h = 0) => byState(shape, makeArrays(shape), h, allRows(shape));

/** Largest difference of two lists of numbers. */
const distance = (a, b) => a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), a.length === b.length ? 0 : Infinity);

test('linear attention with a state is that by pairs, for every head', () => {
  for (const id of ['elu1024', 'elucausal16384', 'rule-linear']) {
    const shape = small(shapeNamed(id), { heads: 4, kvHeads: 2 });
    const arrays = makeArrays(shape);
    for (const h of [0, 3]) {
      assert.ok(distance(byState(shape, arrays, h, allRows(shape)), byPairs(shape, arrays, h, allRows(shape))) < 1e-12);
      assert.deepEqual(byPairs(shape, arrays, h, [0, 69]).subarray(8), byPairs(shape, arrays, h, [69]));
    }
    assert.ok(distance(reference(shape, 0), reference(shape, 2)) > 0.01);
  }
  assert.throws(() => byPairs(small(shapeNamed('rule-delta')), {}, 0, [0]), /no rule 'delta'/);
});

test('weights of elu1 are similarities by their sum', () => {
  const shape = small(shapeNamed('elu1024'), { queries: 1, keys: 2, width: 1 });
  const arrays = { q: [-1], k: [2, 0], v: [5, 9] }; // φ: e^-1; 3, 1
  assert.ok(Math.abs(byState(shape, arrays, 0, [0])[0] - 6) < 1e-12);
  assert.ok(Math.abs(byPairs(shape, arrays, 0, [0])[0] - 6) < 1e-12);
});

test('update rules as ONNX has them, on a state of one number', () => {
  const outputs = (id, gates) => {
    const shape = small(shapeNamed(id), { queries: 2, keys: 2, width: 1 });
    return [...byState(shape, { q: [1, 10], k: [2, 3], v: [5, 7], ...gates }, 0, [0, 1])];
  };
  const [decay, beta] = [
    [Math.log(0.5), Math.log(0.25)],
    [0.5, 0.2],
  ];
  const close = (found, wanted) => assert.ok(distance(found, wanted) < 1e-12, `${found}`);
  close(outputs('rule-linear', {}), [10, 310]);
  close(outputs('rule-gated', { decay }), [10, 10 * (2.5 + 21)]);
  close(outputs('rule-delta', { beta }), [5, 10 * (5 + 0.2 * 3 * (7 - 15))]);
  close(outputs('rule-gateddelta', { decay, beta }), [5, 10 * (1.25 + 0.2 * 3 * (7 - 3.75))]);
});

test('a decay per feature fades that feature; a number of a delta rule is read back where it was written', () => {
  const gated = small(shapeNamed('rule-gated'), { queries: 2, keys: 2, width: 2 });
  const arrays = { q: [0, 0, 1, 10], k: [1, 1, 0, 0], v: [2, 4, 0, 0], decay: [0, 0, Math.log(0.5), 0] };
  assert.ok(distance(byState(gated, arrays, 0, [1]), [21 / Math.SQRT2, 42 / Math.SQRT2]) < 1e-12);

  const delta = small(shapeNamed('rule-delta'));
  const { k, v } = makeArrays(delta);
  const read = byState(delta, { q: k, k, v, beta: new Float32Array(70).fill(1) }, 0, [69]);
  assert.ok(
    distance(
      read,
      v.subarray(69 * 8).map((x) => x / Math.sqrt(8)),
    ) < 1e-6,
  );
});

test('inputs of update rules: decay below 0, beta from 0 to 1, keys of length 1 for delta', () => {
  const { k, decay, beta } = makeArrays(small(shapeNamed('rule-gateddelta')));
  assert.ok(
    decay.length === 70 && decay.every((x) => x > -0.1001 && x < 1e-6) && Math.max(...decay) - Math.min(...decay) > 0.08,
  );
  assert.ok(beta.length === 70 && beta.every((x) => x > -1e-6 && x < 1.000001) && Math.max(...beta) - Math.min(...beta) > 0.8);
  for (let i = 0; i < 70; ++i) assert.ok(Math.abs(Math.hypot(...k.subarray(8 * i, 8 * i + 8)) - 1) < 1e-6);
  assert.equal(makeArrays(small(shapeNamed('rule-gated'))).decay.length, 70 * 8);
  assert.deepEqual(Object.keys(makeArrays(small(shapeNamed('elu1024')))), ['q', 'k', 'v']);
});

test('operations of linear attention are counted by token, whatever the rule', () => {
  for (const shape of linearShapes) assert.equal(flopsOf(shape), 4 * 64 * 64 * shape.queries);
});

test('every setting of linear attention is checked with few tokens, and right and wrong results are told apart', () => {
  for (const shape of linearShapes) {
    const few = fewTokens(shape);
    assert.ok(few.queries > 2 * Math.max(64, shape.linear.piece ?? 1) && few.queries % 64 !== 0 && few.queries < 2500);
    assert.deepEqual({ ...few, queries: 0, keys: 0 }, { ...shape, queries: 0, keys: 0 });
    const tiny = small(shape);
    const right = Float32Array.from(reference(tiny));
    const complaint = (output, checker = new LinearChecker(tiny)) => checker.check('it', output).complaint;
    assert.equal(complaint(right), null);
    const later = Float32Array.from(right, (_, at) => right[at < 8 ? at : at - 8]); // each query has the row of the one before
    assert.match(complaint(later), /wrong result: .* query 1,/);
    assert.match(complaint(right.map((x, at) => (at === 300 ? NaN : x))), /query 37/);
    assert.match(complaint(right.subarray(1)), /instead of/);
  }
});

test('of many tokens some rows are asked for', () => {
  const shape = small(shapeNamed('stream'), { queries: 20000, keys: 20000, width: 4 });
  const { rows } = new LinearChecker(shape);
  assert.ok(rows.length === 32 && rows[0] === 0 && rows.at(-1) === 19999);
  assert.deepEqual(rows, sampledRows(shape));
  assert.ok(new LinearChecker(shapeNamed('stream')).rows.length >= 4);
  assert.equal(new LinearChecker(shapeNamed('elu16384')).rows, null);
  const arrays = makeArrays(shape);
  const outputOf = (given) => Float32Array.from(byState(shape, given, 0, rows));
  assert.equal(new LinearChecker(shape).check('it', outputOf(arrays)).complaint, null);
  const v = arrays.v.map((x, at) => (at >= 4 * 10000 && at < 4 * 10016 ? 0 : x)); // sixteen tokens of 20000
  assert.match(new LinearChecker(shape).check('it', outputOf({ ...arrays, v })).complaint, /wrong result: .* query 1[0-9]{4},/);
});

test('rows of an output are handed over where all of it is finite', async () => {
  const agent = createAgent({});
  await agent.load({ module: 'plain', threads: 1 });
  const shape = { ...rules.dense, queries: 5, keys: 5 };
  await agent.prepare(shape);
  await agent.first();
  const whole = await agent.output(null);
  assert.deepEqual(await agent.output([7, 19]), Float32Array.of(...whole.subarray(112, 128), ...whole.subarray(304, 320)));
  whole[200] = NaN;
  await assert.rejects(agent.output([0]), /NaN in row 12/);
});

test('a graph of linear attention has the gates of its rule, tokens before heads', () => {
  const inputsOf = (id, domain) => {
    const shape = small(shapeNamed(id), { heads: 2, kvHeads: 2 });
    const { feeds, model } = graphs.linearAttention(shape, makeArrays(shape), { domain });
    const text = new TextDecoder('latin1').decode(model);
    assert.ok(text.includes('LinearAttention') && text.includes('com.microsoft') === (domain !== ''));
    return {
      text,
      dims: Object.fromEntries(Object.entries(feeds).map(([name, [data, dims]]) => [name, `${dims} ${data.length}`])),
    };
  };
  const common = { Q: '1,70,16 1120', K: '1,70,16 1120', V: '1,70,16 1120' };
  assert.deepEqual(inputsOf('rule-linear', '').dims, common);
  assert.deepEqual(inputsOf('rule-gated', 'com.microsoft').dims, { ...common, decay: '1,70,16 1120' });
  assert.deepEqual(inputsOf('rule-delta', 'com.microsoft').dims, { ...common, beta: '1,70,2 140' });
  const { text, dims } = inputsOf('rule-gateddelta', 'com.microsoft');
  assert.deepEqual(dims, { ...common, decay: '1,70,2 140', beta: '1,70,2 140' });
  assert.match(text, /update_rule\x22\x0bgated_delta\xa0\x01\x03/);
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
    ['fovea', 'fovea-arrays', 'fovea-simd128', 'fovea-int8'],
  );
});

const plannedIds = (args) =>
  makePlan(readOptions(args)).map(({ groups }) => groups.map((group) => group.shapes.map(({ id }) => id)));

test('sparse shapes are measured together with the dense one that they are compared with', () => {
  const sparse = shapes.filter((shape) => isOf('sparse', shape));
  const [whole, two, ...beside] = plannedIds([]);
  const together = whole.find((ids) => ids.includes('window16384'));
  assert.deepEqual(
    together,
    sparse.filter(({ group }) => group === 'sparse16384').map(({ id }) => id),
  );
  assert.ok(together.includes('dense16384') && whole.flat().includes('long') && !whole.flat().includes('window4096'));
  assert.ok(two.flat().includes('window16384') && !two.flat().includes('long'));
  assert.ok(beside.every((groups) => groups.flat().every((id) => !sparse.some((shape) => shape.id === id))));

  const isSparse = (id) => sparse.some((shape) => shape.id === id);
  assert.deepEqual(plannedIds(['--quick']).flat(2).filter(isSparse), ['dense4096', 'window4096']);
  assert.deepEqual(
    plannedIds(['--engine', 'chromium', '--threads', '1', '--only', 'sparse']).flat(2),
    sparse.map(({ id }) => id),
  );
  assert.deepEqual(plannedIds(['--engine', 'chromium', '--threads', '1', '--only', 'union16384']), [
    [['dense16384', 'union16384']],
  ]);
});

test('who takes part in sparse attention: fovea, and one peer where a mask of all pairs fits', () => {
  const extent = { thorough: true, masks: true, work: Infinity };
  const idsFor = (id, more) => {
    const shape = shapes.find((shape) => shape.id === id);
    return contestants.filter((one) => isMeasured(one, shape, { ...extent, ...more })).map(({ id }) => id);
  };
  assert.deepEqual(idsFor('window16384'), ['fovea', 'ort-matmul']);
  assert.deepEqual(idsFor('window16384', { masks: false }), ['fovea']);
  assert.deepEqual(idsFor('dense16384'), ['fovea']);
  assert.deepEqual(idsFor('graph100k'), ['fovea']);
  assert.ok(idsFor('window').includes('tfjs'));
});

test('linear attention is measured in Chromium on one thread, or where it is asked for', () => {
  const ids = linearShapes.map(({ id }) => id);
  const isLinear = (id) => ids.includes(id);
  const [whole, ...beside] = plannedIds([]);
  assert.deepEqual(whole.flat().filter(isLinear), ids);
  assert.ok(beside.every((groups) => !groups.flat().some(isLinear)));
  assert.ok(!plannedIds(['--quick']).flat(2).some(isLinear));
  const [groups] = plannedIds(['--engine', 'node24', '--threads', '2', '--only', 'linear']);
  assert.deepEqual(groups.flat(), ids);
  assert.ok(groups.every((group) => group.length === 1 || !group.some((id) => shapeNamed(id).queries > 300_000)));

  const extent = { thorough: true, masks: true, work: Infinity };
  const idsFor = (id) => contestants.filter((one) => isMeasured(one, shapeNamed(id), extent)).map(({ id }) => id);
  assert.deepEqual(idsFor('rule-linear'), ['fovea', 'ort-linear', 'ort-linear27']);
  assert.deepEqual(idsFor('rule-delta'), ['fovea', 'ort-linear']);
  for (const id of ['elu16384', 'elucausal16384', 'steps-gateddelta', 'stream']) assert.deepEqual(idsFor(id), ['fovea']);
  for (const id of ['n2048', 'window16384']) assert.ok(!idsFor(id).some((name) => name.startsWith('ort-linear')));
});

const encoderShapes = shapes.filter((shape) => isOf('encoder', shape));
const smallEncoder = {
  ...encoderShapes[0],
  heads: 2,
  kvHeads: 2,
  width: 4,
  queries: 5,
  keys: 5,
  encoder: { layers: 2, feedForward: 6 },
};

test('operations of an encoder are those of its products, by the definition', () => {
  const [E, F, T] = [384, 1536, 128];
  const layer = 2 * T * (3 * E * E + E * E + E * F + F * E) + 2 * 2 * T * T * E;
  assert.equal(flopsOf(shapeNamed('encoder128')), 6 * layer);
});

test('an encoder of one token whose products are 0 is its two norms', () => {
  const shape = { ...smallEncoder, queries: 1, keys: 1, encoder: { layers: 1, feedForward: 6 } };
  const arrays = makeArrays(shape);
  for (const [name, values] of Object.entries(arrays)) {
    if (name === 'x') values.set([1, 2, 3, 4, 5, 6, 7, 9]);
    else values.fill(name.endsWith('norm2.weight') ? 2 : name.endsWith('norm1.weight') ? 1 : 0);
  }
  const mean = 37 / 8;
  const deviation = Math.sqrt(arrays.x.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 8);
  encode(shape, arrays).forEach((y, i) => assert.ok(Math.abs(y - (2 * (arrays.x[i] - mean)) / deviation) < 1e-6));
});

test('results of an encoder are checked, all of their numbers', () => {
  const right = Float32Array.from(encode(smallEncoder, makeArrays(smallEncoder)));
  const complaint = (output) => new EncoderChecker(smallEncoder).check('it', output).complaint;
  assert.equal(complaint(right), null);
  assert.match(complaint(right.slice(1)), /39 numbers instead of 40/);
  for (const at of [0, 17, 39]) {
    assert.match(complaint(right.with(at, right[at] + 0.01)), /wrong result: off by/);
    assert.match(complaint(right.with(at, NaN)), /wrong result: off by NaN/);
  }
});

test('graphs of an encoder have every weight once, as [in, out], and one input', () => {
  const arrays = makeArrays(smallEncoder);
  const weights = Object.values(arrays).reduce((sum, { length }) => sum + length, -arrays.x.length);
  for (const [name, graph] of Object.entries(encoderGraphs)) {
    const { model, feeds } = graph(smallEncoder, arrays);
    assert.deepEqual(Object.keys(feeds), ['X'], name);
    assert.deepEqual(feeds.X[1], [1, 5, 8]);
    assert.ok(model.length > 4 * weights && model.length < 4 * weights + 8000, `${name}: ${model.length} bytes`);
  }
});

test('weights of 8 bits take the place of every matrix, each output with a scale of its own, half a step off at most', () => {
  const data = Float32Array.of(0.5, -8, 0, -1, 3.9, 0); // [2, 3], inputs by outputs
  const bias = { dims: [3], data: Float32Array.of(1, 2, 3) };
  const constants = int8Constants({ w: { dims: [2, 3], data }, bias });
  const names = ['w_quantized', 'w_scale', 'w_zero_point', 'bias'];
  assert.deepEqual(Object.keys(constants), names);
  const [values, scales, zeros] = names.map((name) => constants[name].data);
  assert.deepEqual([...values], [64, -127, 0, -127, 62, 0]);
  assert.ok(distance(scales, [1 / 127, 8 / 127, 1]) < 1e-8 && zeros.every((x) => x === 0));
  data.forEach((x, i) => assert.ok(Math.abs(x - values[i] * scales[i % 3]) <= 0.501 * scales[i % 3]));
  assert.equal(constants.bias, bias);
});

test('graphs of an encoder of 8 bits have a byte for each weight of a matrix', () => {
  const arrays = makeArrays(smallEncoder);
  const [E, F] = [8, smallEncoder.encoder.feedForward];
  const [matrices, outputs, vectors] = [4 * E * E + 2 * E * F, 5 * E + F, 9 * E + F].map((n) => 2 * n);
  for (const [name, graph] of Object.entries(encoderGraphs)) {
    const { model, feeds } = graph(smallEncoder, arrays, { int8: true });
    assert.deepEqual(Object.keys(feeds), ['X'], name);
    const text = new TextDecoder('latin1').decode(model);
    const least = matrices + 5 * outputs + 4 * vectors; // scales and zero points beside, and what stays float32
    assert.ok(model.length > least && model.length < least + 15000, `${name}: ${model.length} bytes`);
    assert.ok(text.includes(name === 'encoderOfONNX' ? 'MatMulInteger' : 'DynamicQuantizeMatMul'));
    assert.ok(text.includes('QAttention') === (name === 'encoderOfAttention') && !/\x06MatMul:/.test(text));
  }
});

test('an encoder of 8 bits is judged by its cosine, and beside its own kind', () => {
  const exact = encode(smallEncoder, makeArrays(smallEncoder));
  const right = Float32Array.from(exact);
  const near = right.map((x, n) => x + 0.01 * (n % 2 ? 1 : -1));
  const check = (output, int8) => new EncoderChecker(smallEncoder).check('it', output, int8);
  assert.match(check(near, false).complaint, /wrong result: off by/);
  assert.equal(check(near, true).complaint, null);
  assert.ok(Math.abs(check(near, true).cosine - cosineOf(near, exact)) < 1e-12 && cosineOf(right, right) > 1 - 1e-12);
  for (const wrong of [right.map((x, n) => (n % 2 ? x : -x)), right.with(3, NaN)])
    assert.match(check(wrong, true).complaint, /a cosine of .* wanted 0.99/);

  const results = inventedResults();
  const { results: found } = results.legs[0].shapes.find(({ shape }) => shape === 'encoder128');
  const result = (ms, cosine) => ({ ...found.fovea, ...summary([ms]), cosine });
  found['fovea-int8'] = result(1, 0.9991);
  found['ort-encoder-onnx'] = result(5, 1);
  delete found.tfjs;
  found['ort-encoder-onnx-int8'] = result(1.5, 0.9998);
  const judged = judge(results).filter(({ goal }) => goal.includes('N = 128, int8'));
  assert.deepEqual(
    judged.map(({ here, reached }) => [here, reached]),
    [
      ['5.00 ×', true],
      ['1.50 ×', false],
    ],
  );
  assert.match(
    report(results),
    /\| 6 layers, E = 384, N = 128 \| 1\.00 ±0\.00 \| 0\.99910 \| [^|]* \| [^|]* \| 5\.00 ±0\.00 \| 5\.00 \| 1\.50 ±0\.00 \| 1\.50 \| 0\.99980 \|/,
  );
});

test('encoders are measured in Chromium on one thread, or where they are asked for, each by itself', () => {
  const ids = encoderShapes.map(({ id }) => id);
  assert.deepEqual(ids, ['encoder128', 'encoder512']);
  const [whole, ...beside] = plannedIds([]);
  for (const id of ids) assert.ok(whole.some((group) => group.join() === id));
  assert.ok(!beside.flat(2).some((id) => ids.includes(id)));
  assert.deepEqual(plannedIds(['--engine', 'chromium', '--threads', '1', '--only', 'encoder']), [ids.map((id) => [id])]);
  const extent = { thorough: true, masks: true, work: Infinity };
  const idsFor = (id) => contestants.filter((one) => isMeasured(one, shapeNamed(id), extent)).map(({ id }) => id);
  const kinds = ['', '-int8'].flatMap((end) => ['attention', 'multiheadattention', 'onnx'].map((kind) => kind + end));
  const graphs = kinds.map((kind) => `ort-encoder-${kind}`);
  assert.deepEqual(idsFor('encoder128'), ['fovea', 'fovea-arrays', 'fovea-int8', ...graphs]);
  assert.ok(!idsFor('n128').some((id) => graphs.includes(id)));
});

test('slow inputs are measured in Chromium on one thread, or where they are asked for', () => {
  const legsWith = (args) =>
    makePlan(readOptions(args))
      .filter(({ withCliffs }) => withCliffs)
      .map(({ name, threads }) => `${name} ${threads}`);
  assert.deepEqual(legsWith([]), ['chromium 1']);
  assert.deepEqual(legsWith(['--engine', 'node24', '--only', 'cliffs']), ['node24 1', 'node24 2']);
  for (const args of [['--quick'], ['--only', 'n512'], ['--only', 'fovea'], ['--engine', 'firefox']]) {
    assert.deepEqual(legsWith(args), [], args.join(' '));
  }
  assert.deepEqual(plannedIds(['--only', 'cliffs']).flat(2), []);
});

test('a slow input is judged by its time and the ordinary one; one that fails is told', () => {
  assert.equal(new Set(cliffs.map(({ id }) => id)).size, cliffs.length);
  const results = inventedResults();
  const [leg] = results.legs;
  leg.cliffs.checkerboard = { slow: summary([3, 5, 7, 5, 3, 7]), ordinary: summary([2]) };
  leg.cliffs.d65 = { failure: 'it broke' };
  assert.equal(slowdownOf(leg, 'checkerboard'), 2.5);
  assert.equal(slowdownOf(leg, 'd65'), undefined);
  const judged = judge(results).filter(({ goal }) => goal.startsWith('slowest input'));
  assert.deepEqual(
    judged.map(({ here, reached }) => [here, reached]),
    [
      ['2.50 ×', false],
      ['3.00 ×', true],
    ],
  );
  const text = report(results);
  assert.match(
    text,
    /\| a boolean mask like a checkerboard \| standard inputs \| 5\.00 ±1\.50 \| 2\.00 ±0\.00 \| 2\.50 \| 2 \|/,
  );
  assert.match(text, /\| D = 65 \| D = 64 \| fails \| it broke \|/);
});

test('layers around attention are compared before they are timed, and shown beside the peer', () => {
  assert.equal(new Set(layers.map(({ id }) => id)).size, layers.length);
  assert.equal(differenceOf([1, -4], [1, -4]), 0);
  assert.equal(differenceOf([1, -4], [2, -4]), 0.25);
  assert.ok(!(differenceOf([1, NaN, 1], [1, 1, 1]) <= 1e-4));
  assert.equal(differenceOf([1], [1, 1]), Infinity);
  const results = inventedResults();
  results.legs[0].layers = {
    lstm: { fovea: summary([2]), peer: summary([3]) },
    sparsemax: { fovea: summary([4]), peer: null },
    gru: { failure: 'results differ' },
  };
  const text = report(results);
  assert.match(text, /\| LSTM, 256 tokens, 256 → 256 \| 2\.00 ±0\.00 \| 3\.00 ±0\.00 \| 1\.50 \|/);
  assert.match(text, /\| attention with sparsemax, N = 512, D = 64 \| 4\.00 ±0\.00 \|  \|  \|/);
  assert.match(text, /\| GRU, 256 tokens, 256 → 256 \| fails \| results differ \|/);
  const judged = judge(results).find(({ goal }) => goal.startsWith('layers around attention'));
  assert.deepEqual([judged.here, judged.reached], ['1.50 ×', true]);
});

test('decoders are measured in Chromium, or where they are asked for', () => {
  const legsWith = (args) =>
    makePlan(readOptions(args))
      .filter(({ withDecoders }) => withDecoders)
      .map(({ name, threads }) => `${name} ${threads}`);
  assert.deepEqual(legsWith([]), ['chromium 1', 'chromium 2']);
  assert.deepEqual(legsWith(['--engine', 'node24', '--only', 'decoders']), ['node24 1', 'node24 2']);
  for (const args of [['--quick'], ['--only', 'n512'], ['--only', 'cliffs']])
    assert.deepEqual(legsWith(args), [], args.join(' '));
});

test('a decoder is judged by the loops of its run, or by tokens per second', () => {
  const results = inventedResults();
  const [leg] = results.legs;
  leg.decoders = {
    llama260k: { loops: summary([0.3]), ops: summary([0.1]), layers: summary([0.06]), model: summary([0.05]) },
    gpt2: { model: summary([40]), int8: { ...summary([10]), cosine: 0.9991 }, onnxruntime: { failure: 'no memory' } },
  };
  assert.equal(decoderValue(leg, 'llama260k', 'layers').toFixed(3), '5.000');
  assert.equal(decoderValue(leg, 'gpt2', 'model'), 25);
  assert.equal(decoderValue(leg, 'gpt2', 'ops'), undefined);
  const judged = judge(results).filter(({ goal }) => goal.includes('token by token'));
  assert.deepEqual(
    judged.map(({ here, reached }) => [here, reached]),
    [
      ['3.00 ×', true],
      ['5.00 ×', true],
      ['6.00 ×', true],
      ['25.0', false],
      ['4.00 ×', true],
    ],
  );
  assert.equal(decoderRatio(leg, 'gpt2', 'model', 'onnxruntime'), undefined);
  assert.match(report(results), /\| Llama of 260,000 weights \| ops \| 100 \| 10000 \| 3\.00 \| 2\.5 \|/);
  assert.match(report(results), /\| int8 \| 10000 \| 100 \| 4\.00 \|  \|  \| 0\.99910 \|/);
  assert.match(report(results), /\| onnxruntime \| fails \| no memory \|/);
  leg.decoders.gpt2 = { failure: 'it broke' };
  assert.match(report(results), /\| GPT-2[^|]*\| +\| fails \| it broke \|/);
});

test('logits are compared before decoders are timed: by number, with weights of 8 bits by cosine', () => {
  const wanted = [1, -4, 2];
  assert.ok(checkLogits('layers', [1, -4.002, 2], wanted) > 0.999);
  assert.throws(() => checkLogits('layers', [1, -4.01, 2], wanted), /layers: logits are off by 0.0024999/);
  assert.throws(() => checkLogits('layers', [1, NaN, 2], wanted), /off by NaN/);
  assert.ok(checkLogits('int8', [1, -4.2, 2], wanted) > 0.99);
  for (const wrong of [
    [1, 4, 2],
    [1, NaN, 2],
  ])
    assert.throws(() => checkLogits('onnxruntime-int8', wrong, wanted), /onnxruntime-int8: logits have a cosine of/);
});

test('a graph of a decoder has every weight once, and keys and values of each layer coming in and going out', () => {
  const sizes = { layers: 2, width: 8, heads: 2, kvHeads: 2, between: 12, vocabulary: 20 };
  const layer = {
    ...{ 'norm1.weight': [8], 'norm1.bias': [8], 'norm2.weight': [8], 'norm2.bias': [8] },
    ...{ 'self_attn.in_proj_weight': [24, 8], 'self_attn.in_proj_bias': [24] },
    ...{ 'self_attn.out_proj.weight': [8, 8], 'self_attn.out_proj.bias': [8] },
    ...{ 'linear1.weight': [12, 8], 'linear1.bias': [12], 'linear2.weight': [8, 12], 'linear2.bias': [8] },
  };
  const named = [0, 1].flatMap((n) => Object.entries(layer).map(([name, shape]) => [`layers.${n}.${name}`, shape]));
  const shapes = [...named, ['embedding.weight', [20, 8]], ['norm.weight', [8]], ['norm.bias', [8]]];
  const weights = new Map(shapes.map(([name, shape], n) => [name, { shape, data: numbers(shape, n + 1) }]));
  const count = [...weights.values()].reduce((sum, { data }) => sum + data.length, 0);
  const [float, int8] = [false, true].map((of8Bits) => decoderGraph(sizes, weights, of8Bits));
  assert.ok(float.length > 4 * count && float.length < 4 * count + 6000, `${float.length} bytes`);
  assert.ok(int8.length < 2 * count + 12000 && int8.length > count);
  const text = new TextDecoder('latin1').decode(float);
  for (const name of ['past.0', 'past.1', 'present.0', 'present.1', 'before', 'after']) assert.ok(text.includes(name), name);
  assert.ok(!text.includes('past.2'));
});

/** A model of two weights in two shards of TensorFlow.js's graph format. */
function writeGraphModel(folder, change = {}) {
  const weights = [
    { name: 'w', shape: [2, 1], dtype: 'float32' },
    { name: 'axis', shape: [], dtype: 'int32', ...change },
  ];
  const topology = {
    node: [
      { name: 'y', op: 'Sum', input: ['w', 'axis'], attr: { keep_dims: { b: false } } },
      { name: 'w', op: 'Const' },
    ],
  };
  writeFileSync(
    join(folder, 'model.json'),
    JSON.stringify({ modelTopology: topology, weightsManifest: [{ paths: ['a', 'b'], weights }] }),
  );
  const bytes = Buffer.from(new Uint8Array([...new Uint8Array(Float32Array.of(1.5, -2).buffer), 7, 0, 0, 0]));
  writeFileSync(join(folder, 'a'), bytes.subarray(0, 5));
  writeFileSync(join(folder, 'b'), bytes.subarray(5));
}

test("TensorFlow.js's graph files are read: nodes, and weights across shards", () => {
  const folder = mkdtempSync(join(tmpdir(), 'fovea-bench-'));
  try {
    writeGraphModel(folder);
    const { nodes, weights } = readGraphModel(folder);
    assert.deepEqual(nodes.get('y'), { op: 'Sum', inputs: ['w', 'axis'], attributes: { keep_dims: { b: false } } });
    assert.deepEqual(nodes.get('w').inputs, []);
    assert.deepEqual(weights.get('w'), { data: Float32Array.of(1.5, -2), shape: [2, 1] });
    assert.deepEqual(weights.get('axis'), { data: Int32Array.of(7), shape: [] });
    writeGraphModel(folder, { shape: [2] });
    assert.throws(() => readGraphModel(folder));
    writeGraphModel(folder, { dtype: 'string' });
    assert.throws(() => readGraphModel(folder), /axis: weights of string are not read/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('text is cut into the pieces whose probabilities have the largest product', () => {
  const reserved = ['<unk>', '<s>', '</s>', 'x', 'x', 'x'].map((piece) => [piece, 0]);
  const pieces = [['\u2581a', -1], ['b', -2], ['ab', -1.5], ['\u2581', -3], ['a', -2.5], ['abb', -9]]; // prettier-ignore
  const cut = makeTokenizer([...reserved, ...pieces]);
  assert.deepEqual(cut('ab'), [6, 7]); // -3 of ▁a b, against -4.5 of ▁ ab
  assert.deepEqual(cut(' b  ab '), [9, 7, 6, 7]); // blanks are one
  assert.deepEqual(cut('abb'), [6, 7, 7]); // -5, against -12 of ▁ abb
  assert.deepEqual(cut('aéüb'), [6, 0, 7]); // unknown letters are one piece
  assert.deepEqual(cut('<s>'), [9, 0]); // no reserved piece
});

test('ranks, their correlation, and the neighbors that stay', () => {
  assert.deepEqual(ranks([3, 1, 2, 1]), [3, 0.5, 2, 0.5]);
  assert.ok(Math.abs(correlation([1, 2, 3], [4, 6, 8]) - 1) < 1e-12);
  assert.ok(Math.abs(correlation([1, 2, 3, 4], [2, 1, 4, 3]) - 0.6) < 1e-12);
  const around = (degrees) => degrees.map((d) => [Math.cos((d * Math.PI) / 180), Math.sin((d * Math.PI) / 180)]);
  const one = around([0, 10, 50, 100]);
  assert.equal(neighborsKept(one, one, 2), 8);
  assert.equal(neighborsKept(one, around([0, 40, 50, 100]), 1), 3); // the second's nearest is now the third
});

test("the loops' decoder sees earlier tokens, and none of them after it is reset", () => {
  const shape = { ...decoders[0], layers: 2, width: 8, heads: 4, kvHeads: 2, between: 4, vocabulary: 4, tokens: 3 };
  const sizes = {
    'norm1.': 8,
    'self_attn.in_proj_': 128,
    'self_attn.out_proj.': 64,
    'norm2.': 8,
    'linear1.': 64,
    'linear2.': 32,
  };
  const array = (length) => ({ data: Float32Array.from({ length }, (_, n) => Math.sin(n + 1)) });
  const weights = new Map([
    ['embedding.weight', array(32)],
    ['norm.weight', array(8)],
  ]);
  for (const n of [0, 1])
    for (const [name, size] of Object.entries(sizes)) weights.set(`layers.${n}.${name}weight`, array(size));
  const { step } = byLoops({}, shape, { stateDict: () => weights });
  const last = (ids) => [...ids.map((id, position) => [...step(id, position)]).at(-1)];
  const [first, second] = [last([1, 2]), last([3, 2])];
  assert.ok(first.every(Number.isFinite));
  assert.notDeepEqual(first, second);
  assert.deepEqual(last([1, 2]), first);
});

/** Results in which fovea reaches half of every limit and is twice as fast as the best peer. */
function inventedResults() {
  const leg = (engine, threads) => ({
    engine,
    version: '1',
    threads,
    cliffs: Object.fromEntries(cliffs.map(({ id, goal }) => [id, { slow: summary([goal]), ordinary: summary([1]) }])),
    cold: null,
    shapes: shapes.map((shape) => entry(shape, threads)),
  });
  const entry = (shape, threads) => {
    const limits = { mulAdd: 40, madd: 50, read: 20 };
    const work = shape.decode ? cacheBytes(shape) / limits.read : flopsOf(shape) / limits.madd;
    const result = (times, more) => ({
      ...summary([(times * work) / 1e6 / threads]),
      first: 1,
      before: arrayBytes(shape),
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
  assert.deepEqual(found['window(128, 128), N = 16384, one thread: density × dense time / time'], ['100 %', true]);
  assert.deepEqual(found['window(128, 128), N = 262144: wasm memory in all'], ['256 MiB', true]);
  assert.deepEqual(found['linear, elu1, N = 16384 and up, one thread: part of the madd limit'], ['50 %', true]);
  assert.deepEqual(found['linear, elu1, causal: part of the madd limit'], ['50 %', true]);
  assert.deepEqual(found['linear, gated, delta, gatedDelta: part of the madd limit'], ['50 %', true]);
  assert.deepEqual(found['linear, update rules, N = 16384: times the best peer'], ['2.00 ×', true]);
  assert.deepEqual(found['encoder, N = 128: times the best peer'], ['2.00 ×', true]);
  assert.deepEqual(found['linear, elu1, time = a · N^b: |b - 1|'], ['0.000', true]);
  assert.deepEqual(found['linear, 1,000,000 tokens through a state: wasm memory gained'], ['0.0 MB', true]);
});

test('goals are judged by the median of three runs of one commit and machine', () => {
  const goal = 'encoder, N = 128: times the best peer';
  const run = (times, commit = 'a') => {
    const results = inventedResults();
    results.machine.commit = commit;
    results.legs[0].shapes.find(({ shape }) => shape === 'encoder128').results.fovea.median /= times;
    return results;
  };
  const after = (previous, results) => ({ ...results, earlierGoals: earlierGoals(previous, results) });
  const judged = (results) => {
    const { here, runs, reached } = judge(results).find((one) => one.goal === goal);
    return [here, runs, reached];
  };
  const first = after(undefined, run(0.5));
  const second = after(first, run(0.7));
  const third = after(second, run(1));
  assert.deepEqual([first, second, third].map(judged), [
    ['1.00 ×', 1, false],
    ['1.20 ×', 2, false],
    ['1.40 ×', 3, false],
  ]);
  assert.deepEqual(judged(after(third, run(1))), ['2.00 ×', 3, true]);
  assert.deepEqual(judged(after(third, run(1, 'b'))), ['2.00 ×', 1, true]);
  assert.equal(goalValues(third)[goal], 2);
});

test('how time grows with the tokens is fitted on logarithms', () => {
  const shapeIds = ['elu1024', 'elu4096', 'elu16384', 'elu65536', 'elu262144', 'elu1048576'];
  const leg = (ids) => ({
    shapes: ids.map((id) => ({ shape: id, results: { fovea: { median: 3e-6 * shapeNamed(id).queries ** 1.25 } } })),
  });
  const { a, b, from, to } = growthOf(leg(shapeIds));
  assert.ok(Math.abs(a - 3) < 1e-9 && Math.abs(b - 1.25) < 1e-12);
  assert.deepEqual([Math.round(from), Math.round(to)], [1024, 1048576]);
  assert.equal(growthOf(leg(shapeIds.slice(0, 2))), undefined);
});

test('report and chart are the same for the same results', () => {
  const text = report(inventedResults());
  assert.match(text, /\| N = 512 \| 21\.5 ±0\.00 \| 25\.0 \| 50 % \| 2\.00 \|/);
  assert.match(text, /- fails \(.*N = 4096.*\): onnxruntime-web, MultiHeadAttention: Integer overflow/);
  assert.match(
    text,
    /\| atrous\(64\), N = 16384 \| 1\.56 % \| 42\.9 ±0\.00 \| 10\.2 \| 100 % \| 50 % \| 1\.00 \| 17 \| 85\.9 ±0\.00 \| 17 \|/,
  );
  assert.match(
    text,
    /\| updateRule delta, N = 16384 \| 10\.7 ±0\.00 \| 655 \| 50 % \| 1\.00 \| 17 → 17 \| 21\.5 ±0\.00 \| 2\.00 \| 17 \|/,
  );
  assert.match(text, /elu1, N = 1024 to 1048576: time = 655 ns · N\^1\.000/);
  assert.doesNotMatch(text, /\| atrous.*GFLOP|NaN|undefined/);
  const chart = drawChart(inventedResults());
  assert.equal(chart, drawChart(inventedResults()));
  const groups = 5 + shapes.filter(({ decode, keys, encoder }) => (decode && keys === 4096) || encoder !== null).length;
  assert.equal(chart.match(/<rect /g).length, 5 + 3 * groups); // the legend, then three contestants for each shape of three pictures
  assert.doesNotMatch(chart, /NaN|undefined/);
});

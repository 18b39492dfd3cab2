/** The builders of fovea/pattern: what they make, how it reads, and what they refuse. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pattern, pattern as P } from 'fovea/pattern';
import { AttentionError } from 'fovea';
import { fovea } from '../support/api.ts';

const everyKind: Record<string, Pattern> = {
  all: P.all(),
  causal: P.causal(),
  'window(2, -1)': P.window(2, -1),
  'window(2, 3)': P.truncated(2, 3),
  'window(4, 4)': P.local(4),
  'atrous(4)': P.atrous(4),
  'block(8)': P.block(8),
  'blockDiagonal([3, 0, 4])': P.blockDiagonal(new Int32Array([3, 0, 4])),
  'globalTokens([1, 3])': P.globalTokens([3, 1, 1]),
  'globalTokens([0, 1, 2, … 20 in all])': P.globalTokens(Array.from({ length: 20 }, (_, i) => i)),
  'random({ perQuery: 2, block: 3, seed: 1099511627781 })': P.random({ perQuery: 2, block: 3, seed: 2 ** 40 + 5 }),
  'axial({ shape: [3, 4, 5], axis: 1 })': P.axial({ shape: [3, 4, 5], axis: -2 }),
  'neighbors2d({ shape: [3, 4], radius: 1 })': P.neighbors2d({ shape: [3, 4], radius: 1 }),
  'neighbors2d({ shape: [3, 4], radius: 1, prefixTokens: 2 })': P.neighbors2d({ shape: [3, 4], radius: 1, prefixTokens: 2 }),
  'neighbors2d({ shape: [3, 4], radius: [1, 0] })': P.neighbors2d({ shape: [3, 4], radius: [1, 0] }),
  '(block(8) or columns(8, 6, 8)) and causal': P.fixed(8, 2),
  '(window(8, 0) or atrous(8)) and causal': P.strided(8),
  'window(8, 8) and atrous(2) or globalTokens([0])': P.longformer({ window: 8, dilation: 2, globalTokens: [0] }),
  'window(3, 3)': P.longformer({ window: 6 }),
  'blocks(4, 1, 1) or globalTokens([0, 1, 2, 3]) or random({ perQuery: 3, block: 4, seed: 7 })': P.bigBird({
    block: 4,
    global: 1,
    seed: 7,
  }),
  'block(64)': P.bigBird({ window: 1, global: 0, random: 0 }),
  'graph(2 edges)': P.graph({
    edges: [
      [1, 2],
      [0, 3],
      [1, 2],
    ],
  }),
  'graph(3 edges with bias)': P.graph({ indptr: [0, 1, 3], indices: [1, 2, 0], bias: [1, 2.5, 3] }),
  'lsh({ buckets: 4, rounds: 1, seed: 0 })': P.lsh({ buckets: 4 }),
  'fromMask([2, 2])': P.fromMask([
    [true, false],
    [false, true],
  ]),
  'fromMask([1, 2, 1, 33])': P.fromMask({ data: new Uint8Array(66).fill(1), shape: [1, 2, 1, 33] }),
  'perHead([causal, not (window(1, 1) or block(3))])': P.perHead([P.causal(), P.window(1, 1).or(P.block(3)).not()]),
  '(window(128, 128) or atrous(64)) and causal': P.window(128, 128).or(P.atrous(64)).and(P.causal()),
};

for (const [text, pattern] of Object.entries(everyKind)) {
  test(`${text}: describes itself, is frozen, and is the same after JSON`, () => {
    // A batch of one is no axis that differs.
    assert.equal(pattern.describe(), text.replace('[1, 2, 1, 33]', '[2, 1, 33]'));
    assert.ok(pattern instanceof Pattern && Object.isFrozen(pattern));
    const json = JSON.stringify(pattern);
    const again = P.from(JSON.parse(json));
    assert.equal(again.describe(), pattern.describe());
    assert.equal(JSON.stringify(again), json);
  });
}

test('or of ors is one or, and of ands one and; without others the pattern itself', () => {
  const [a, b, c] = [P.window(1, 1), P.atrous(2), P.causal()];
  assert.deepEqual(a.or(b.or(c)).toJSON(), ['or', ['window', 1, 1], ['atrous', 2], ['causal']]);
  assert.deepEqual(a.and(b).and(c).toJSON(), ['and', ['window', 1, 1], ['atrous', 2], ['causal']]);
  assert.equal(a.or(), a);
  assert.equal(a.and(), a);
  assert.equal(a.and(b).or(c).not().describe(), 'not (window(1, 1) and atrous(2) or causal)');
});

test('a tree is at most 64 levels deep', () => {
  let deep: Pattern = P.causal();
  for (let level = 1; level < 64; level++) deep = deep.not();
  assert.equal(deep.density(fovea, { queries: 2, keys: 2 }), 1 / 4);
  assert.throws(() => deep.not(), /^AttentionError: pattern: patterns are at most 64 levels deep, got 65$/);
});

test('edges are sorted and counted once, and a bias moves along', () => {
  const nested = P.graph({
    edges: [
      [2, 1],
      [0, 5],
      [2, 0],
    ],
    bias: [1, 2, 3],
  });
  assert.deepEqual(nested.toJSON(), ['graph', { edges: [0, 5, 2, 0, 2, 1], bias: [2, 3, 1] }]);
  const flat = P.graph({ edges: new Int32Array([2, 1, 0, 5, 2, 0]), bias: new Float32Array([1, 2, 3]) });
  assert.deepEqual(flat.toJSON(), nested.toJSON());
  const lists = P.graph({ indptr: [0, 0, 3], indices: [4, 1, 4] });
  assert.deepEqual(lists.toJSON(), ['graph', { indptr: [0, 0, 2], indices: [1, 4] }]);
  assert.deepEqual(P.graph({ edges: [] }).toJSON(), ['graph', { edges: [] }]);
});

test('a pattern keeps its own numbers', () => {
  const indices = new Int32Array([5, 2]);
  const bias = new Float32Array([1]);
  const [tokens, graph] = [P.globalTokens(indices), P.graph({ edges: [[0, 1]], bias })];
  indices.fill(9);
  bias.fill(9);
  assert.deepEqual(tokens.toJSON(), ['globalTokens', [2, 5]]);
  assert.deepEqual(graph.toJSON(), ['graph', { edges: [0, 1], bias: [1] }]);
});

const bad = P as unknown as Record<string, (...args: unknown[]) => unknown>;
const refused: [code: string, message: RegExp, call: () => unknown][] = [
  ['value', /^pattern\.window: left must be an integer of at least -1, got -2$/, () => P.window(-2, 0)],
  ['value', /^pattern\.window: right must be an integer of at least -1, got undefined$/, () => bad['window']!(1)],
  ['value', /^pattern\.truncated: right .* got 0\.5$/, () => P.truncated(1, 0.5)],
  ['value', /^pattern\.local: k .* got -3$/, () => P.local(-3)],
  ['value', /^pattern\.atrous: k must be an integer from 1 to \d+, got 0$/, () => P.atrous(0)],
  ['value', /^pattern\.block: size .* got '4'$/, () => bad['block']!('4')],
  ['value', /^pattern\.blockDiagonal: lengths\[1\] .* got -1$/, () => P.blockDiagonal([1, -1])],
  ['value', /^pattern\.blockDiagonal: lengths must be at least one/, () => P.blockDiagonal([])],
  ['value', /^pattern\.blockDiagonal: the sum of the lengths/, () => P.blockDiagonal([2 ** 29, 1])],
  ['value', /^pattern\.globalTokens: indices\[1\] .* got -1$/, () => P.globalTokens([1, -1])],
  ['value', /^pattern\.globalTokens: indices must be an array of integers, got 3$/, () => bad['globalTokens']!(3)],
  ['value', /array of integers, got a Map/, () => bad['globalTokens']!(new Map())],
  ['value', /^pattern\.random: perQuery .* got 0$/, () => P.random({ perQuery: 0 })],
  ['value', /^pattern\.random: seed .* got -1$/, () => P.random({ perQuery: 1, seed: -1 })],
  ['option', /^pattern\.random: unknown option 'perquery'; did you mean 'perQuery'\?$/, () => bad['random']!({ perquery: 1 })],
  ['option', /^pattern\.random: options must be an object, got 3$/, () => bad['random']!(3)],
  ['value', /^pattern\.axial: shape must be an array of integers, got undefined$/, () => bad['axial']!({})],
  ['value', /^pattern\.axial: axis must be an integer from -2 to 1, got 2$/, () => P.axial({ shape: [2, 3], axis: 2 })],
  ['shape', /^pattern\.axial: shape must have at least one axis/, () => P.axial({ shape: [], axis: 0 })],
  ['value', /^pattern\.axial: shape\[0\] .* got 0$/, () => P.axial({ shape: [0, 3], axis: 0 })],
  ['shape', /^pattern\.neighbors2d: shape must be \[height, width\]/, () => P.neighbors2d({ shape: [2] as never, radius: 1 })],
  [
    'value',
    /^pattern\.neighbors2d: prefixTokens must be .* got -1$/,
    () => P.neighbors2d({ shape: [2, 2], radius: 1, prefixTokens: -1 }),
  ],
  ['value', /^pattern\.neighbors2d: radius\[0\] .* got -1$/, () => P.neighbors2d({ shape: [2, 2], radius: -1 })],
  ['value', /^pattern\.fixed: c must be an integer from 1 to 8, got 9$/, () => P.fixed(8, 9)],
  ['value', /^pattern\.strided: stride .* got 0$/, () => P.strided(0)],
  ['value', /^pattern\.longformer: window must be even/, () => P.longformer({ window: 3 })],
  ['value', /^pattern\.longformer: dilation .* got 0$/, () => P.longformer({ window: 2, dilation: 0 })],
  ['option', /did you mean 'globalTokens'/, () => bad['longformer']!({ window: 2, globaltokens: [] })],
  ['value', /^pattern\.bigBird: window must be odd/, () => P.bigBird({ window: 2 })],
  ['value', /^pattern\.bigBird: block .* got 0$/, () => P.bigBird({ block: 0 })],
  ['option', /^pattern\.graph: either edges must be given, or indptr and indices$/, () => bad['graph']!({})],
  ['option', /^pattern\.graph: either/, () => bad['graph']!({ edges: [], indices: [] })],
  ['shape', /^pattern\.graph: edges must be pairs \[query, key\], got 3 numbers$/, () => P.graph({ edges: [1, 2, 3] })],
  ['shape', /^pattern\.graph: edges\[1\] must be/, () => bad['graph']!({ edges: [[1, 2], [3]] })],
  ['value', /^pattern\.graph: edges\[0\] .* got -1$/, () => P.graph({ edges: [[-1, 2]] })],
  ['value', /^pattern\.graph: indptr\[1\] .* got 2$/, () => P.graph({ indptr: [0, 2, 1], indices: [1] })],
  ['value', /^pattern\.graph: indptr must rise from 0/, () => P.graph({ indptr: [0, 1, 0, 1], indices: [1] })],
  ['value', /^pattern\.graph: indptr must rise from 0/, () => P.graph({ indptr: [], indices: [] })],
  ['shape', /^pattern\.graph: bias must have one number per edge, 1, got 2$/, () => P.graph({ edges: [0, 1], bias: [1, 2] })],
  ['value', /^pattern\.graph: bias\[0\] must be a finite number/, () => P.graph({ edges: [0, 1], bias: [NaN] })],
  [
    'value',
    /^pattern\.graph: edges with a bias must differ, got \[0, 1\] twice$/,
    () => P.graph({ edges: [0, 1, 0, 1], bias: [1, 2] }),
  ],
  ['value', /^pattern\.fromMask: mask must hold booleans/, () => bad['fromMask']!([[1, 0]])],
  ['shape', /^pattern\.fromMask: mask must be \[Tq, Tk\]/, () => P.fromMask([true])],
  ['shape', /^pattern\.fromMask: mask must not be ragged/, () => P.fromMask([[true], [true, false]])],
  ['value', /^pattern\.fromFunction: f must be a function/, () => bad['fromFunction']!(true)],
  ['value', /^pattern\.lsh: buckets must be even, got 3$/, () => P.lsh({ buckets: 3 })],
  ['value', /^pattern\.lsh: rounds .* got 0$/, () => P.lsh({ buckets: 2, rounds: 0 })],
  ['value', /^pattern\.perHead: patterns must be an array/, () => P.perHead([])],
  ['value', /^pattern\.perHead: patterns\[1\] must be a Pattern/, () => bad['perHead']!([P.all(), 1])],
  [
    'value',
    /^pattern\.or: argument 2 must be a Pattern, such as pattern\.window\(1, 1\), got 3$/,
    () => P.all().or(P.all(), 3 as never),
  ],
  ['value', /^pattern\.and: argument 1 must be a Pattern/, () => P.all().and({} as never)],
  [
    'value',
    /^pattern\.toJSON: a function cannot be written as JSON; use pattern\.fromMask/,
    () =>
      P.fromFunction(() => true)
        .not()
        .toJSON(),
  ],
  [
    'value',
    /^pattern\.toMask: fovea must be what load\(\) returned/,
    () => P.all().toMask({} as never, { queries: 1, keys: 1 }),
  ],
  ['value', /^pattern\.from: the argument must be what toJSON/, () => P.from({})],
  ['value', /^pattern\.from: the argument must be what toJSON/, () => P.from(['or', 3])],
  ['value', /^pattern\.from: 'not' must have one pattern, got 2$/, () => P.from(['not', ['all'], ['all']])],
  ['option', /^pattern\.from: unknown pattern 'windw'; did you mean 'window'\?$/, () => P.from(['windw', 1, 2])],
  ['option', /^pattern\.from: unknown pattern 'constructor'/, () => P.from(['constructor'])],
  ['value', /^pattern\.from: window: right/, () => P.from(['window', 1])],
  [
    'shape',
    /^pattern\.from: bits: words must be as many/,
    () => P.from(['bits', { batch: 1, heads: 1, rows: 2, columns: 2, words: [1] }]),
  ],
];

for (const [code, message, call] of refused) {
  test(`${call.toString().slice(6)} is a ${code} error`, () => {
    assert.throws(call, (error) => {
      assert.ok(error instanceof AttentionError);
      assert.match(error.message, message);
      assert.equal(error.code, code);
      return true;
    });
  });
}

/** Each named pattern at a small size, beside a mask written out by hand from its paper. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pattern as P, type Pattern, type PatternSizes } from 'fovea/pattern';
import { fails, fovea, leavesNothing } from '../support/api.ts';

/** Rows of a mask as text: x = kept. */
function rows(pattern: Pattern, sizes: PatternSizes): string[] {
  const { data, shape } = leavesNothing(() => pattern.toMask(fovea, sizes));
  const keys = shape.at(-1)!;
  return Array.from({ length: data.length / keys }, (_, row) =>
    [...data.subarray(row * keys, (row + 1) * keys)].map((kept) => (kept === 1 ? 'x' : '.')).join(''),
  );
}

const square = (size: number): PatternSizes => ({ queries: size, keys: size });

test('window, truncated and local: inclusive on both sides', () => {
  const wanted = ['xx....', 'xxx...', 'xxxx..', '.xxxx.', '..xxxx', '...xxx'];
  assert.deepEqual(rows(P.window(2, 1), square(6)), wanted);
  assert.deepEqual(rows(P.truncated(2, 1), square(6)), wanted);
  assert.deepEqual(rows(P.local(1), square(4)), ['xx..', 'xxx.', '.xxx', '..xx']);
  assert.deepEqual(rows(P.window(-1, 0), square(3)), rows(P.causal(), square(3)));
});

test('atrous, block and blockDiagonal', () => {
  assert.deepEqual(rows(P.atrous(3), square(6)), ['x..x..', '.x..x.', '..x..x', 'x..x..', '.x..x.', '..x..x']);
  assert.deepEqual(rows(P.block(2), square(5)), ['xx...', 'xx...', '..xx.', '..xx.', '....x']);
  assert.deepEqual(rows(P.blockDiagonal([2, 0, 3]), square(5)), ['xx...', 'xx...', '..xxx', '..xxx', '..xxx']);
});

test('Sparse Transformer, strided: the last l and every l-th before (arXiv:1904.10509 §4.2)', () => {
  assert.deepEqual(rows(P.strided(3), square(8)), [
    'x.......',
    'xx......',
    'xxx.....',
    'xxxx....',
    '.xxxx...',
    '..xxxx..',
    'x..xxxx.',
    '.x..xxxx',
  ]);
});

test('Sparse Transformer, fixed: the own block and the last c of each (arXiv:1904.10509 §4.2)', () => {
  assert.deepEqual(rows(P.fixed(4, 1), square(9)), [
    'x........',
    'xx.......',
    'xxx......',
    'xxxx.....',
    '...xx....',
    '...xxx...',
    '...xxxx..',
    '...xxxxx.',
    '...x...xx',
  ]);
});

test('Longformer: a dilated window on both sides, and symmetric global attention (arXiv:2004.05150 §3.1)', () => {
  assert.deepEqual(rows(P.longformer({ window: 2, globalTokens: [0] }), square(6)), [
    'xxxxxx',
    'xxx...',
    'xxxx..',
    'x.xxx.',
    'x..xxx',
    'x...xx',
  ]);
  assert.deepEqual(rows(P.longformer({ window: 4, dilation: 2 }), square(7)), [
    'x.x.x..',
    '.x.x.x.',
    'x.x.x.x',
    '.x.x.x.',
    'x.x.x.x',
    '.x.x.x.',
    '..x.x.x',
  ]);
});

test('BigBird: a window of blocks, the first blocks global, others drawn (arXiv:2007.14062 §2)', () => {
  const fixed = rows(P.bigBird({ block: 2, window: 3, global: 1, random: 0 }), square(10));
  assert.deepEqual(fixed, [
    'xxxxxxxxxx',
    'xxxxxxxxxx',
    'xxxxxx....',
    'xxxxxx....',
    'xxxxxxxx..',
    'xxxxxxxx..',
    'xx..xxxxxx',
    'xx..xxxxxx',
    'xx....xxxx',
    'xx....xxxx',
  ]);
  const drawn = rows(P.bigBird({ block: 2, window: 1, global: 0, random: 2, seed: 5 }), square(10));
  drawn.forEach((row, i) => {
    assert.equal(row, drawn[i - (i % 2)], 'all queries of a block see the same');
    assert.equal(row[i], 'x');
    const blocks = row.match(/../g)!;
    assert.ok(blocks.every((block) => block === 'xx' || block === '..'));
    assert.ok([2, 3].includes(blocks.filter((block) => block === 'xx').length));
  });
  assert.deepEqual(rows(P.bigBird({ block: 2, window: 1, global: 4, random: 0 }), square(3)), ['xxx', 'xxx', 'xxx']);
});

test('random: as many keys as are asked for, whether they are few or most of them', () => {
  for (const perQuery of [1, 6, 7, 8, 50, 199, 200, 500]) {
    for (const row of rows(P.random({ perQuery, seed: 3 }), square(200))) {
      assert.equal(row.split('x').length - 1, Math.min(perQuery, 200), String(perQuery));
    }
  }
});

test('random: so many per block of queries, by head and seed; all where there are no more', () => {
  const draw = (seed: number, head: number) =>
    rows(P.random({ perQuery: 3, seed }), { ...square(12), heads: 2 }).slice(head * 12, head * 12 + 12);
  for (const row of draw(1, 0)) assert.equal(row.match(/x/g)!.length, 3);
  assert.deepEqual(draw(1, 0), draw(1, 0));
  assert.notDeepEqual(draw(1, 0), draw(2, 0));
  assert.notDeepEqual(draw(1, 0), draw(1, 1));
  assert.deepEqual(rows(P.random({ perQuery: 9, block: 2 }), square(3)), ['xxx', 'xxx', 'xxx']);
});

test('axial: one line of the grid along an axis (arXiv:1912.12180)', () => {
  assert.deepEqual(rows(P.axial({ shape: [2, 3], axis: 1 }), square(6)), [
    'xxx...',
    'xxx...',
    'xxx...',
    '...xxx',
    '...xxx',
    '...xxx',
  ]);
  assert.deepEqual(rows(P.axial({ shape: [2, 3], axis: 0 }), square(6)), [
    'x..x..',
    '.x..x.',
    '..x..x',
    'x..x..',
    '.x..x.',
    '..x..x',
  ]);
  const cube = rows(P.axial({ shape: [2, 2, 2], axis: 1 }), square(8));
  assert.deepEqual(cube, ['x.x.....', '.x.x....', 'x.x.....', '.x.x....', '....x.x.', '.....x.x', '....x.x.', '.....x.x']);
});

test('neighbors2d: squares on the grid', () => {
  assert.deepEqual(rows(P.neighbors2d({ shape: [3, 3], radius: 1 }), square(9)).slice(3, 6), [
    'xx.xx.xx.',
    'xxxxxxxxx',
    '.xx.xx.xx',
  ]);
  assert.deepEqual(rows(P.neighbors2d({ shape: [2, 3], radius: [0, 1] }), square(6)).slice(0, 2), ['xx....', 'xxx...']);
  // A class token and 2 × 3 places behind it.
  assert.deepEqual(rows(P.neighbors2d({ shape: [2, 3], radius: [1, 0], prefixTokens: 1 }), square(7)), [
    'xxxxxxx',
    'xx..x..',
    'x.x..x.',
    'x..x..x',
    'xx..x..',
    'x.x..x.',
    'x..x..x',
  ]);
});

test('graph, fromMask, fromFunction and perHead', () => {
  assert.deepEqual(
    rows(
      P.graph({
        edges: [
          [2, 0],
          [0, 1],
          [2, 2],
        ],
      }),
      square(4),
    ),
    ['.x..', '....', 'x.x.', '....'],
  );
  assert.deepEqual(rows(P.graph({ indptr: [0, 1, 3], indices: [2, 1, 0] }), { queries: 2, keys: 3 }), ['..x', 'xx.']);
  assert.deepEqual(
    rows(
      P.fromMask([
        [true, false],
        [false, true],
      ]),
      square(2),
    ),
    ['x.', '.x'],
  );
  assert.deepEqual(
    rows(
      P.fromFunction((i, j) => i === j + 1),
      square(3),
    ),
    ['...', 'x..', '.x.'],
  );
  const pattern = P.perHead([P.causal(), P.all()]);
  assert.deepEqual(pattern.toMask(fovea, square(2)).shape, [2, 2, 2]);
  assert.deepEqual(rows(pattern, square(2)), ['x.', 'xx', 'xx', 'xx']);
});

test('p is i + offset; what is indexed by p has nothing beyond it', () => {
  assert.deepEqual(rows(P.causal(), { queries: 2, keys: 4, offset: 2 }), ['xxx.', 'xxxx']);
  assert.deepEqual(rows(P.causal(), { queries: 3, keys: 2, offset: -1 }), ['..', 'x.', 'xx']);
  assert.deepEqual(rows(P.graph({ edges: [[1, 0]] }), { queries: 2, keys: 2, offset: 1 }), ['x.', '..']);
  assert.deepEqual(
    rows(
      P.fromFunction((i, j) => i === j),
      { queries: 1, keys: 9, offset: 7 },
    ),
    ['.......x.'],
  );
  assert.deepEqual(rows(P.block(2), { queries: 2, keys: 2, offset: -1 }), ['..', 'xx']);
});

test('lsh: tokens that hash alike meet, in any round', () => {
  const x = [
    [1, 0],
    [0.9, 0.1],
    [-1, 0],
    [-0.8, -0.1],
  ];
  const bound = P.lsh({ buckets: 4, rounds: 2, seed: 3 }).bind(fovea, x, x);
  const mask = rows(bound, square(4));
  assert.equal(mask[0]![0], 'x');
  mask.forEach((row, i) => row.split('').forEach((kept, j) => assert.equal(mask[j]![i], kept, 'symmetric where q is k')));
  // Opposite directions never share a bucket: argmax [xR, -xR] of -x is the other half.
  assert.equal(mask[0]![2], '.');
  assert.deepEqual(rows(P.from(JSON.parse(JSON.stringify(bound))), square(4)), mask);
  const wide = { data: new Float32Array(2 * 3 * 2).fill(1), shape: [2, 3, 2] };
  const grouped = P.lsh({ buckets: 2 }).bind(fovea, wide, x);
  assert.deepEqual(grouped.toMask(fovea, { queries: 3, keys: 4 }).shape, [2, 3, 4]);
  fails('shape', /^pattern\.lsh\.bind: q and k must share their width, got q \[1, 3\], k \[4, 2\]$/, () =>
    P.lsh({ buckets: 2 }).bind(fovea, [[1, 2, 3]], x),
  );
  fails('shape', /^pattern\.lsh\.bind: the heads of k must equal or divide those of q/, () =>
    P.lsh({ buckets: 2 }).bind(fovea, x, wide),
  );
  fails('value', /^pattern\.toMask: pattern\.lsh must be bound/, () =>
    P.lsh({ buckets: 2 }).or(P.all()).toMask(fovea, square(4)),
  );
});

test('sizes that do not fit are shape errors, others value or option', () => {
  const ask = (pattern: Pattern, sizes: object) => () => pattern.toMask(fovea, sizes as PatternSizes);
  const grid = P.axial({ shape: [2, 3], axis: 0 });
  fails('shape', /^pattern\.toMask: pattern\.axial is made for 6 keys, got 5$/, ask(grid, { queries: 6, keys: 5 }));
  fails('shape', /pattern\.axial is made for positions 0 to 5, got 1 to 6$/, ask(grid, { queries: 6, keys: 6, offset: 1 }));
  fails(
    'shape',
    /pattern\.axial is made for positions 0 to 5, got -1 to 4$/,
    ask(grid.not(), { queries: 6, keys: 6, offset: -1 }),
  );
  fails(
    'shape',
    /pattern\.graph has an edge to key 4, which must be below the number of keys, got 4$/,
    ask(P.graph({ edges: [0, 4] }), square(4)),
  );
  fails(
    'shape',
    /pattern\.perHead is made for 2 query heads, got 3$/,
    ask(P.perHead([P.all(), P.all()]), { ...square(2), heads: 3 }),
  );
  fails('shape', /pattern\.blockDiagonal is made for 3 keys, got 4$/, ask(P.blockDiagonal([1, 2]).or(P.all()), square(4)));
  fails(
    'value',
    /pattern\.fromFunction needs positions from 0 on, got -1$/,
    ask(
      P.fromFunction((i, j) => i > j),
      { ...square(2), offset: -1 },
    ),
  );
  fails('option', /^pattern\.toMask: the option keys must be given$/, ask(P.all(), { queries: 3 }));
  fails('option', /unknown option 'querie'; did you mean 'queries'\?/, ask(P.all(), { querie: 3, keys: 2 }));
  fails('value', /queries must be an integer/, ask(P.all(), { queries: -3, keys: 2 }));
  fails('memory', /bytes|pairs/, ask(P.all(), { queries: 2 ** 20, keys: 2 ** 20 }));
});

test('sizes of 0, a pattern that keeps nothing, and its density', () => {
  assert.equal(P.all().density(fovea, { queries: 0, keys: 3 }), 0);
  assert.equal(P.all().not().density(fovea, square(3)), 0);
  assert.equal(P.all().density(fovea, square(3)), 1);
  assert.equal(P.causal().density(fovea, square(4)), 10 / 16);
  assert.deepEqual(P.all().pairs(fovea, { queries: 2, keys: 0 }), {
    shape: [2, 0],
    indptr: new Int32Array(3),
    indices: new Int32Array(0),
  });
});

/**
 * NaN and Infinity in q, k, v and masks, in every lane and around the borders of key tiles (DESIGN section 4):
 * in a masked key or value they leak nowhere; a NaN or +Infinity logit of an allowed pair makes its row NaN and no other;
 * in a live value they touch their own column of the rows that may attend to it. All else keeps its bits.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EPS, firstDifference, firstDifferenceIn } from './support/truth_bounds.ts';
import type { Plain } from './support/truth_forms.ts';
import { loadForTests } from './support/truth_instance.ts';
import { TestRandom } from './support/truth_random.ts';
import { referenceAttention, type ReferenceOptions } from './support/truth_reference.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

const POISONS = [NaN, Infinity, -Infinity];
const WIDTHS = [1, 3, 7, 64];
const QUERIES = [1, 6];
const KEYS = 67;
const KEY_NUMBERS = Array.from({ length: KEYS }, (_, j) => j);
const PLACES = [0, 3, 63, 64, 65];
/** Columns of a width: every one of a block of 16, which kernels unroll, and each such block of 64 four times. */
const lanesOf = (D: number) => Array.from({ length: Math.min(D, 16) }, (_, n) => (D > 16 ? n + 16 * (n % 4) : n));
const HUGE = 3e38;

/** Options of `attention` that the reference takes too: plain arrays only. */
type Options = Omit<ReferenceOptions, 'alibi' | 'mask' | 'causalOffset' | 'keyLengths' | 'sinks'> & {
  readonly mask?: { readonly data: Uint8Array | Float32Array; readonly shape: readonly number[] };
  readonly causalOffset?: number;
  readonly keyLengths?: readonly number[];
};

interface Rule {
  readonly title: string;
  /** Forbids key j for some of the Tq queries, or for all of them. */
  options(j: number, Tq: number): Options;
}

const RULES: readonly Rule[] = [
  { title: 'keyLengths', options: (j) => ({ keyLengths: [j] }) },
  { title: 'a boolean mask, all rows', options: (j) => ({ mask: booleanMask(1, (_, key) => key !== j) }) },
  { title: 'a boolean mask, odd rows', options: (j, Tq) => ({ mask: booleanMask(Tq, (i, key) => key !== j || i % 2 === 0) }) },
  {
    title: 'a boolean mask of most keys',
    options: (j, Tq) => ({ mask: booleanMask(Tq, (i, key) => key % 5 === i % 5 || (key === j && i === 0)) }),
  },
  {
    title: 'a float mask with -Infinity, even rows',
    options: (j, Tq) => ({ mask: floatMask(Tq, (i, key) => (key === j && i % 2 === 0 ? -Infinity : (key % 3) / 8)) }),
  },
  { title: 'causal', options: (j) => ({ causal: true, causalOffset: j - 3 }) },
  { title: 'a window', options: (j) => ({ window: [1, 2], causalOffset: j - 2 }) },
  { title: 'a window over a tile border', options: (j) => ({ window: [70, 0], causalOffset: j + 68 }) },
];

function booleanMask(rows: number, allowed: (i: number, j: number) => boolean) {
  return {
    data: Uint8Array.from({ length: rows * KEYS }, (_, n) => (allowed(Math.floor(n / KEYS), n % KEYS) ? 1 : 0)),
    shape: [rows, KEYS],
  };
}

function floatMask(rows: number, entry: (i: number, j: number) => number) {
  return {
    data: Float32Array.from({ length: rows * KEYS }, (_, n) => entry(Math.floor(n / KEYS), n % KEYS)),
    shape: [rows, KEYS],
  };
}

interface Arrays {
  readonly q: Plain;
  readonly k: Plain;
  readonly v: Plain;
}

interface Result {
  readonly output: Float32Array;
  readonly weights: Float32Array;
  readonly lse: Float32Array;
}

function attend({ q, k, v }: Arrays, options: Options): Result {
  const { output, weights, lse } = fovea.attention(q, k, v, { ...options, returnWeights: true, returnLse: true });
  const bare = fovea.attention(q, k, v, options);
  assert.equal(firstDifference(bare.output.data, output.data), -1, 'output without weights and lse has other bits');
  return { output: output.data, weights: weights!.data, lse: lse!.data };
}

function arrays(seed: number, Tq: number, D: number): Arrays {
  const random = new TestRandom(seed);
  return { q: random.normals([1, 1, Tq, D]), k: random.normals([1, 1, KEYS, D]), v: random.normals([1, 1, KEYS, D]) };
}

function allowedPairs({ q, k, v }: Arrays, options: Options): Uint8Array {
  return referenceAttention(q, k, v, options).allowed;
}

/** Puts `value` at index `at` of one array for the time of `run`. */
function withPoison(array: Plain, at: number, value: number, run: () => void): void {
  const before = array.data[at] as number;
  array.data[at] = value;
  try {
    run();
  } finally {
    array.data[at] = before;
  }
}

function assertRowKept(got: Result, base: Result, i: number, D: number, what: string): void {
  assertRange(got.output, base.output, i * D, D, what, 'output');
  assertRange(got.weights, base.weights, i * KEYS, KEYS, what, 'weights');
  assertRange(got.lse, base.lse, i, 1, what, 'lse');
}

function assertRange(got: Float32Array, want: Float32Array, from: number, count: number, what: string, part: string): void {
  const at = firstDifferenceIn(got, want, from, count);
  if (at !== -1) assert.fail(`${what}: ${part}[${at}] is ${got[at]}, not ${want[at]}`);
}

function assertRowNaN(got: Result, i: number, D: number, what: string): void {
  assertNaN(got.output, i * D, D, what, 'output');
  assertNaN(got.weights, i * KEYS, KEYS, what, 'weights');
  assertNaN(got.lse, i, 1, what, 'lse');
}

function assertNaN(got: Float32Array, from: number, count: number, what: string, part: string): void {
  for (let n = from; n < from + count; n++)
    if (!Number.isNaN(got[n])) assert.fail(`${what}: ${part}[${n}] is ${got[n]}, not NaN`);
}

/** A row whose allowed logits are finite but for some that are -Infinity: those weigh nothing. */
function assertRowWithout(got: Result, i: number, D: number, gone: readonly number[], what: string): void {
  for (const j of gone) assert.equal(got.weights[i * KEYS + j], 0, `${what}: weight of the -Infinity logit (${i}, ${j})`);
  assert.ok(got.output.subarray(i * D, (i + 1) * D).every(Number.isFinite), `${what}: output of row ${i} is finite`);
}

for (const rule of RULES) {
  for (const Tq of QUERIES) {
    test(`${rule.title}, ${Tq} queries: NaN and Infinity in any lane of k touch only the rows that attend to that key`, () => {
      for (const D of WIDTHS) {
        const a = arrays(100 * D + Tq, Tq, D);
        for (const j of PLACES) {
          const options = rule.options(j, Tq);
          const allowed = allowedPairs(a, options);
          const base = attend(a, options);
          for (const d of lanesOf(D)) {
            for (const poison of POISONS) {
              withPoison(a.k, j * D + d, poison, () => {
                const got = attend(a, options);
                const what = `D ${D}, k[${j}][${d}] = ${poison}`;
                for (let i = 0; i < Tq; i++) {
                  const logit = (a.q.data[i * D + d] as number) * poison;
                  if (allowed[i * KEYS + j] === 0) assertRowKept(got, base, i, D, what);
                  else if (logit === -Infinity) assertRowWithout(got, i, D, [j], what);
                  else assertRowNaN(got, i, D, what);
                }
              });
            }
          }
        }
      }
    });

    test(`${rule.title}, ${Tq} queries: NaN and Infinity in any lane of v touch only that column of the rows that attend to it`, () => {
      for (const D of WIDTHS) {
        const a = arrays(200 * D + Tq, Tq, D);
        for (const j of PLACES) {
          const options = rule.options(j, Tq);
          const allowed = allowedPairs(a, options);
          const base = attend(a, options);
          for (const d of lanesOf(D)) {
            for (const poison of POISONS) {
              withPoison(a.v, j * D + d, poison, () => {
                const got = attend(a, options);
                const what = `D ${D}, v[${j}][${d}] = ${poison}`;
                for (let i = 0; i < Tq; i++) {
                  if (allowed[i * KEYS + j] === 0) assertRowKept(got, base, i, D, what);
                  else {
                    if (!Object.is(got.output[i * D + d], poison))
                      assert.fail(`${what}: output[${i}][${d}] is ${got.output[i * D + d]}`);
                    assertRange(got.output, base.output, i * D, d, what, 'output');
                    assertRange(got.output, base.output, i * D + d + 1, D - d - 1, what, 'output');
                  }
                }
                assertRange(got.weights, base.weights, 0, Tq * KEYS, what, 'weights');
                assertRange(got.lse, base.lse, 0, Tq, what, 'lse');
              });
            }
          }
        }
      }
    });

    test(`${rule.title}, ${Tq} queries: NaN and Infinity in any lane of q touch only their own row`, () => {
      for (const D of WIDTHS) {
        const a = arrays(300 * D + Tq, Tq, D);
        for (const j of [3, 64]) {
          const options = rule.options(j, Tq);
          const allowed = allowedPairs(a, options);
          const base = attend(a, options);
          const live = Array.from({ length: Tq }, (_, i) => KEY_NUMBERS.filter((key) => allowed[i * KEYS + key] === 1));
          for (const [row, keys] of live.entries()) {
            for (const d of lanesOf(D)) {
              for (const poison of POISONS) {
                withPoison(a.q, row * D + d, poison, () => {
                  const got = attend(a, options);
                  const what = `D ${D}, q[${row}][${d}] = ${poison}`;
                  for (let i = 0; i < Tq; i++) if (i !== row || keys.length === 0) assertRowKept(got, base, i, D, what);
                  if (keys.some((key) => poison * (a.k.data[key * D + d] as number) !== -Infinity))
                    assertRowNaN(got, row, D, what);
                });
              }
            }
          }
        }
      }
    });
  }

  test(`${rule.title}: whatever all masked keys and values hold, the output keeps its bits`, () => {
    for (const D of WIDTHS) {
      for (const Tq of [1, 6, 130]) {
        const a = arrays(400 * D + Tq, Tq, D);
        for (const j of PLACES) {
          const options = rule.options(j, Tq);
          const allowed = allowedPairs(a, options);
          const base = attend(a, options);
          const dead = KEY_NUMBERS.filter((key) => allowed.every((one, n) => n % KEYS !== key || one === 0));
          for (const poison of [...POISONS, HUGE, -HUGE]) {
            const fill = (array: Plain): Plain => {
              const data = Float32Array.from(array.data);
              for (const key of dead) data.fill(poison, key * D, (key + 1) * D);
              return { data, shape: array.shape };
            };
            const got = attend({ q: a.q, k: fill(a.k), v: fill(a.v) }, options);
            for (let i = 0; i < Tq; i++) assertRowKept(got, base, i, D, `D ${D}, ${dead.length} keys and values of ${poison}`);
          }
        }
      }
    }
  });
}

test('finite inputs whose product is over float32 make a +Infinity logit: that row is NaN and no other', () => {
  const a = arrays(5, 6, 3);
  const base = attend(a, {});
  withPoison(a.k, 3 * 64, 1e38, () =>
    withPoison(a.q, 3 * 2, 1e38, () => {
      const got = attend(a, {});
      const withoutQ = attend({ ...a, q: { data: a.q.data.map((x, n) => (n === 6 ? 1 : x)), shape: a.q.shape } }, {});
      for (let i = 0; i < 6; i++) {
        if (i === 2) assertRowNaN(got, i, 3, 'q[2] and k[64] of 1e38');
        else assertRowKept(got, withoutQ, i, 3, 'q[2] and k[64] of 1e38');
      }
    }),
  );
  assert.equal(firstDifference(attend(a, {}).output, base.output), -1);
});

test('NaN and +Infinity in a float mask make their row NaN, or nothing where another rule forbids the pair', () => {
  const Tq = 6;
  for (const D of [1, 7, 64]) {
    const a = arrays(500 + D, Tq, D);
    for (const j of PLACES) {
      for (const rest of [
        {},
        { keyLengths: [j] },
        { keyLengths: [j + 1] },
        { causal: true, causalOffset: j - 3 },
        { window: [1, 2], causalOffset: j - 2 },
      ] as const) {
        const mask = floatMask(Tq, (i, key) => ((i + key) % 4) / 8);
        const options = { ...rest, mask };
        const allowed = allowedPairs(a, options);
        const base = attend(a, options);
        for (let row = 0; row < Tq; row++) {
          for (const poison of [NaN, Infinity]) {
            mask.data[row * KEYS + j] = poison;
            const got = attend(a, options);
            mask.data[row * KEYS + j] = ((row + j) % 4) / 8;
            const what = `D ${D}, mask[${row}][${j}] = ${poison}, ${JSON.stringify(rest)}`;
            for (let i = 0; i < Tq; i++) {
              if (i === row && allowed[i * KEYS + j] === 1) assertRowNaN(got, i, D, what);
              else assertRowKept(got, base, i, D, what);
            }
          }
        }
      }
    }
  }
});

test('softcap makes an infinite score finite: ±softcap, and NaN stays NaN', () => {
  const [Tq, D] = [6, 7];
  const a = arrays(6, Tq, D);
  const options = { softcap: 4 };
  const base = attend(a, options);
  for (const j of PLACES) {
    for (const poison of POISONS) {
      withPoison(a.k, j * D + 2, poison, () => {
        const got = attend(a, options);
        const want = referenceAttention(a.q, a.k, a.v, options);
        for (let i = 0; i < Tq; i++) {
          if (Number.isNaN(poison)) assertRowNaN(got, i, D, `k[${j}][2] = NaN`);
          else
            for (let d = 0; d < D; d++)
              assert.ok(
                Math.abs((got.output[i * D + d] as number) - (want.output[i * D + d] as number)) <= 64 * EPS,
                `k[${j}][2] = ${poison}: output[${i}][${d}]`,
              );
        }
      });
    }
  }
  assert.equal(firstDifference(attend(a, options).output, base.output), -1);
});

test('NaN in one batch entry or key/value head stays in it, and so do the rows of other queries in other blocks', () => {
  const [B, H, Hkv, Tq, Tk, D] = [2, 4, 2, 130, 67, 7];
  const random = new TestRandom(7);
  const q = random.normals([B, H, Tq, D]);
  const k = random.normals([B, Hkv, Tk, D]);
  const v = random.normals([B, Hkv, Tk, D]);
  const call = () => fovea.attention(q, k, v, { causal: true, returnWeights: true, returnLse: true });
  const base = call();
  for (const [array, what] of [
    [k, 'k'],
    [v, 'v'],
  ] as const) {
    for (let b = 0; b < B; b++) {
      for (let kv = 0; kv < Hkv; kv++) {
        const j = 65;
        withPoison(array, ((b * Hkv + kv) * Tk + j) * D + 3, NaN, () => {
          const got = call();
          for (let head = 0; head < B * H; head++) {
            const own = Math.floor(head / H) === b && Math.floor((head % H) / (H / Hkv)) === kv;
            for (let i = 0; i < Tq; i++) {
              const from = (head * Tq + i) * D;
              if (!own || i < j)
                assertRange(got.output.data, base.output.data, from, D, `NaN in ${what}[${b}][${kv}]`, 'output');
              else assertNaN(got.output.data, from + 3, 1, `NaN in ${what}[${b}][${kv}]`, 'output');
            }
          }
        });
      }
    }
  }
});

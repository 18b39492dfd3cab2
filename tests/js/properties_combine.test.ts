/** Attention over ranges of the keys, joined, is attention over all of them; on random problems (fast-check). */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CombineOptions, CombineResult } from 'fovea';
import { assertSameBits, EPS } from './support/truth_bounds.ts';
import { pack, swapMiddle, type Mask, type Plain, type Problem } from './support/truth_forms.ts';
import { loadForTests } from './support/truth_instance.ts';
import { build, forAll, problemsOfAllOptions, RUNS, type Built, type Recipe } from './support/truth_problems.ts';
import { sizeOf, TestRandom } from './support/truth_random.ts';
import { referenceAttention, type ReferenceOptions } from './support/truth_reference.ts';
import { expectedAttention, type Expected } from './support/truth_tolerance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

/** Keys [from, to). */
type Range = readonly [number, number];

/** Up to five ranges that hold every key once, in any order; some may be empty. */
function rangesOf({ seed, Tk }: Recipe): Range[] {
  const random = new TestRandom(seed + 4);
  const cuts = Array.from({ length: random.integer(0, 4) }, () => random.integer(0, Tk)).sort((a, b) => a - b);
  const ranges = [...cuts, Tk].map((to, n): Range => [cuts[n - 1] ?? 0, to]);
  return ranges
    .map((range) => ({ range, place: random.uniform() }))
    .sort((a, b) => a.place - b.place)
    .map(({ range }) => range);
}

function sliced<T extends Float32Array | Uint8Array>(
  { data, shape }: { data: T; shape: number[] },
  axis: number,
  range: Range,
) {
  const [from, to] = range;
  const [inner, length] = [sizeOf(shape.slice(axis + 1)), shape[axis] as number];
  const chosen = data.filter((_, n) => Math.floor(n / inner) % length >= from && Math.floor(n / inner) % length < to) as T;
  return { data: chosen, shape: shape.map((size, n) => (n === axis ? to - from : size)) };
}

/** The problem of one range: positions, lengths and mask are those of its keys, and there is no sink. */
function partOf({ problem, reference, exactLogits }: Built, { B, Tq, Tk }: Recipe, range: Range): Built {
  const [from, to] = range;
  const lengths = reference.keyLengths;
  const offset = (b: number): number => {
    if (reference.causalAlign === 'bottom-right') return (lengths?.[b] ?? Tk) - Tq;
    const given = reference.causalOffset ?? 0;
    return typeof given === 'number' ? given : (given[b] as number);
  };
  const entries = Array.from({ length: B }, (_, b) => b);
  const moved = {
    causalAlign: undefined,
    causalOffset: entries.map((b) => offset(b) - from),
    keyLengths: lengths && entries.map((b) => Math.min(Math.max((lengths[b] as number) - from, 0), to - from)),
    sinks: undefined,
  };
  const broadcasts = problem.mask === undefined || (problem.mask.shape.at(-1) === 1 && Tk !== 1);
  const mask = broadcasts
    ? problem.mask
    : (sliced<Float32Array | Uint8Array>(problem.mask, problem.mask.shape.length - 1, range) as Mask);
  const part: Problem = {
    q: problem.q,
    k: sliced(problem.k, 2, range),
    v: sliced(problem.v, 2, range),
    mask,
    options: { ...problem.options, ...moved },
  };
  return { problem: part, reference: { ...reference, ...moved, mask } satisfies ReferenceOptions, exactLogits };
}

interface Joined {
  readonly output: Float32Array;
  readonly lse: Float32Array;
}

const dataOf = ({ output, lse }: CombineResult<{ readonly data: Float32Array }>): Joined => ({
  output: output.data,
  lse: lse.data,
});

function attendToPart({ problem: { q, k, v, mask, options } }: Built) {
  return fovea.attention(q, k, v, { ...options, mask, returnLse: true, returnWeights: true });
}

/** Every range of keys as a slice of one Tensor. */
function joinOfSlices(built: Built, parts: readonly Built[], ranges: readonly Range[]): Joined {
  return fovea.scope(() => {
    const { q, k, v, options } = built.problem;
    const [queries, keys, values] = [fovea.tensor(q), fovea.tensor(k), fovea.tensor(v)];
    const outcomes = parts.map(({ problem }, n) => {
      const [from, to] = ranges[n] as Range;
      return fovea.attention(queries, keys.slice(2, from, to), values.slice(2, from, to), {
        ...problem.options,
        mask: problem.mask,
        returnLse: true,
      });
    });
    const { output, lse } = fovea.combine(outcomes, { sinks: options.sinks });
    return { output: output.toArray().data, lse: lse.toArray().data };
  });
}

/**
 * How far a joined row may be from the definition. Each output is off by its own bound, which its part's weight W takes over; each
 * lse is off by its bound and by a rounding of its distance from the largest, which moves every weight by a factor of at most
 * e^(2δ), and so the sum Σ W (O - out) = 0 by that; and 8 roundings of the terms themselves.
 */
function assertJoined(got: Joined, whole: Expected['want'], parts: readonly Expected[], built: Built, recipe: Recipe): void {
  const { Tq, Dv, kvHeads, group } = recipe;
  const { sinks } = built.reference;
  for (const [row, lse] of whole.lse.entries()) {
    if (lse === -Infinity) {
      assert.equal(got.lse[row], -Infinity, `lse of row ${row}`);
      assert.ok(
        got.output.subarray(row * Dv, (row + 1) * Dv).every((x) => Object.is(x, 0)),
        `output of row ${row}, which has no key`,
      );
      continue;
    }
    const head = Math.floor(row / Tq) % (kvHeads * group);
    const sink = sinks === undefined ? -Infinity : typeof sinks === 'number' ? sinks : (sinks as readonly number[])[head]!;
    const highest = Math.max(...parts.map(({ want }) => want.lse[row] as number));
    const all = Math.max(lse, sink) + Math.log1p(Math.exp(-Math.abs(lse - sink)));
    const moves = (x: number) => 8 * EPS * (1 + Math.abs(x - highest));
    // Parts that count beside the others, however little the sink leaves to them.
    const heard = parts
      .map(({ want, bounds }) => ({ lse: want.lse[row] as number, bounds, output: want.output }))
      .filter((part) => part.lse - lse > Math.log(2 ** -40));
    const sinkMoves = Math.exp(sink - all) > 2 ** -40 ? moves(sink) : 0;
    const off = Math.max(sinkMoves, ...heard.map((part) => part.bounds.lse + moves(part.lse)));
    const lseOff = Math.max(...parts.map(({ want, bounds }) => (want.lse[row] === -Infinity ? 0 : bounds.lse)));
    const lseBound = lseOff + 8 * EPS * (Math.abs(lse) + Math.abs(highest) + 1);
    const lseError = Math.abs((got.lse[row] as number) - lse);
    assert.ok(lseError <= lseBound, `lse[${row}]: ${got.lse[row]}, not ${lse} (error ${lseError}, bound ${lseBound})`);
    for (let n = row * Dv; n < (row + 1) * Dv; n++) {
      const want = whole.output[n] as number;
      let bound = Math.exp(sink - all) * Math.expm1(2 * off) * Math.abs(want) + 2 ** -126;
      for (const { lse, bounds, output } of heard) {
        const [weight, value] = [Math.exp(lse - all), output[n] as number];
        bound += weight * (bounds.output + Math.expm1(2 * off) * Math.abs(value - want) + 8 * EPS * Math.abs(value));
        bound += 2 ** -126 * Math.abs(value);
      }
      const error = Math.abs((got.output[n] as number) - want);
      assert.ok(error <= bound, `output[${n}]: ${got.output[n]}, not ${want} (error ${error}, bound ${bound})`);
    }
  }
}

test('ranges of keys, joined, agree with the definition over all keys in double', () => {
  const seen = { rowsWithoutKeysInAPart: 0, withSinks: 0 };
  // A Gaussian would stand at another key in each part.
  const problems = problemsOfAllOptions.filter(({ weightScale }) => weightScale !== 'gaussian');
  forAll(problems, 150, (recipe) => {
    const built = build(recipe);
    const ranges = rangesOf(recipe);
    const parts = ranges.map((range) => partOf(built, recipe, range));
    const { q, k, v, options } = built.problem;
    const whole = referenceAttention(q, k, v, built.reference);
    const expected = parts.map(({ problem, reference, exactLogits }) =>
      expectedAttention(problem.q, problem.k, problem.v, reference, exactLogits),
    );
    const got = dataOf(fovea.combine(parts.map(attendToPart), { sinks: options.sinks }));
    assertJoined(got, whole, expected, built, recipe);
    const again = joinOfSlices(built, parts, ranges);
    assertSameBits(again.output, got.output, 'output, of slices of Tensors');
    assertSameBits(again.lse, got.lse, 'lse, of slices of Tensors');
    if (options.sinks !== undefined) seen.withSinks++;
    seen.rowsWithoutKeysInAPart += expected.filter(({ want }) =>
      want.lse.some((x, n) => x === -Infinity && whole.lse[n] !== x),
    ).length;
  });
  assert.ok(RUNS < 1 || (seen.withSinks > 50 && seen.rowsWithoutKeysInAPart > 50), JSON.stringify(seen));
});

/** Parts of random numbers, with what parts may hold: rows without keys, lse far apart. */
function randomParts(recipe: Recipe): { output: Plain; lse: Plain }[] {
  const { seed, B, kvHeads, group, Tq, Dv, logits } = recipe;
  const random = new TestRandom(seed + 5);
  return Array.from({ length: random.integer(1, 5) }, () => {
    const lse = random.normals([B, kvHeads * group, Tq], logits / 4);
    for (let n = 0; n < lse.data.length; n++) if (random.uniform() < 0.1) lse.data[n] = -Infinity;
    return { output: random.normals([B, kvHeads * group, Tq, Dv]), lse };
  });
}

test('every form of the call gives the same bits: bthd, packed heads, Tensors, targets of its own', () => {
  forAll(problemsOfAllOptions, 60, (recipe) => {
    const parts = randomParts(recipe);
    const { sinks } = build(recipe).problem.options;
    const { shape } = (parts[0] as (typeof parts)[0]).output;
    const [B, H, Tq, Dv] = shape as [number, number, number, number];
    const want = dataOf(fovea.combine(parts, { sinks }));
    const same = (got: Joined, what: string) => {
      assertSameBits(got.output, want.output, `${what}: output`);
      assertSameBits(got.lse, want.lse, `${what}: lse`);
    };
    const headsFirst = (output: Float32Array) => swapMiddle({ data: output, shape: [B, Tq, H, Dv] }).data;
    const call = (change: (output: Plain) => Plain, options: CombineOptions): Joined => {
      const moved = parts.map(({ output, lse }) => ({ output: change(output), lse }));
      return dataOf(fovea.combine(moved, { sinks, ...options }));
    };
    const bthd = call(swapMiddle, { layout: 'bthd' });
    same({ ...bthd, output: headsFirst(bthd.output) }, 'bthd');
    const packed = call(pack, { heads: H });
    same({ ...packed, output: headsFirst(packed.output) }, 'packed');
    const out = {
      output: { data: new Float32Array(sizeOf(shape)).fill(NaN), shape },
      lse: { data: new Float32Array(B * H * Tq).fill(NaN), shape: [B, H, Tq] },
    };
    same(dataOf(fovea.combine(parts, { sinks, out })), 'out');
    same(dataOf(out), 'the targets');
    fovea.scope(() => {
      const tensors = parts.map(({ output, lse }) => ({ output: fovea.tensor(output), lse: fovea.tensor(lse) }));
      same(dataOf(fovea.combine(tensors, { sinks })), 'Tensors');
    });
  });
});

test('a part that has seen no key changes no bit, wherever it stands and whatever it holds', () => {
  forAll(problemsOfAllOptions, 60, (recipe) => {
    const parts = randomParts(recipe);
    const { sinks } = build(recipe).problem.options;
    const want = dataOf(fovea.combine(parts, { sinks }));
    const { output, lse } = parts[0] as (typeof parts)[0];
    const empty = {
      output: { ...output, data: output.data.map((_, n) => [NaN, Infinity, 1][n % 3] as number) },
      lse: { ...lse, data: lse.data.map(() => -Infinity) },
    };
    for (let place = 0; place <= parts.length; place++) {
      const got = dataOf(fovea.combine([...parts.slice(0, place), empty, ...parts.slice(place)], { sinks }));
      assertSameBits(got.output, want.output, `output with an empty part at ${place}`);
      assertSameBits(got.lse, want.lse, `lse with an empty part at ${place}`);
    }
  });
});

test("a row's bits do not depend on the other rows", () => {
  forAll(problemsOfAllOptions, 60, (recipe) => {
    const parts = randomParts(recipe);
    const { Tq, Dv } = recipe;
    const { sinks } = build(recipe).problem.options;
    const want = dataOf(fovea.combine(parts, { sinks }));
    const row = new TestRandom(recipe.seed + 6).integer(0, want.lse.length - 1);
    const head = Math.floor(row / Tq) % (recipe.kvHeads * recipe.group);
    const alone = parts.map(({ output, lse }) => ({
      output: { data: output.data.slice(row * Dv, (row + 1) * Dv), shape: [1, Dv] },
      lse: { data: lse.data.slice(row, row + 1), shape: [1] },
    }));
    const sink = sinks === undefined || typeof sinks === 'number' ? sinks : (sinks as readonly number[])[head];
    const got = dataOf(fovea.combine(alone, { sinks: sink }));
    assertSameBits(got.output, want.output.subarray(row * Dv, (row + 1) * Dv), `output of row ${row}`);
    assertSameBits(got.lse, want.lse.subarray(row, row + 1), `lse of row ${row}`);
  });
});

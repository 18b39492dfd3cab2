/** `sample`: which index is drawn, and how often. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sample, type SampleOptions } from 'fovea/ops';
import { fails, fovea, leavesNothing } from '../support/api.ts';

const DRAWS = 20_000;

/** How often each index of the same logits is drawn, with a draw of its own for each row. */
function countsOf(logits: readonly number[], options: SampleOptions, draws = DRAWS): number[] {
  const data = Float32Array.from({ length: draws * logits.length }, (_, n) => logits[n % logits.length]!);
  const counts = logits.map(() => 0);
  for (const index of sample(fovea, { data, shape: [draws, logits.length] }, options).data) counts[index]!++;
  return counts;
}

const drawn = (logits: readonly number[], options: SampleOptions): number[] =>
  countsOf(logits, { temperature: 1, seed: 3, ...options }).flatMap((count, index) => (count > 0 ? [index] : []));

function softmax(logits: readonly number[], temperature = 1): number[] {
  const powers = logits.map((x) => Math.exp((x - Math.max(...logits)) / temperature));
  return powers.map((power) => power / powers.reduce((a, b) => a + b));
}

/** Σ (count - n p)² / (n p) */
const chiSquare = (counts: readonly number[], probabilities: readonly number[]): number =>
  counts.reduce((sum, count, n) => sum + (count - DRAWS * probabilities[n]!) ** 2 / (DRAWS * probabilities[n]!), 0);

/** Beyond it lies a thousandth of the chi-square distribution, by degrees of freedom. */
const CHI_SQUARE: Readonly<Record<number, number>> = { 1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47, 5: 20.52, 6: 22.46, 7: 24.32 };

describe('without temperature the largest', () => {
  test('of each row, in the shape of the rows', () => {
    assert.deepEqual(sample(fovea, [1, 3, 2]), { data: Int32Array.of(1), shape: [] });
    assert.deepEqual(
      sample(fovea, [
        [1, 3, 2],
        [5, 4, -6],
      ]),
      { data: Int32Array.of(1, 0), shape: [2] },
    );
    assert.deepEqual(sample(fovea, [[[1], [3]]]), { data: Int32Array.of(0, 0), shape: [1, 2] });
    assert.deepEqual(sample(fovea, [[0, 1]], { temperature: 0, topK: 1, topP: 0, minP: 1, seed: 9 }).data, Int32Array.of(1));
  });

  test('of equal ones the first; NaN and -Infinity never', () => {
    assert.equal(sample(fovea, [2, 7, 7, 1]).data[0], 1);
    assert.equal(sample(fovea, [NaN, -Infinity, -9, NaN, -8]).data[0], 4);
    assert.equal(sample(fovea, [-Infinity, NaN, 3e38]).data[0], 2);
  });
});

describe('frequencies', () => {
  const logits = [0.5, -1, 2, 1.5, -0.5, 0];

  for (const temperature of [0.5, 1, 2.5])
    test(`at temperature ${temperature} they are those of softmax(logits / temperature)`, () => {
      const counts = countsOf(logits, { temperature, seed: 11 });
      const square = chiSquare(counts, softmax(logits, temperature));
      assert.ok(square < CHI_SQUARE[5]!, `${square}`);
      const wrong = chiSquare(counts, softmax(logits, temperature * 1.2));
      assert.ok(wrong > CHI_SQUARE[5]!, `a wrong temperature is seen: ${wrong}`);
    });

  test('what topK, topP and minP leave is drawn in proportion', () => {
    const kept = [2, 3, 0];
    for (const options of [{ topK: 3 }, { topP: 0.8 }, { minP: 0.2 }]) {
      const counts = countsOf(logits, { temperature: 1, seed: 12, ...options });
      assert.deepEqual(
        counts.flatMap((count, index) => (count > 0 ? [index] : [])),
        [0, 2, 3],
        JSON.stringify(options),
      );
      const square = chiSquare(
        kept.map((index) => counts[index]!),
        softmax(kept.map((index) => logits[index]!)),
      );
      assert.ok(square < CHI_SQUARE[2]!, `${JSON.stringify(options)}: ${square}`);
    }
  });

  test('rows are drawn one apart from another', () => {
    const { data } = sample(fovea, { data: new Float32Array(2 * DRAWS), shape: [DRAWS, 2] }, { temperature: 1, seed: 5 });
    const pairs = [0, 0, 0, 0];
    for (let n = 0; n < DRAWS; n++) pairs[2 * data[n]! + data[(n + 1) % DRAWS]!]!++;
    const square = chiSquare(pairs, [0.25, 0.25, 0.25, 0.25]);
    assert.ok(square < CHI_SQUARE[3]!, `${square}`);
  });

  test('one entry is always drawn', () => assert.deepEqual(countsOf([-5], { temperature: 3 }, 50), [50]));

  test('seeds repeat, and differ', () => {
    const draw = (seed: number): Int32Array =>
      sample(fovea, { data: new Float32Array(800), shape: [100, 8] }, { temperature: 1, seed }).data as Int32Array;
    assert.deepEqual(draw(1), draw(1));
    assert.notDeepEqual(draw(1), draw(2));
    assert.notDeepEqual(draw(0), draw(2 ** 53 - 1));
  });
});

describe('which are left', () => {
  test('topK: of equal ones those of lower index', () => {
    assert.deepEqual(drawn([1, 2, 2, 2, 1], { topK: 2 }), [1, 2]);
    assert.deepEqual(drawn([1, 1, 1, 1], { topK: 3 }), [0, 1, 2]);
    assert.deepEqual(drawn([3, 1, 2], { topK: 1 }), [0]);
    assert.deepEqual(drawn([3, 1, 2], { topK: 2 ** 31 - 1 }), [0, 1, 2]);
  });

  test('topP: the fewest likeliest whose sum is at least it, of equal ones the lower', () => {
    const quarters = [0, 0, 0, 0];
    assert.deepEqual(drawn(quarters, { topP: 0.5 }), [0, 1]);
    assert.deepEqual(drawn(quarters, { topP: 0.51 }), [0, 1, 2]);
    assert.deepEqual(drawn(quarters, { topP: 0 }), [0]);
    assert.deepEqual(drawn(quarters, { topP: 1 }), [0, 1, 2, 3]);
    assert.deepEqual(drawn([Math.log(5), Math.log(3), Math.log(2)], { topP: 0.6 }), [0, 1]);
  });

  test('minP: tokens at least minP times as likely as the likeliest', () => {
    const logits = [Math.log(4), 0, Math.log(2), Math.log(4)];
    assert.deepEqual(drawn(logits, { minP: 0.4 }), [0, 2, 3]);
    assert.deepEqual(drawn(logits, { minP: 1 }), [0, 3]);
    assert.deepEqual(drawn(logits, { minP: 0.2 }), [0, 1, 2, 3]);
  });

  test('in this order: topP counts among what topK leaves', () => {
    assert.deepEqual(drawn([0, 0, 0, 0], { topK: 2, topP: 0.5 }), [0]);
    assert.deepEqual(drawn([0, 0, 0, 0], { topK: 3, topP: 0.5 }), [0, 1]);
  });

  test('NaN and -Infinity are never drawn, and count for nothing', () => {
    assert.deepEqual(drawn([NaN, 0, -Infinity, 0], {}), [1, 3]);
    assert.deepEqual(drawn([NaN, 0, -Infinity, 0], { topK: 4 }), [1, 3]);
    assert.deepEqual(drawn([NaN, 0, -Infinity, 0], { topP: 0.5 }), [1]);
    assert.deepEqual(drawn([NaN, 0, -Infinity, 0], { topK: 3, topP: 1, minP: 0 }), [1, 3]);
  });

  test('logits that are far apart, and a temperature near 0', () => {
    assert.deepEqual(drawn([0, 3e38, -3e38], {}), [1]);
    assert.deepEqual(drawn([1, 2, 1.5], { temperature: 1e-30 }), [1]);
    assert.deepEqual(drawn([1, 2, 1.5], { temperature: 1e38 }), [0, 1, 2]);
  });
});

describe('errors and memory', () => {
  test('a row without a finite largest number', () => {
    for (const logits of [[NaN], [-Infinity, NaN], [1, Infinity]])
      fails('value', /finite largest number/, () => sample(fovea, logits));
    fails('value', /finite largest number/, () =>
      sample(
        fovea,
        [
          [1, 2],
          [NaN, NaN],
        ],
        { temperature: 1 },
      ),
    );
  });

  test('no entries, and options that are none', () => {
    fails('shape', /at least one entry/, () => sample(fovea, { data: new Float32Array(), shape: [2, 0] }));
    assert.deepEqual(sample(fovea, { data: new Float32Array(), shape: [0, 3] }), { data: new Int32Array(), shape: [0] });
    const wrong: readonly (readonly [RegExp, object, string?])[] = [
      [/temperature/, { temperature: -1 }],
      [/temperature/, { temperature: NaN }],
      [/temperature/, { temperature: Infinity }],
      [/temperature/, { temperature: 1e39 }],
      [/topK/, { topK: 0 }],
      [/topK/, { topK: 1.5 }],
      [/topP/, { topP: 1.1 }],
      [/minP/, { minP: -0.1 }],
      [/seed/, { seed: -1 }],
      [/seed/, { seed: 2 ** 53 }],
    ];
    for (const [message, options] of wrong) fails('value', message, () => sample(fovea, [1, 2], options));
    fails('option', /topk/i, () => sample(fovea, [1, 2], { topk: 1 } as never));
  });

  test('a Tensor is read, and left as it is', () => {
    const tensor = fovea.tensor([
      [1, 9, 3],
      [4, 2, 0],
    ]);
    assert.deepEqual(leavesNothing(() => sample(fovea, tensor)).data, Int32Array.of(1, 0));
    tensor.dispose();
    fails('disposed', /disposed/, () => sample(fovea, tensor));
  });
});

/** emAttention: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emAttention } from 'fovea/mechanisms';
import { norm, reference, type Wrong } from '../reference/em_attention.ts';
import { columns, mix, plus, random, scaled, sum, zeros, type Matrix } from '../reference/equations/rows.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const [X, mu] = [random([7, 3], 1, 2), random([2, 3], 2, 2)];
const convolved = {
  mu: random([2, 4], 3),
  W1: random([3, 4], 4),
  b1: random([4], 5),
  W2: random([4, 3], 6),
  b2: random([3], 7),
};
const run = nested(emAttention);
const property = properties<Wrong>(run, reference);

test('emAttention agrees with its definition in double', () => {
  assertAgree(run, reference(''), { X }, { mu }, {});
  assertAgree(run, reference(''), { X }, { mu }, { iterations: 5, normalize: 'none', residual: false, lambda: 0.5, eps: 0.1 });
  assertAgree(run, reference(''), { X }, convolved, { activation: 'relu' });
});

agreesOnDrawnCalls(
  run,
  reference,
  ['softmax over tokens', 'bases not normalized', 'M step not normalized', 'last M step left out', 'one more E step'],
  (draw) => {
    const [pixels, width, bases, inner] = [draw.length(), draw.width(), draw.one(1, 2, 3, 5), draw.width()];
    const convolves = draw.maybe();
    const own = convolves ? inner : width;
    return {
      inputs: { X: draw.numbers([pixels, width], 2) },
      params: {
        mu: draw.numbers([bases, own], 2),
        ...(convolves && { W1: draw.numbers([width, own]), ...(draw.maybe() && { b1: draw.numbers([own]) }) }),
        ...(convolves && { W2: draw.numbers([own, width]), ...(draw.maybe() && { b2: draw.numbers([width]) }) }),
      },
      options: {
        ...{ iterations: draw.one(1, 2, 3, 5), normalize: draw.one('l2', 'none'), activation: draw.one('none', 'relu') },
        ...{ residual: draw.maybe(), lambda: draw.one(0.5, 1, 2) },
        ...(draw.maybe() && { eps: 0.125 }),
      },
    };
  },
);

property('the weights of a pixel sum to 1', 'softmax over tokens', (system) => rowsSumToOne(system({ X }, { mu }, {})['Z']));

property('bases have length 1', 'bases not normalized', (system) =>
  close((system({ X }, { mu }, {})['mu'] as Matrix).map(norm), [1, 1], 1e-5),
);

for (const wrong of ['M step not normalized', 'last M step left out', 'one more E step'] as const)
  property("each basis is the mean of the pixels by the call's own weights", wrong, (system) => {
    const results = system({ X }, { mu }, { normalize: 'none', iterations: 2 }) as Record<string, Matrix>;
    const means = columns(results['Z']!).map((weights) => scaled(mix(weights, X, 3), 1 / sum(weights)));
    return close(results['mu'], means, 1e-5);
  });

test('the reconstruction is Z mu; with one basis it is the mean, with a large lambda each pixel has one basis', () => {
  const { Z, mu: bases, reconstruction } = run({ X }, { mu }, {}) as Record<string, Matrix>;
  assert.ok(
    close(
      reconstruction,
      Z!.map((row) => mix(row, bases!, 3)),
    ),
  );
  const one = run({ X }, { mu: mu.slice(0, 1) }, { normalize: 'none' })['reconstruction'] as Matrix;
  const mean = scaled(plus(...X), 1 / X.length);
  assert.ok(one.every((row) => close(row, mean, 1e-5)));
  const hard = run({ X }, { mu }, { lambda: 1e4 })['Z'] as Matrix;
  assert.ok(hard.every((row) => Math.max(...row) > 1 - 1e-6));
});

test('no pixels: bases 0; one pixel: all bases are it; bases of zeros divide by eps alone', () => {
  const none = run({ X: { data: new Float32Array(0), shape: [0, 3] } }, { mu }, {});
  assert.deepEqual([none['Z'], none['mu'], none['output']], [[], [zeros(3), zeros(3)], []]);
  const one = run({ X: X.slice(0, 1) }, { mu }, { normalize: 'none' }) as Record<string, Matrix>;
  assert.ok(close(one['mu'], [X[0], X[0]], 1e-5) && close(one['reconstruction'], [X[0]], 1e-5));
  assert.deepEqual(run({ X: [zeros(3)] }, { mu }, {})['mu'], [zeros(3), zeros(3)]);
  const tiny = { X: [[3e-9, 0, 4e-9]] };
  assertAgree(run, reference(''), tiny, { mu }, {});
});

test('every batch entry begins with the same bases and keeps its own; nothing else is left', () => {
  const other = random([7, 3], 8);
  const together = run({ X: [X, other] }, convolved, {});
  [X, other].forEach((one, b) => {
    for (const [name, value] of Object.entries(run({ X: one }, convolved, {})))
      assert.ok(close((together[name] as unknown[])[b], value, 1e-6), name);
  });
  leavesNothing(() => {
    const kept = fovea.tensor(X);
    for (const residual of [true, false]) {
      const { Z, mu: bases, reconstruction, output } = emAttention(fovea, { X: kept }, { mu }, { residual });
      [Z, bases, reconstruction, output].forEach((tensor) => tensor.dispose());
    }
    kept.dispose();
  });
});

test('bad input is an error that says what was expected', () => {
  const call =
    (given: object, options = {}) =>
    () =>
      emAttention(fovea, { X }, given as never, options as never);
  fails('value', /missing mu; unexpected bases/, call({ bases: mu }));
  fails('shape', /mu must be \[K, C\] = \[2, 3\] without both W1 and W2, got \[2, 4\]/, call({ mu: convolved.mu }));
  fails('value', /params must have W1, as they have b1/, call({ mu, b1: [1, 2, 3] }));
  fails('value', /iterations/, call({ mu }, { iterations: 0 }));
  fails('value', /eps must be above 0 in float32, got 0$/, call({ mu }, { eps: 0 }));
  fails('value', /eps must be above 0 in float32, got 1e-46$/, call({ mu }, { eps: 1e-46 }));
  fails('option', /normalize must be 'l2' or 'none'/, call({ mu }, { normalize: 'l1' }));
  fails('shape', /W2 must be \[C', C\] = \[4, 3\], got \[3, 4\]/, call({ ...convolved, W2: convolved.W1 }));
});

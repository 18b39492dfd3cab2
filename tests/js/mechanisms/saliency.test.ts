/** saliency: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { saliency } from 'fovea/mechanisms';
import { columns, random, scaled, zeros, type Matrix, type Row } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/saliency.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(saliency);
const property = properties<Wrong>(run, reference);
const x = random([5, 4], 1);
const ties = [
  [1, 0, 2, -1],
  [1, 3, 0, -1],
  [0, 3, 2, -1],
];

test('saliency agrees with its definition in double', () => {
  assertAgree(run, reference(''), { x }, {}, {});
  assertAgree(run, reference(''), { x }, { Wg: random([4, 1], 2), bg: [0.5] }, { lengths: 3 });
  assertAgree(run, reference(''), { x }, { Wg: random([4, 4], 3) }, {});
  assertAgree(run, reference(''), { x: ties }, {}, {});
});

agreesOnDrawnCalls(run, reference, ['last on ties', 'starts from 0', 'padding pooled', 'softmax gate'], (draw): DrawnCall => {
  const [T, D] = [draw.length(), draw.width()];
  const G = draw.one(1, D);
  const x = draw.maybe() ? Array.from({ length: T }, () => draw.integers(D, -2, 1)) : draw.numbers([T, D], 3);
  return {
    inputs: { x },
    params: draw.maybe() ? { Wg: draw.numbers([D, G], 2), ...(draw.maybe() && { bg: draw.numbers([G]) }) } : {},
    options: draw.maybe() ? { lengths: draw.integer(0, T) } : {},
  };
});

property('of equal maxima the first counts', 'last on ties', (saliency) => {
  const { maxIndex, maxWeights } = saliency({ x: ties }, {}, {});
  return close(maxIndex, [0, 1, 0, 0]) && rowsSumToOne(columns(maxWeights as Matrix));
});

property('the maximum of negative features is negative', 'starts from 0', (saliency) =>
  (saliency({ x: x.map((row) => row.map((value) => value - 2)) }, {}, {})['maxPooled'] as Row).every((value) => value < 0),
);

property('padding does not show', 'padding pooled', (saliency) => {
  const params = { Wg: random([4, 4], 4) };
  const padded = saliency({ x: [...x, [9, 9, 9, 9]] }, params, { lengths: 5 });
  const alone = saliency({ x }, params, {});
  const { maxWeights, gate, gated } = padded as Record<string, Matrix>;
  const restIsZero = [maxWeights, gate, gated].every((rows) => close(rows![5], zeros(4), 0));
  return restIsZero && ['maxPooled', 'maxIndex', 'gatePooled'].every((name) => close(padded[name], alone[name], 0));
});

property('one gate per token is attention with the sigmoid normalizer', 'softmax gate', (saliency) => {
  const Wg = random([4, 1], 5);
  const { gatePooled, gate } = saliency({ x }, { Wg, bg: [0.25] }, {});
  const mask = [zeros(5).map(() => 0.25)];
  const asked = fovea.attention([Wg.flat()], x, x, { scale: 1, mask, normalizer: 'sigmoid', returnWeights: true });
  const { output, weights } = asked;
  return close([gatePooled], toNested(output)) && close([(gate as Matrix).flat()], toNested(weights));
});

test('there is no query: a question is no input; plain attention changes with it', () => {
  fails('option', /saliency: unknown input 'question'/, () => saliency(fovea, { x, question: [[1]] } as never));
  const answers = [1, -1].map((sign) => toNested(fovea.attention([scaled(x[0]!, sign)], x, x).output));
  assert.ok(!close(answers[0], answers[1]));
});

test('a text without tokens: maxima 0 with index -1, an empty sum of gates', () => {
  const empty = { data: new Float32Array(0), shape: [0, 3] };
  const params = { Wg: random([3, 1], 6) };
  for (const results of [
    saliency(fovea, { x: empty }, params),
    saliency(fovea, { x: random([2, 3], 7) }, params, { lengths: 0 }),
  ]) {
    assert.deepEqual(toNested(results.maxPooled), [0, 0, 0]);
    assert.deepEqual([...results.maxIndex.data], [-1, -1, -1]);
    assert.deepEqual(toNested(results.gatePooled!), [0, 0, 0]);
    assert.ok(results.maxWeights.data.every((weight) => weight === 0));
  }
  assert.deepEqual(toNested(saliency(fovea, { x: [[3, -1]] }).maxPooled), [3, -1]);
});

test('a batch is its entries one by one; Tensors stay Tensors and nothing else is left', () => {
  const batch = random([3, 4, 2], 8);
  const params = { Wg: random([2, 2], 9), bg: [0, 1] };
  const lengths = [4, 0, 2];
  const together = run({ x: batch }, params, { lengths });
  batch.forEach((x, b) => {
    for (const [name, one] of Object.entries(run({ x }, params, { lengths: lengths[b] })))
      assert.deepEqual((together[name] as unknown[])[b], one, name);
  });
  leavesNothing(() => {
    const kept = fovea.tensor(x);
    const { maxPooled, maxWeights } = saliency(fovea, { x: kept });
    assert.deepEqual(toNested(maxPooled), toNested(saliency(fovea, { x }).maxPooled));
    [kept, maxPooled, maxWeights].forEach((tensor) => tensor.dispose());
  });
});

test('bad input is an error that says what was expected', () => {
  fails('value', /saliency: .*unexpected W, bias/, () => saliency(fovea, { x }, { W: x, bias: [1] } as never));
  fails('shape', /saliency: bg must be \[G\] = \[1\], got \[2\]/, () =>
    saliency(fovea, { x }, { Wg: random([4, 1], 1), bg: [1, 2] }),
  );
  fails('shape', /saliency: x must be \[T, D\] or \[B, T, D\], got \[2\]/, () => saliency(fovea, { x: [1, 2] }));
  fails('shape', /saliency: Wg must be \[D, G\]/, () => saliency(fovea, { x }, { Wg: random([3, 1], 1) }));
  fails('value', /saliency: lengths/, () => saliency(fovea, { x }, {}, { lengths: 6 }));
  fails('shape', /saliency: lengths must have one number per batch entry/, () =>
    saliency(fovea, { x }, {}, { lengths: [1, 2] }),
  );
  fails('value', /saliency: inputs must have x/, () => saliency(fovea, {} as never));
});

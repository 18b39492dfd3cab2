/** speechSelfAttention: its properties, each beside the wrong variant that it catches, and bad input. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNested } from 'fovea';
import { speechSelfAttention } from 'fovea/mechanisms';
import { hadamard, random, times, type Matrix, type Row } from '../reference/equations/rows.ts';
import { reference, type Wrong } from '../reference/speech_self_attention.ts';
import { fails, fovea, leavesNothing } from '../support/api.ts';
import { agreesOnDrawnCalls, type DrawnCall } from '../support/mechanism_drawn.ts';
import { assertAgree, close, nested, properties, rowsSumToOne } from '../support/mechanism_properties.ts';

const run = nested(speechSelfAttention);
const property = properties<Wrong>(run, reference);
const options = { sampleRate: 400 }; // frames of 10 samples every 4
const signal = random([41], 1) as Row; // 8 frames, and 3 samples over
const params = {
  Wf: random([10, 4], 2),
  bf: random([4], 3),
  Wq: random([4, 6], 4),
  Wk: random([4, 6], 5),
  Wv: random([4, 6], 6),
};

test('speechSelfAttention agrees with its definition in double', () => {
  assertAgree(run, reference(''), { signal }, params, options);
  const hamming = Array.from({ length: 10 }, (_, n) => Math.fround(0.54 - 0.46 * Math.cos((2 * Math.PI * n) / 9)));
  const all = { ...params, window: hamming, Wo: random([6, 3], 7) };
  assertAgree(run, reference(''), { signal }, all, { ...options, heads: 2, left: 2, right: 1, scale: 0.7 });
});

agreesOnDrawnCalls(
  run,
  reference,
  ['left and right swapped', 'left exclusive', 'last frame padded', 'window left out'],
  (draw): DrawnCall => {
    const [F, dk, dv, heads] = [draw.width(), draw.width(), draw.width(), draw.integer(1, 3)];
    const [sampleRate, frameLength, frameShift] = [
      draw.one(200, 350, 1000),
      draw.one(5, 7.5, 12, 25),
      draw.one(5, 6, 10.5, 40),
    ];
    const [L, S] = [frameLength, frameShift].map((ms) => Math.floor((sampleRate * ms) / 1000)) as [number, number];
    const N = Math.max(1, L - 1 + draw.integer(0, 7) * S + draw.integer(0, S));
    return {
      inputs: { signal: draw.numbers([N]) },
      params: {
        ...{ Wf: draw.numbers([L, F]), ...(draw.maybe() && { bf: draw.numbers([F]) }) },
        ...(draw.maybe() && { window: draw.numbers([L]) }),
        ...{ Wq: draw.numbers([F, heads * dk]), Wk: draw.numbers([F, heads * dk]), Wv: draw.numbers([F, heads * dv]) },
        ...(draw.maybe() && { Wo: draw.numbers([heads * dv, draw.width()]) }),
      },
      options: {
        ...{ sampleRate, frameLength, frameShift, heads },
        ...(draw.maybe() && { left: draw.integer(-1, 4) }),
        ...(draw.maybe() && { right: draw.integer(-1, 4) }),
        ...(draw.maybe() && { scale: draw.one(0.3, 1, 2) }),
        ...(draw.maybe() && { lengths: draw.integer(0, N) }),
      },
    };
  },
);

property('a frame sees `left` frames before it and `right` after', 'left and right swapped', (attend) => {
  const [weights] = attend({ signal }, params, { ...options, left: 3, right: 1 })['weights'] as [Matrix];
  return (
    rowsSumToOne(weights) && weights.every((row, t) => row.every((weight, j) => weight > 0 === (j >= t - 3 && j <= t + 1)))
  );
});

property('the frame at `left` itself is seen', 'left exclusive', (attend) => {
  const [weights] = attend({ signal }, params, { ...options, left: 1, right: 0 })['weights'] as [Matrix];
  return weights.every((row, t) => t === 0 || row[t - 1]! > 0);
});

property('the rest of a signal is no frame', 'last frame padded', (attend) => {
  const { frames } = attend({ signal }, params, options) as { frames: Matrix };
  return frames.length === 8 && close(frames[7], signal.slice(28, 38), 0);
});

property('a frame is multiplied by the window', 'window left out', (attend) => {
  const window = random([10], 8) as Row;
  const { frames } = attend({ signal }, { ...params, window }, options) as { frames: Matrix };
  return close(frames[2], hadamard(signal.slice(8, 18), window));
});

test('left = right = 0 gives the values, an unbounded window full self-attention; one second has 98 frames', () => {
  const { features, output } = run({ signal }, params, { ...options, left: 0, right: 0 }) as Record<string, Matrix>;
  assert.ok(
    close(
      output,
      features!.map((row) => times(row, params.Wv)),
    ),
  );
  const { Wq, Wk, Wv } = params;
  const full = toNested(fovea.selfAttention(features!, { Wq, Wk, Wv }).output);
  for (const window of [{}, { left: 8, right: 9 }])
    assert.ok(close(run({ signal }, params, { ...options, ...window })['output'], full));
  const second = { data: new Float32Array(16000), shape: [16000] };
  const { frames } = speechSelfAttention(fovea, { signal: second }, { ...params, Wf: random([400, 4], 9) });
  assert.deepEqual(frames.shape, [98, 400]);
});

test('a batch entry has the frames of its own length, whatever stands in its padding', () => {
  const signals = [signal, [...signal.slice(0, 20), ...new Array<number>(21).fill(3e38)], signal];
  const lengths = [41, 20, 9];
  const window = { ...options, left: 1, right: 1 };
  const together = leavesNothing(() => run({ signal: signals }, params, { ...window, lengths }));
  const counts = [8, 3, 0];
  signals.forEach((one, b) => {
    const alone = run({ signal: one.slice(0, lengths[b]) }, params, window);
    for (const name of ['frames', 'features', 'output']) {
      const rows = (together[name] as Matrix[])[b]!;
      assert.ok(close(rows.slice(0, counts[b]), alone[name]), name);
      assert.ok(
        rows
          .slice(counts[b])
          .flat()
          .every((x) => x === 0),
        name,
      );
    }
    const [weights] = (together['weights'] as Matrix[][])[b]!;
    assert.ok(weights!.every((row, t) => row.every((x, j) => (t < counts[b]! && j < counts[b]!) || x === 0)));
  });
});

test('the empty cases: a signal shorter than a frame, one frame', () => {
  for (const samples of [0, 9]) {
    const none = speechSelfAttention(fovea, { signal: { data: new Float32Array(samples), shape: [samples] } }, params, options);
    assert.deepEqual([none.frames.shape, none.weights.shape, none.output.shape], [[0, 10], [1, 0, 0], [0, 6]]); // prettier-ignore
  }
  assert.deepEqual(run({ signal: signal.slice(0, 12) }, params, options)['weights'], [[[1]]]);
});

test('bad input is an error that says what was expected', () => {
  const call =
    (change: object, own: object = params) =>
    () =>
      speechSelfAttention(fovea, { signal }, own as never, { ...options, ...change });
  fails('shape', /speechSelfAttention: Wf must have L = 20 rows, got 10/, call({ sampleRate: 800 }));
  fails('value', /frameShift must be at least one sample at sampleRate 400, got 0/, call({ frameShift: 1 }));
  fails('value', /left must be an integer from -1/, call({ left: -2 }));
  fails('value', /lengths must be an integer from 0 to 41, got 42/, call({ lengths: 42 }));
  fails('shape', /window must be \[L\] = \[10\], got \[3\]/, call({}, { ...params, window: [1, 2, 3] }));
  fails('value', /missing Wf; unexpected Wx$/, call({}, { ...params, Wf: undefined, Wx: [[1]] }));
});

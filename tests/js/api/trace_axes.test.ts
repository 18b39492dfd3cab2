/** Every stage of a trace names its axes. All lengths differ, so that a name is told by its length. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TraceStage } from 'fovea';
import { linearAttention, linformer } from 'fovea/linear-attention';
import { MultiHeadAttention, SelfAttention } from 'fovea/nn';
import { multiDimensionalAttention, score } from 'fovea/score';
import { fovea, numbers } from '../support/api.ts';

const [B, H, Hkv, Tq, Tk] = [2, 6, 3, 5, 7];
const [D, Dv] = [11, 13];
const lengths: Record<string, readonly number[]> = {
  batch: [B],
  head: [H, Hkv],
  query: [Tq],
  key: [Tk],
};
const q = numbers([B, H, Tq, D], 1);
const k = numbers([B, Hkv, Tk, D], 2);
const v = numbers([B, Hkv, Tk, Dv], 3);

/** The axes of all stages by name, `b h q f` for batch, head, query, feature; checked against the lengths. */
function axesOf(trace: readonly TraceStage[], tokens = 0): Record<string, string> {
  return Object.fromEntries(
    trace.map(({ name, shape, axes }) => {
      assert.equal(axes.length, shape.length, name);
      axes.forEach((axis, n) => {
        const allowed = tokens > 0 && axis !== 'batch' && axis !== 'head' ? undefined : lengths[axis];
        if (allowed !== undefined) assert.ok(allowed.includes(shape[n]!), `${name}: ${axis} of length ${shape[n]}`);
        if (axis === 'token') assert.equal(shape[n], tokens, name);
      });
      return [name, axes.map((axis) => (axis === 'valueFeature' ? 'V' : axis[0])).join('')];
    }),
  );
}

const pairs = { query: 'bhqf', key: 'bhkf', value: 'bhkf', scores: 'bhqk', scaled: 'bhqk', weights: 'bhqk', output: 'bhqf' };
const without = (letter: string, axes: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(axes).map(([name, letters]) => [name, letters.replaceAll(letter, '')]));

test('attention, of every rank and narrowed', () => {
  const options = { softcap: 2, causal: true, trace: true } as const;
  const masked = { ...pairs, capped: 'bhqk', masked: 'bhqk' };
  assert.deepEqual(axesOf(fovea.attention(q, k, v, options).trace), masked);
  const [three, two] = [3, 2].map((rank) =>
    [q, k, v].map(({ data, shape }) => {
      const own = shape.slice(4 - rank);
      return {
        data: data.slice(
          0,
          own.reduce((a, b) => a * b),
        ),
        shape: own,
      };
    }),
  ) as [[typeof q, typeof k, typeof v], [typeof q, typeof k, typeof v]];
  assert.deepEqual(axesOf(fovea.attention(...three, options).trace), without('b', masked));
  const bare = without('h', without('b', masked));
  assert.deepEqual(axesOf(fovea.attention(...two, options).trace), bare);
  const batches = [numbers([B, Tq, D]), numbers([B, Tk, D]), numbers([B, Tk, Dv])] as const;
  assert.deepEqual(axesOf(fovea.attention(...batches, { ...options, layout: 'btd' }).trace), without('h', masked));
  const narrowed = fovea.attention(q, k, v, { ...options, trace: { rows: [1, 3], head: 1, batch: 0 } }).trace;
  assert.deepEqual(
    Object.fromEntries(narrowed.map(({ name, axes }) => [name, axes.map(([letter]) => letter).join('')])),
    masked,
  );
  assert.deepEqual(narrowed.at(-1)!.axes, ['batch', 'head', 'query', 'feature']);
});

test('a score that projects has stages of its own', () => {
  const [Wq, Wk, w] = [numbers([D, 4], 4), numbers([D, 4], 5), numbers([4], 6)];
  const { trace } = fovea.attention(q, k, v, { score: score.additive({ Wq, Wk, w }), trace: true });
  const axes = axesOf(trace);
  assert.deepEqual([axes['projectedQuery'], axes['projectedKey'], axes['scores']], ['bhqf', 'bhkf', 'bhqk']);
});

test('multi-head and self-attention, and the modules', () => {
  const [query, key] = [numbers([B, Tq, 12], 1), numbers([B, Tk, 12], 2)];
  const params = { Wq: numbers([12, 12], 3), Wk: numbers([12, 6], 4), Wv: numbers([12, 6], 5), Wo: numbers([12, 4], 6) };
  const { trace } = fovea.multiHeadAttention(query, key, key, params, { heads: H, kvHeads: Hkv, trace: true });
  const projected = { ...pairs, heads: 'bqf', output: 'bqf' };
  const inputs = { queryInput: 'bqf', keyInput: 'bkf', valueInput: 'bkf' };
  assert.deepEqual(axesOf(trace), { ...inputs, ...projected });
  const self = fovea.selfAttention(query, params, { heads: H, kvHeads: Hkv, trace: true }).trace;
  assert.deepEqual(axesOf(self, Tq), { input: 'btf', ...projected });
  const one = { Wq: params.Wq, Wk: params.Wq, Wv: params.Wq };
  const alone = fovea.selfAttention(numbers([Tq, 12]), one, { trace: true }).trace;
  assert.deepEqual(axesOf(alone, Tq), { input: 'tf', ...without('h', without('b', pairs)) });

  const module = new MultiHeadAttention(fovea, { embedDim: 12, numHeads: H, seed: 1 });
  assert.deepEqual(axesOf(module.forward(query, key, key, { trace: true }).trace), { ...inputs, ...projected });
  const own = new SelfAttention(fovea, { dim: 12, heads: H, seed: 1 });
  assert.deepEqual(axesOf(own.forward(query, { trace: true }).trace, Tq), { input: 'btf', ...projected });
  module.dispose();
  own.dispose();
});

test('multi-dimensional attention: a weight for every feature', () => {
  const params = { Wq: numbers([D, Dv], 4), Wk: numbers([D, Dv], 5) };
  const { trace } = multiDimensionalAttention(fovea, q, k, v, params, { trace: true });
  const axes = { ...pairs, projectedQuery: 'bhqf', projectedKey: 'bhkf', weights: 'bhqkf' };
  const { scores: _, scaled: __, ...wanted } = axes;
  assert.deepEqual(axesOf(trace), wanted);
});

test('linear attention: states have the features of keys and values', () => {
  const features = { queryFeatures: 'bhqf', keyFeatures: 'bhkf' };
  const { scores: _, scaled: __, ...rows } = pairs;
  const common = { ...rows, ...features, similarity: 'bhqk', numerator: 'bhqf', denominator: 'bhq' };
  const whole = linearAttention(fovea, q, k, v, { trace: true }).trace;
  assert.deepEqual(axesOf(whole, Tk), { ...common, state: 'bhfV', normalizer: 'bhf' });
  const [state] = whole.filter(({ name }) => name === 'state');
  assert.deepEqual(state!.shape, [B, Hkv, D, Dv]);
  const long = numbers([B, H, Tk, D], 7);
  const causal = linearAttention(fovea, long, k, v, { causal: true, trace: true }).trace;
  assert.deepEqual(axesOf(causal, Tk), { ...common, state: 'bhtfV', normalizer: 'bhtf' });
});

test('linformer has the trace of the attention that it makes', () => {
  const E = numbers([3, Tk], 8);
  const { trace } = linformer(fovea, q, k, v, { E, F: E, trace: true });
  for (const { axes, shape, name } of trace) assert.equal(axes.length, shape.length, name);
});

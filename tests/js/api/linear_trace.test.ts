/** The trace of linear attention: its stages, and that they make the output. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { linearAttention, type LinearOptions } from 'fovea/linear-attention';
import type { NDArray, TraceStage } from 'fovea';
import { fails, fovea, near, numbers, same } from '../support/api.ts';

after(() => fovea.dispose());

const NAMES = 'query key value queryFeatures keyFeatures similarity state normalizer numerator denominator weights output';

function traced(
  q: NDArray,
  k: NDArray,
  v: NDArray,
  options: LinearOptions,
): { output: NDArray; stages: Map<string, TraceStage> } {
  const bare = linearAttention(fovea, q, k, v, options);
  const { output, trace } = linearAttention(fovea, q, k, v, { ...options, trace: true });
  same(output.data, bare.output.data);
  return { output, stages: new Map(trace!.map((stage) => [stage.name, stage])) };
}

const [B, H, Hkv, T, D, Dv] = [2, 4, 2, 5, 3, 2];
const [q, k, v] = [numbers([B, H, T, D]), numbers([B, Hkv, T, D], 2), numbers([B, Hkv, T, Dv], 3)];
const decay = { data: numbers([B, Hkv, T], 4).data.map((g) => g - 1), shape: [B, Hkv, T] };
const beta = numbers([B, Hkv, T], 5);

const options: [string, LinearOptions][] = [
  ['elu1', {}],
  ['elu1 causal with eps', { causal: true, eps: 0.25 }],
  ['padded', { keyLengths: [5, 2] }],
  ['favor+', { featureMap: 'favor+', features: 7 }],
  ['exp causal', { featureMap: 'exp', causal: true }],
  ['taylor', { featureMap: 'taylor', causal: true, keyLengths: [3, 5] }],
  ['efficient', { featureMap: 'softmax', keyLengths: [5, 4] }],
  ['not normalized', { featureMap: 'relu', normalize: false, scale: 0.5 }],
  ['gated', { updateRule: 'gated', decay }],
  ['gated favor+', { updateRule: 'gated', decay, featureMap: 'favor+', normalize: true }],
  ['delta', { updateRule: 'delta', beta }],
  ['gated delta, normalized', { updateRule: 'gatedDelta', decay, beta, normalize: true, featureMap: 'elu1' }],
];

for (const [title, some] of options) {
  test(`weights · values is the output, and the last state what is returned: ${title}`, () => {
    const { output, stages } = traced(q, k, v, some);
    const normalized = stages.has('denominator');
    const names = NAMES.split(' ').filter((name) => normalized || !['normalizer', 'denominator'].includes(name));
    assert.deepEqual([...stages.keys()], names);
    const get = (name: string) => stages.get(name)!;
    assert.deepEqual(get('weights').shape, [B, H, T, T]);
    const F = get('keyFeatures').shape.at(-1)!;
    assert.deepEqual(get('queryFeatures').shape, [B, H, T, F]);
    const isCausal = some.causal ?? some.updateRule !== undefined;
    assert.deepEqual(get('state').shape, [B, Hkv, ...(isCausal ? [T] : []), F, Dv]);
    same(get('output').data, output.data);
    const weights = get('weights').data;
    const made = output.data.map((_, n) => {
      const [row, c] = [Math.floor(n / Dv), n % Dv];
      const kv = Math.floor(row / (T * H)) * Hkv + Math.floor((Math.floor(row / T) % H) / (H / Hkv));
      let sum = 0;
      for (let j = 0; j < T; j++) if (weights[row * T + j] !== 0) sum += weights[row * T + j]! * v.data[(kv * T + j) * Dv + c]!;
      return sum;
    });
    near(output, Array.from(made), 2e-5);
    if (normalized && some.eps === undefined && !some.updateRule) {
      for (let row = 0; row < B * H * T; row++) {
        const sum = weights.subarray(row * T, (row + 1) * T).reduce((a, b) => a + b);
        assert.ok(Math.abs(sum - 1) < 1e-5, `row ${row} sums to ${sum}`);
      }
    }
    if (some.featureMap === 'softmax' || some.featureMap === 'favor+' || some.featureMap === 'exp') return;
    const { state } = linearAttention(fovea, q, k, v, { ...some, returnState: true });
    const last = (stage: TraceStage, size: number): number[] =>
      Array.from({ length: B * Hkv }, (_, n) => {
        const steps = isCausal ? T : 1;
        return Array.from(stage.data.subarray((n * steps + steps - 1) * size, (n + 1) * steps * size));
      }).flat();
    near(state!.s, last(get('state'), F * Dv), 1e-5);
    if (normalized) near(state!.z, last(get('normalizer'), F), 1e-5);
  });
}

test('the trace goes on from an initial state', () => {
  const first = linearAttention(fovea, q, k, v, { causal: true, returnState: true });
  const { output, stages } = traced(q, k, v, { causal: true, initialState: first.state });
  const [numerator, denominator] = ['numerator', 'denominator'].map((name) => stages.get(name)!.data) as [
    Float32Array,
    Float32Array,
  ];
  near(
    output,
    Array.from(numerator, (x, n) => x / denominator[Math.floor(n / Dv)]!),
    1e-5,
  );
});

test('stages lose the axes that q lacks; features are φ', () => {
  const x = [[1, -1]];
  const { trace } = linearAttention(fovea, x, x, [[4]], { trace: true });
  const stages = new Map(trace!.map((stage) => [stage.name, stage]));
  near(stages.get('queryFeatures') as never as NDArray, [2, Math.exp(-1)]);
  near(stages.get('similarity') as never as NDArray, [4 + Math.exp(-2)], 1e-5);
  assert.deepEqual(stages.get('denominator')!.shape, [1]);
  assert.deepEqual(stages.get('state')!.shape, [2, 1]);
  for (const { formula, name } of trace!) assert.ok(formula.length > 0, name);
});

test('a trace over 256 MiB is refused before anything is computed', () => {
  const long = numbers([9000, 1]);
  fails('memory', /the trace would hold \d+ bytes, more than 268435456/, () =>
    linearAttention(fovea, long, long, long, { trace: true }),
  );
});

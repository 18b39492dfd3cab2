/** The worked example of tests/golden/seed through selfAttention: unscaled, scaled, causal, and its trace. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertSameBits, assertWithin, formatBound } from './support/truth_bounds.ts';
import { floats, need, truthCases, type TruthCase } from './support/truth_files.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());
const cases = truthCases('seed', 'seed.self_attention');

test('the worked example is there', () => {
  assert.ok(cases.length > 0);
});

const CALLS = [
  { suffix: 'unscaled', options: { scale: 1 } },
  { suffix: 'scaled', options: {} },
  { suffix: 'scaled_causal', options: { causal: true } },
] as const;

for (const one of cases) {
  for (const { suffix, options } of CALLS) {
    test(`${one.name}: selfAttention, ${suffix}`, () => {
      const { x, params } = inputsOf(one);
      const got = fovea.selfAttention(x, params, { ...options, returnWeights: true, returnLse: true });
      const check = (name: string, data: typeof got.output | undefined) => {
        const want = one.outputs[`${name}_${suffix}`];
        if (want === undefined) return;
        assert.ok(data, `${name} was asked for`);
        assertWithin(data, want, formatBound(want, undefined), name, (n) => want.data[n] === 0);
      };
      check('out', got.output);
      check('weights', got.weights);
      check('lse', got.lse);
      const bare = fovea.selfAttention(x, params, options);
      assert.equal(bare.weights, undefined);
      assertSameBits(bare.output.data, got.output.data, 'output without weights and lse');
    });

    test(`${one.name}: trace of selfAttention, ${suffix}, has the file's Q, K, V and scores`, () => {
      const { x, params } = inputsOf(one);
      const traced = fovea.selfAttention(x, params, { ...options, trace: true });
      const stages = new Map((traced.trace ?? []).map((stage) => [stage.name, stage]));
      for (const [name, stageName] of [
        ['Q', 'query'],
        ['K', 'key'],
        ['V', 'value'],
        ['scores', 'scores'],
      ] as const) {
        const stage = stages.get(stageName);
        assert.ok(stage, `the trace has the stages ${[...stages.keys()].join(', ')}, not ${stageName}`);
        // All are small integers: float32 holds them exactly.
        assertWithin(stage, need(one.outputs, name), 0, name);
      }
      assertSameBits(traced.output.data, fovea.selfAttention(x, params, options).output.data, 'output without the trace');
    });
  }
}

function inputsOf(one: TruthCase) {
  const array = (name: string) => floats(need(one.inputs, name));
  return { x: array('X'), params: { Wq: array('Wq'), Wk: array('Wk'), Wv: array('Wv') } };
}

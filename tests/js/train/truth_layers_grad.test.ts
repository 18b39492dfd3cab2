/** The gradients of every torch.linear_attention, torch.rnn and torch.shaw_relative case of tests/golden that has them, at FORMAT.md's bound. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Tensor } from 'fovea';
import { linearAttention } from 'fovea/linear-attention';
import type { TensorRecord } from 'fovea/train';
import { layerOf, optionsOf, weightNames, type Plain } from '../support/recurrent_cases.ts';
import { gradientsOf, loadForTraining } from '../support/training.ts';
import { assertWithin, formatBound } from '../support/truth_bounds.ts';
import { need, truthCases, type TruthCase } from '../support/truth_files.ts';

const fovea = await loadForTraining();
after(() => fovea.dispose());

/** Runs a case on Tensors of its inputs. */
type Run = (one: TruthCase, tensors: TensorRecord) => Tensor;

/** Declares the tests of a kind's cases with `dout`, by the names of their gradients: `prefix` before the name of an input. */
function testsGradients(kind: string, prefix: string, count: number, run: Run): void {
  const cases = truthCases('torch', kind).filter(({ inputs }) => inputs['dout'] !== undefined);
  test(`${kind}: cases with gradients are there`, () => assert.ok(cases.length >= count, `${cases.length}`));
  for (const one of cases)
    test(one.name, () => {
      const wanted = Object.keys(one.outputs).filter((name) => name.startsWith(prefix));
      const arrays = Object.fromEntries(
        wanted.map((name) => name.slice(prefix.length)).map((name) => [name, need(one.inputs, name)]),
      );
      const got = gradientsOf(fovea, arrays, need(one.inputs, 'dout'), (tensors) => run(one, tensors));
      for (const name of wanted) {
        const want = need(one.outputs, name);
        assertWithin(got[name.slice(prefix.length)]!, want, formatBound(want, one.baseline_f32?.[name]), name);
      }
    });
}

testsGradients('torch.linear_attention', 'd', 2, (one, { q, k, v }) => {
  const { causal, eps } = one.attributes as { causal: boolean; eps: number };
  return linearAttention(fovea, q!, k!, v!, { causal, eps }).output;
});

testsGradients('torch.rnn', 'd:', 2, (one, { x, ...weights }) => {
  assert.deepEqual(Object.keys(weights), weightNames(one));
  const { output } = layerOf(fovea, one.attributes['cell'])(x as unknown as Plain, weights, optionsOf(one));
  return output as unknown as Tensor;
});

testsGradients('torch.shaw_relative', 'd', 1, (one, { q, k, v, rel_k, rel_v }) => {
  const { clip, causal } = one.attributes as { clip: number; causal: boolean };
  return fovea.attention(q!, k!, v!, {
    causal,
    relativeKeys: { table: rel_k!, clip },
    relativeValues: { table: rel_v!, clip },
  }).output;
});

/** Every torch.score_attention case of tests/golden through the option `score`, at FORMAT.md's bound: whole, with Tensors, by heads. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ArrayInput } from 'fovea';
import { score, type Score } from 'fovea/score';
import { assertSameBits, assertWithin, formatBound } from './support/truth_bounds.ts';
import { testsAllCases } from './support/truth_complete.ts';
import { floats, need, truthCases, type TruthCase } from './support/truth_files.ts';
import type { Plain } from './support/truth_forms.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());
const cases = truthCases('torch', 'torch.score_attention');

testsAllCases('torch.score_attention', cases);

/** The case's score; what it takes from the file goes through `give`, as a plain array or a Tensor. */
function scoreOf(one: TruthCase, give: (array: Plain) => ArrayInput): Score {
  const parameter = (name: string) => give(floats(need(one.inputs, name)));
  const options = { weightLayout: 'outIn' } as const;
  switch (one.attributes['score']) {
    case 'dot':
      return score.dot();
    case 'general':
      return score.bilinear(parameter('W'));
    case 'concat':
      return score.concat({ W: parameter('W'), w: parameter('va') }, options);
    default: {
      assert.equal(one.attributes['score'], 'additive');
      const [Wq, Wk, w, bias] = [parameter('Wq'), parameter('Wk'), parameter('va'), parameter('b')];
      return score.additive({ Wq, Wk, w, bias }, options);
    }
  }
}

for (const one of cases) {
  test(one.name, () => {
    const [q, k, v] = ['q', 'k', 'v'].map((name) => floats(need(one.inputs, name))) as [Plain, Plain, Plain];
    const lengths = one.inputs['key_lengths'];
    const options = { layout: 'btd', keyLengths: lengths && Array.from(lengths.data), returnWeights: true } as const;
    const { output, weights } = fovea.attention(q, k, v, { ...options, score: scoreOf(one, (array) => array) });
    for (const [name, got] of [
      ['out', output],
      ['weights', weights],
    ] as const) {
      const want = need(one.outputs, name);
      assert.ok(got !== undefined);
      assertWithin(got, want, formatBound(want, one.baseline_f32?.[name]), name);
    }
    fovea.scope(() => {
      const tensors = { ...options, score: scoreOf(one, (array) => fovea.tensor(array)) };
      const chained = fovea.attention(fovea.tensor(q), k, fovea.tensor(v), tensors);
      assertSameBits(Float32Array.from(chained.output.data), output.data, 'Tensors');
    });
  });
}

/** Every torch.shaw_relative case of tests/golden through `attention`, at FORMAT.md's bound: whole, per head, and with Tensors. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pattern } from 'fovea/pattern';
import { assertSameBits, assertWithin, formatBound } from './support/truth_bounds.ts';
import { testsAllCases } from './support/truth_complete.ts';
import { floats, need, truthCases, type TruthCase } from './support/truth_files.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());
const cases = truthCases('torch', 'torch.shaw_relative');

testsAllCases('torch.shaw_relative', cases);

for (const one of cases) {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => floats(need(one.inputs, name)));
  const { clip, causal, ...others } = one.attributes as { clip: number; causal: boolean };
  const table = (name: string) => one.inputs[name] && { table: floats(one.inputs[name]), clip };
  const options = { causal, relativeKeys: table('rel_k'), relativeValues: table('rel_v'), returnWeights: true } as const;

  test(one.name, () => {
    assert.deepEqual(others, {}, 'attributes that this test does not know');
    const { output, weights } = fovea.attention(q!, k!, v!, options);
    compare(one, output, 'out');
    compare(one, weights!, 'weights');
  });

  test(`${one.name}: tables of each head, Tensors, a call without weights: the same bits`, () => {
    const want = fovea.attention(q!, k!, v!, options);
    const heads = q!.shape[1]!;
    const perHead = (rows: typeof options.relativeKeys) =>
      rows && {
        clip,
        table: {
          data: Float32Array.from(
            { length: heads * rows.table.data.length },
            (_, n) => rows.table.data[n % rows.table.data.length]!,
          ),
          shape: [heads, ...rows.table.shape],
        },
      };
    const own = { ...options, relativeKeys: perHead(options.relativeKeys), relativeValues: perHead(options.relativeValues) };
    assertSameBits(fovea.attention(q!, k!, v!, own).output.data, want.output.data, 'tables of each head');
    assertSameBits(
      fovea.attention(q!, k!, v!, { ...options, returnWeights: false }).output.data,
      want.output.data,
      'output alone',
    );
    fovea.scope(() => {
      const rows = options.relativeKeys!.table;
      const made = { ...options, relativeKeys: { table: fovea.tensor(rows), clip } };
      const got = fovea.attention(fovea.tensor(q!), k!, v!, made);
      assertSameBits(got.output.toArray().data, want.output.data, 'Tensors');
    });
  });

  test(`${one.name}: as a pattern of all pairs, within the same bound`, () => {
    const { output, weights } = fovea.attention(q!, k!, v!, { ...options, pattern: pattern.all(), returnWeights: 'dense' });
    compare(one, output, 'out');
    compare(one, weights, 'weights');
  });
}

function compare(one: TruthCase, got: { data: Float32Array; shape: readonly number[] } | undefined, name: string): void {
  const want = need(one.outputs, name);
  assert.ok(got !== undefined);
  const forbidden = (n: number) => want.data[n] === 0;
  assertWithin(got, want, formatBound(want, one.baseline_f32?.[name]), name, name === 'weights' ? forbidden : undefined);
}

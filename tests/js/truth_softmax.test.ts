/** Every torch.softmax case of tests/golden through softmax, logSoftmax and logSumExp, at FORMAT.md's bound. */
import { after, test } from 'node:test';
import { logSoftmax, logSumExp, softmax } from 'fovea/ops';
import { assertSameBits, assertWithin, formatBound } from './support/truth_bounds.ts';
import { testsAllCases } from './support/truth_complete.ts';
import { floats, need, truthCases } from './support/truth_files.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());
const cases = truthCases('torch', 'torch.softmax');
const functions = { softmax, log_softmax: logSoftmax, logsumexp: logSumExp };

testsAllCases('torch.softmax', cases);

for (const one of cases) {
  test(one.name, () => {
    const x = floats(need(one.inputs, 'x'));
    const axis = one.attributes['dim'] as number;
    for (const [name, run] of Object.entries(functions)) {
      const want = need(one.outputs, name);
      const got = run(fovea, x, { axis });
      // A softmax of exactly 0 is that of an element of -Infinity, or far below float32's range.
      const exact = (n: number) => name === 'softmax' && want.data[n] === 0;
      assertWithin(got, want, formatBound(want, one.baseline_f32?.[name]), name, exact);
      const fromEnd = axis < 0 ? axis + x.shape.length : axis - x.shape.length;
      assertSameBits(run(fovea, x, { axis: fromEnd }).data, got.data, `${name} with axis ${fromEnd}`);
      fovea.scope(() => {
        assertSameBits(Float32Array.from(run(fovea, fovea.tensor(x), { axis }).data), got.data, `${name} of a Tensor`);
      });
    }
  });
}

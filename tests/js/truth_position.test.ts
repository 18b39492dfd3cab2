/** Every torch.sinusoidal and torch.rope case of tests/golden through `sinusoidal` and `rotary`, at FORMAT.md's bound. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rotaryEmbedding, sinusoidalPositions, type RotaryOptions, type SinusoidalForm } from 'fovea/position';
import { assertSameBits, assertWithin, formatBound } from './support/truth_bounds.ts';
import { testsAllCases } from './support/truth_complete.ts';
import { floats, need, truthCases } from './support/truth_files.ts';
import { swapMiddle } from './support/truth_forms.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());
const waves = truthCases('torch', 'torch.sinusoidal');
const turns = truthCases('torch', 'torch.rope');

testsAllCases('torch.sinusoidal', waves);
testsAllCases('torch.rope', turns);

for (const one of waves) {
  test(one.name, () => {
    const { D: width, base, start } = one.attributes as { D: number; base: number; start: number };
    const tokens = need(one.inputs, 'positions').data.length;
    for (const [form, want] of Object.entries(one.outputs)) {
      const got = sinusoidalPositions(fovea, {
        tokens,
        width,
        base,
        start,
        form: (form === 'halves' ? 'splitHalf' : form) as SinusoidalForm,
      });
      assertWithin(got, want, formatBound(want, one.baseline_f32?.[form]), form);
      if (form !== 'interleaved') continue;
      assertSameBits(sinusoidalPositions(fovea, { tokens, width, base, start }).data, got.data, 'the default form');
      const last = sinusoidalPositions(fovea, { tokens: 1, width, base, start: start + tokens - 1 });
      assertSameBits(last.data, got.data.slice(-width), 'the last row alone');
    }
  });
}

for (const one of turns) {
  test(one.name, () => {
    const { rotary_dim: rotaryWidth, base } = one.attributes as { rotary_dim: number; base: number };
    const x = floats(need(one.inputs, 'x'));
    const positions = Array.from(need(one.inputs, 'positions').data);
    for (const form of ['interleaved', 'halves'] as const) {
      const options: RotaryOptions = { interleaved: form === 'interleaved', rotaryWidth, base, positions };
      const want = need(one.outputs, form);
      const got = rotaryEmbedding(fovea, x, options);
      assertWithin(got, want, formatBound(want, one.baseline_f32?.[form]), form);
      const bthd = rotaryEmbedding(fovea, swapMiddle(x), { ...options, layout: 'bthd' });
      assertSameBits(swapMiddle(bthd).data, got.data, "layout 'bthd'");
      const batch = x.shape[0]!;
      const each = rotaryEmbedding(fovea, x, { ...options, positions: Array.from({ length: batch }, () => positions) });
      assertSameBits(each.data, got.data, 'positions of each sequence');
      if (positions.every((p, n) => p === positions[0]! + n)) {
        const { positions: _, ...others } = options;
        assertSameBits(rotaryEmbedding(fovea, x, { ...others, start: positions[0] }).data, got.data, 'start');
      }
      fovea.scope(() => {
        assertSameBits(Float32Array.from(rotaryEmbedding(fovea, fovea.tensor(x), options).data), got.data, 'Tensors');
      });
      // Columns that are not rotated stay unchanged.
      const width = x.shape[3]!;
      x.data.forEach((value, n) => n % width < rotaryWidth || assert.equal(got.data[n], value));
    }
  });
}

/**
 * Every torch.norm_act, torch.glu and torch.conv1d_glu case of tests/golden through the functions of fovea/ops, at FORMAT.md's
 * bound; plain arrays and Tensors give the same bits.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ArrayInput, NDArray, Tensor } from 'fovea';
import * as ops from 'fovea/ops';
import { assertSameBits, assertWithin, formatBound } from './support/truth_bounds.ts';
import { testsAllCases } from './support/truth_complete.ts';
import { floats, need, truthCases, type TruthCase } from './support/truth_files.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

for (const kind of ['torch.norm_act', 'torch.glu', 'torch.conv1d_glu']) testsAllCases(kind, truthCases('torch', kind));

/** Compares what `run` gives of plain arrays, and of Tensors. */
function check(one: TruthCase, name: string, x: NDArray, run: <X extends ArrayInput>(x: X) => NDArray | Tensor): NDArray {
  const want = need(one.outputs, name);
  const got = run(x) as NDArray;
  assertWithin(got, want, formatBound(want, one.baseline_f32?.[name]), name);
  fovea.scope(() => assertSameBits(run(fovea.tensor(x)).data, got.data, `${name} of a Tensor`));
  return got;
}

for (const one of truthCases('torch', 'torch.norm_act')) {
  test(one.name, () => {
    const x = floats(need(one.inputs, 'x'));
    const [weight, bias] = [floats(need(one.inputs, 'gamma')), floats(need(one.inputs, 'beta'))];
    const eps = one.attributes['eps'] as number;
    check(one, 'layer_norm', x, (a) => ops.layerNorm(fovea, a, { weight, bias, eps }));
    check(one, 'rms_norm', x, (a) => ops.rmsNorm(fovea, a, { weight, eps }));
    check(one, 'gelu', x, (a) => ops.gelu(fovea, a));
    check(one, 'gelu_tanh', x, (a) => ops.geluTanh(fovea, a));
    check(one, 'silu', x, (a) => ops.silu(fovea, a));
    check(one, 'elu', x, (a) => ops.elu(fovea, a));
    check(one, 'leaky_relu_0.2', x, (a) => ops.leakyRelu(fovea, a, { slope: 0.2 }));
    check(one, 'tanh', x, (a) => ops.tanh(fovea, a));
    check(one, 'sigmoid', x, (a) => ops.sigmoid(fovea, a));
    assert.equal(Object.keys(one.outputs).length, 9);
  });
}

for (const one of truthCases('torch', 'torch.glu')) {
  test(one.name, () => {
    const x = floats(need(one.inputs, 'x'));
    const axis = one.attributes['dim'] as number;
    for (const name of ['glu', 'geglu', 'swiglu', 'reglu'] as const) check(one, name, x, (a) => ops[name](fovea, a, { axis }));
    assert.equal(Object.keys(one.outputs).length, 4);
  });
}

interface ConvAttributes {
  readonly stride: number;
  readonly dilation: number;
  readonly groups: number;
  readonly pad_left: number;
  readonly pad_right: number;
  readonly glu: boolean;
  readonly residual: boolean;
}

/** [B, T, C] <-> [B, C, T] */
function turned({ data, shape }: NDArray): NDArray {
  const [batch, rows, columns] = shape as [number, number, number];
  const result = new Float32Array(data.length);
  for (let b = 0; b < batch; b++)
    for (let r = 0; r < rows; r++)
      for (let c = 0; c < columns; c++) result[(b * columns + c) * rows + r] = data[(b * rows + r) * columns + c]!;
  return { data: result, shape: [batch, columns, rows] };
}

for (const one of truthCases('torch', 'torch.conv1d_glu')) {
  test(one.name, () => {
    const x = floats(need(one.inputs, 'x'));
    const weight = floats(need(one.inputs, 'weight'));
    const bias = one.inputs['bias'] === undefined ? undefined : floats(one.inputs['bias']);
    const { stride, dilation, groups, pad_left, pad_right, glu, residual } = one.attributes as unknown as ConvAttributes;
    const options = { bias, stride, dilation, groups, padding: [pad_left, pad_right] } as const;
    check(one, 'conv', x, (a) => ops.conv1d(fovea, a, weight, options));
    const conv = need(one.outputs, 'conv');
    const last = turned(ops.conv1d(fovea, turned(x), weight, { ...options, layout: 'btd' }));
    assertWithin(last, conv, formatBound(conv, one.baseline_f32?.['conv']), "layout 'btd'");
    if (!glu) return assert.equal(one.outputs['out'], undefined);
    check(one, 'out', x, (a) => {
      const gated = ops.glu(fovea, ops.conv1d(fovea, a, weight, options), { axis: 1 });
      return residual ? ops.add(fovea, gated, a, { scale: Math.sqrt(0.5) }) : gated;
    });
  });
}

/**
 * Every torch.mha case of tests/golden through multiHeadAttention, at FORMAT.md's bound. The files follow
 * torch.nn.MultiheadAttention: weights [out, in] with in_proj_weight = [Wq; Wk; Wv], boolean masks true = NOT allowed.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { MultiHeadParams } from 'fovea';
import { assertSameBits, assertWithin, formatBound, type FloatArray } from './support/truth_bounds.ts';
import { testsAllCases } from './support/truth_complete.ts';
import { floats, need, truthCases, type TruthCase, type TruthTensor } from './support/truth_files.ts';
import type { Mask, Plain } from './support/truth_forms.ts';
import { loadForTests } from './support/truth_instance.ts';
import { sizeOf } from './support/truth_random.ts';
import type { DenseMultiHeadOptions } from './support/dense_options.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());
const cases = truthCases('torch', 'torch.mha');

testsAllCases('torch.mha', cases);

interface Call {
  readonly query: Plain;
  readonly key: Plain;
  readonly value: Plain;
  readonly params: MultiHeadParams;
  readonly options: DenseMultiHeadOptions;
}

for (const one of cases) {
  test(one.name, () => {
    const call = callOf(one);
    const full = run(call, { returnWeights: true });
    const tokensFirst = one.attributes['layout'] === 'seq_first';
    const check = (name: 'attn_output' | 'attn_weights', got: FloatArray) => {
      const want = need(one.outputs, name);
      assertWithin(
        got,
        want,
        formatBound(want, one.baseline_f32?.[name]),
        name,
        name === 'attn_weights' ? (n) => want.data[n] === 0 : undefined,
      );
    };
    check('attn_output', tokensFirst ? swapFirst(full.output) : full.output);
    assert.ok(full.weights);
    check('attn_weights', full.weights);

    const bare = run(call, {});
    assert.equal(bare.weights, undefined);
    assertSameBits(bare.output.data, full.output.data, 'output without weights');
    assertSameBits(
      run(call, { returnWeights: true, averageWeights: !call.options.averageWeights }).output.data,
      full.output.data,
      'output with the weights averaged or not',
    );
    fovea.scope(() => {
      const { query, key, value, params, options } = call;
      const result = fovea.multiHeadAttention(fovea.tensor(query), fovea.tensor(key), fovea.tensor(value), params, {
        ...options,
        returnWeights: true,
      });
      assertSameBits(Float32Array.from(result.output.data), full.output.data, 'output of Tensors');
      assert.ok(result.weights && full.weights);
      assertSameBits(Float32Array.from(result.weights.data), full.weights.data, 'weights of Tensors');
    });
  });

  const lengths = paddingLengths(one);
  if (lengths !== undefined) {
    test(`${one.name}: keyLengths in place of key_padding_mask gives the same bits`, () => {
      const call = callOf(one);
      const { key_padding_mask: _, ...inputs } = one.inputs;
      const other = callOf({ ...one, inputs });
      const got = run({ ...other, options: { ...other.options, keyLengths: lengths } }, { returnWeights: true });
      const want = run(call, { returnWeights: true });
      assertSameBits(got.output.data, want.output.data, 'output');
      assert.ok(got.weights && want.weights);
      assertSameBits(got.weights.data, want.weights.data, 'weights');
    });
  }
}

function run({ query, key, value, params, options }: Call, more: Partial<DenseMultiHeadOptions>) {
  return fovea.multiHeadAttention(query, key, value, params, { ...options, ...more });
}

function callOf(one: TruthCase): Call {
  const a = one.attributes as {
    embed_dim: number;
    num_heads: number;
    bias: boolean;
    add_bias_kv: boolean;
    add_zero_attn: boolean;
    layout: string;
    average_attn_weights: boolean;
  };
  const known = [
    'embed_dim',
    'num_heads',
    'kdim',
    'vdim',
    'bias',
    'add_bias_kv',
    'add_zero_attn',
    'layout',
    'average_attn_weights',
    'self_attention',
  ];
  assert.deepEqual(
    Object.keys(one.attributes).filter((name) => !known.includes(name)),
    [],
    'attributes that this test does not know',
  );
  const sequence = (tensor: TruthTensor) => (a.layout === 'seq_first' ? swapFirst(floats(tensor)) : floats(tensor));
  const query = sequence(need(one.inputs, 'query'));
  return {
    query,
    key: one.inputs['key'] === undefined ? query : sequence(one.inputs['key']),
    value: one.inputs['value'] === undefined ? query : sequence(one.inputs['value']),
    params: paramsOf(one, a.embed_dim),
    options: {
      heads: a.num_heads,
      weightLayout: 'outIn',
      averageWeights: a.average_attn_weights,
      addZeroAttention: a.add_zero_attn,
      mask: maskOf(one, a.num_heads),
    },
  };
}

function paramsOf(one: TruthCase, E: number): MultiHeadParams {
  const joint = one.inputs['in_proj_weight'];
  const rows = (tensor: TruthTensor, n: number): Plain => {
    const rest = tensor.shape.slice(1);
    const size = E * sizeOf(rest);
    return { data: Float32Array.from(tensor.data.subarray(n * size, (n + 1) * size)), shape: [E, ...rest] };
  };
  const weight = (n: number, own: string) => (joint === undefined ? floats(need(one.inputs, own)) : rows(joint, n));
  const bias = one.inputs['in_proj_bias'];
  const flat = (name: string) => one.inputs[name] && { data: Float32Array.from(one.inputs[name].data), shape: [E] };
  return {
    Wq: weight(0, 'q_proj_weight'),
    Wk: weight(1, 'k_proj_weight'),
    Wv: weight(2, 'v_proj_weight'),
    bq: bias && rows(bias, 0),
    bk: bias && rows(bias, 1),
    bv: bias && rows(bias, 2),
    Wo: floats(need(one.inputs, 'out_proj.weight')),
    bo: flat('out_proj.bias'),
    biasK: flat('bias_k'),
    biasV: flat('bias_v'),
  };
}

/** attn_mask [L, S] or [N·H, L, S] and key_padding_mask [N, S] or [S] as one mask of fovea's: true = allowed. */
function maskOf(one: TruthCase, heads: number): Mask | undefined {
  const attention = one.inputs['attn_mask'];
  const padding = one.inputs['key_padding_mask'];
  const ofAttention =
    attention &&
    inverted(
      attention,
      attention.shape.length === 3
        ? [(attention.shape[0] as number) / heads, heads, ...attention.shape.slice(1)]
        : attention.shape,
    );
  const ofPadding =
    padding &&
    inverted(padding, [padding.shape.length === 2 ? (padding.shape[0] as number) : 1, 1, 1, padding.shape.at(-1) as number]);
  return ofAttention && ofPadding ? combined(ofAttention, ofPadding) : (ofAttention ?? ofPadding);
}

function inverted(tensor: TruthTensor, shape: readonly number[]): Mask {
  const data = tensor.dtype === 'bool' ? Uint8Array.from(tensor.data, (x) => 1 - x) : Float32Array.from(tensor.data);
  return { data, shape: [...shape] };
}

/** Both masks in one: [B, H, L, S], float where one of them is. `padding` is boolean [B, 1, 1, S]. */
function combined(attention: Mask, padding: Mask): Mask {
  const [B, , , S] = padding.shape as [number, number, number, number];
  const rows = attention.shape.slice(0, -1);
  const shape = rows.length === 3 ? [...rows, S] : [B, 1, ...rows, S];
  const perEntry = sizeOf(shape.slice(1));
  const data = attention.data instanceof Uint8Array ? new Uint8Array(sizeOf(shape)) : new Float32Array(sizeOf(shape));
  for (let n = 0; n < data.length; n++) {
    const allowed = padding.data[Math.floor(n / perEntry) * S + (n % S)] === 1;
    const value = attention.data[n % attention.data.length] as number;
    data[n] = allowed ? value : data instanceof Uint8Array ? 0 : -Infinity;
  }
  return { data, shape };
}

/** The lengths that a key_padding_mask says where it forbids keys at the ends only and no keys are appended; else undefined. */
function paddingLengths(one: TruthCase): number[] | undefined {
  const padding = one.inputs['key_padding_mask'];
  if (padding === undefined || one.inputs['bias_k'] !== undefined || one.attributes['add_zero_attn'] === true) return undefined;
  const S = padding.shape.at(-1) as number;
  const rows = Array.from({ length: padding.data.length / S }, (_, b) => Array.from(padding.data.subarray(b * S, (b + 1) * S)));
  const lengths = rows.map((row) => (row.includes(1) ? row.indexOf(1) : S));
  return rows.every((row, b) => row.every((x, j) => (x === 1) === j >= (lengths[b] as number))) ? lengths : undefined;
}

/** [a, b, c] -> [b, a, c]. */
function swapFirst({ data, shape }: FloatArray): Plain {
  const [a, b, c] = shape as readonly [number, number, number];
  const swapped = new Float32Array(data.length);
  for (let i = 0; i < a; i++)
    for (let j = 0; j < b; j++) swapped.set(data.subarray((i * b + j) * c, (i * b + j + 1) * c), (j * a + i) * c);
  return { data: swapped, shape: [b, a, c] };
}

/**
 * Every torch.mha, torch.transformer_layer, torch.rnn and torch.conv1d_glu case of tests/golden through the classes of
 * fovea/nn, at FORMAT.md's bound: weights go in through loadStateDict under PyTorch's names, masks as PyTorch has them.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ArrayInput, NDArray } from 'fovea';
import { kvCache } from 'fovea/cache';
import {
  Conv1d,
  Conv1dGLU,
  GRU,
  LSTM,
  MultiHeadAttention,
  RNN,
  TransformerDecoderLayer,
  TransformerEncoderLayer,
  type LSTMOptions,
  type Module,
} from 'fovea/nn';
import { assertSameBits, assertWithin, formatBound, type FloatArray } from './support/truth_bounds.ts';
import { testsAllCases } from './support/truth_complete.ts';
import { floats, need, truthCases, type TruthCase, type TruthTensor } from './support/truth_files.ts';
import { loadForTests } from './support/truth_instance.ts';

const fovea = await loadForTests();
after(() => fovea.dispose());

const casesOf = (kind: string): TruthCase[] => truthCases('torch', kind).filter((one) => one.inputs['dout'] === undefined);

for (const kind of ['torch.mha', 'torch.transformer_layer', 'torch.rnn', 'torch.conv1d_glu'])
  testsAllCases(kind, truthCases('torch', kind));

/** All inputs but those that are no weights. */
function weightsOf(one: TruthCase, others: readonly string[]): Map<string, NDArray> {
  return new Map(
    Object.entries(one.inputs)
      .filter(([name]) => !others.includes(name))
      .map(([name, tensor]) => [name, floats(tensor)]),
  );
}

/** The file's mask: booleans, or floats that are added. */
function mask(tensor: TruthTensor | undefined) {
  if (tensor === undefined) return undefined;
  const data = tensor.dtype === 'bool' ? Uint8Array.from(tensor.data) : Float32Array.from(tensor.data);
  return { data, shape: [...tensor.shape] };
}

function compare(one: TruthCase, name: string, got: FloatArray | undefined, exact?: (n: number) => boolean): void {
  const want = need(one.outputs, name);
  assert.ok(got !== undefined);
  assertWithin(got, want, formatBound(want, one.baseline_f32?.[name]), name, exact);
}

/** The module under the weights of the case; the memory is as before once it is disposed. */
function withWeights<M extends Module>(
  make: () => M,
  weights: ReadonlyMap<string, ArrayInput>,
  body: (module: M) => void,
): void {
  const before = fovea.memory().live;
  const module = make();
  module.loadStateDict(weights);
  const held = fovea.memory().live;
  body(module);
  assert.equal(fovea.memory().live, held, 'a forward pass leaves nothing');
  assert.deepEqual([...module.stateDict().keys()].sort(), [...weights.keys()].sort());
  module.dispose();
  assert.equal(fovea.memory().live, before, 'dispose frees the weights');
}

for (const one of casesOf('torch.mha')) {
  test(one.name, () => {
    const a = one.attributes as Record<string, unknown>;
    const optional = (name: string) => (typeof a[name] === 'number' ? (a[name] as number) : undefined);
    const make = () =>
      new MultiHeadAttention(fovea, {
        embedDim: a['embed_dim'] as number,
        numHeads: a['num_heads'] as number,
        kdim: optional('kdim'),
        vdim: optional('vdim'),
        bias: a['bias'] as boolean,
        addBiasKv: a['add_bias_kv'] as boolean,
        addZeroAttn: a['add_zero_attn'] as boolean,
        batchFirst: a['layout'] !== 'seq_first',
        averageAttnWeights: a['average_attn_weights'] as boolean,
      });
    const inputs = ['query', 'key', 'value'].map((name) => one.inputs[name] && floats(one.inputs[name]));
    const [query, key, value] = inputs as [NDArray, NDArray | undefined, NDArray | undefined];
    const masks = { attnMask: mask(one.inputs['attn_mask']), keyPaddingMask: mask(one.inputs['key_padding_mask']) };
    const others = ['query', 'key', 'value', 'attn_mask', 'key_padding_mask'];
    withWeights(make, weightsOf(one, others), (module) => {
      const { output, weights } = module.forward(query, key, value, { ...masks, returnWeights: true });
      compare(one, 'attn_output', output);
      const want = need(one.outputs, 'attn_weights');
      compare(one, 'attn_weights', weights, (n) => want.data[n] === 0);
      assert.equal(module.forward(query, key, value, masks).weights, undefined);
      fovea.scope(() => {
        const [q, k, v] = [query, key, value].map((array) => array && fovea.tensor(array));
        const kept = module.forward(q!, k, v, { ...masks, returnWeights: true });
        assertSameBits(kept.output.toArray().data, output.data, 'output of Tensors');
        assertSameBits(kept.weights!.toArray().data, weights!.data, 'weights of Tensors');
      });
    });
  });
}

/** The layer of tokens [B, T, E] that come one by one, the tokens before them in caches. */
function byTokens(layer: TransformerDecoderLayer, x: NDArray, memory: NDArray): NDArray {
  const [batch, tokens, width] = x.shape as [number, number, number];
  const caches = [tokens, memory.shape[1]!].map((capacity) => kvCache(fovea, { ...layer.cacheOptions, batch, capacity }));
  const [cache, memoryCache] = caches;
  const whole = new Float32Array(x.data.length);
  for (let t = 0; t < tokens; t++) {
    const rows = Array.from({ length: batch }, (_, b) => [
      [...x.data.subarray((b * tokens + t) * width, (b * tokens + t + 1) * width)],
    ]);
    const { data } = layer.forward(rows, memory, { cache, memoryCache, causal: true });
    for (let b = 0; b < batch; b++) whole.set(data.subarray(b * width, (b + 1) * width), (b * tokens + t) * width);
  }
  for (const one of caches) one.dispose();
  return { data: whole, shape: x.shape };
}

for (const one of casesOf('torch.transformer_layer')) {
  test(one.name, () => {
    const a = one.attributes as Record<string, unknown>;
    assert.deepEqual([a['dropout'], a['batch_first']], [0, true]);
    const settings = {
      dModel: a['d_model'] as number,
      nHead: a['nhead'] as number,
      dimFeedforward: a['dim_feedforward'] as number,
      activation: a['activation'] as 'relu' | 'gelu',
      normFirst: a['norm_first'] as boolean,
    };
    const x = floats(need(one.inputs, 'x'));
    const memory = one.inputs['memory'] && floats(one.inputs['memory']);
    const T = x.shape[1]!;
    const keyPaddingMask = mask(one.inputs['key_padding_mask']);
    const triangle = Array.from({ length: T }, (_, i) => Array.from({ length: T }, (_, j) => j > i));
    const rules = { keyPaddingMask, ...(a['causal'] === true ? { attnMask: triangle } : {}) };
    const make = () =>
      memory === undefined ? new TransformerEncoderLayer(fovea, settings) : new TransformerDecoderLayer(fovea, settings);
    withWeights<TransformerEncoderLayer | TransformerDecoderLayer>(
      make,
      weightsOf(one, ['x', 'memory', 'key_padding_mask']),
      (module) => {
        const run = <X extends ArrayInput>(input: X, options: object) =>
          module instanceof TransformerDecoderLayer ? module.forward(input, memory!, options) : module.forward(input, options);
        const result = run(x, rules);
        compare(one, 'out', result);
        if (a['causal'] === true) compare(one, 'out', run(x, { keyPaddingMask, causal: true }));
        fovea.scope(() => assertSameBits(run(fovea.tensor(x), rules).toArray().data, result.data, 'of a Tensor'));
        if (module instanceof TransformerDecoderLayer && a['causal'] === true)
          compare(one, 'out', byTokens(module, x, memory!));
      },
    );
  });
}

for (const one of casesOf('torch.rnn')) {
  test(one.name, () => {
    const a = one.attributes as Record<string, unknown>;
    const x = floats(need(one.inputs, 'x'));
    const [h0, c0, lengths] = ['h0', 'c0', 'lengths'].map((name) => one.inputs[name]);
    const weights = weightsOf(one, ['x', 'h0', 'c0', 'lengths']);
    const sizes: LSTMOptions = {
      inputSize: x.shape[2]!,
      hiddenSize: weights.get('weight_ih_l0')!.shape[0]! / { RNN: 1, GRU: 3, LSTM: 4 }[a['cell'] as 'RNN' | 'GRU' | 'LSTM'],
      numLayers: [...weights.keys()].filter((name) => /^weight_ih_l\d+$/.test(name)).length,
      bias: weights.has('bias_ih_l0'),
      batchFirst: a['batch_first'] as boolean,
      bidirectional: a['bidirectional'] as boolean,
    };
    const make = (): RNN | GRU | LSTM => {
      if (a['cell'] === 'GRU') return new GRU(fovea, sizes);
      if (a['cell'] === 'LSTM') return new LSTM(fovea, { ...sizes, projSize: weights.get('weight_hr_l0')?.shape[0] });
      return new RNN(fovea, { ...sizes, nonlinearity: a['nonlinearity'] as 'tanh' | 'relu' });
    };
    const initialState = h0 && { hidden: floats(h0), ...(c0 && { cell: floats(c0) }) };
    withWeights(make, weights, (module) => {
      const result = module.forward(x, { initialState, lengths: lengths && Array.from(lengths.data) });
      const want = need(one.outputs, 'y');
      compare(one, 'y', result.output, (n) => want.data[n] === 0);
      compare(one, 'h_n', result.hidden);
      assert.equal('cell' in result, a['cell'] === 'LSTM');
      if ('cell' in result) compare(one, 'c_n', result.cell as NDArray);
    });
  });
}

for (const one of casesOf('torch.conv1d_glu')) {
  test(one.name, () => {
    const a = one.attributes as Record<string, number | boolean>;
    const x = floats(need(one.inputs, 'x'));
    const weights = weightsOf(one, ['x']);
    const [outChannels, , kernelSize] = weights.get('weight')!.shape as [number, number, number];
    const settings = {
      inChannels: x.shape[1]!,
      kernelSize,
      stride: a['stride'] as number,
      dilation: a['dilation'] as number,
      groups: a['groups'] as number,
      padding: [a['pad_left'], a['pad_right']] as [number, number],
      bias: weights.has('bias'),
    };
    withWeights(
      () => new Conv1d(fovea, { ...settings, outChannels }),
      weights,
      (module) => compare(one, 'conv', module.forward(x)),
    );
    if (a['glu'] !== true) return assert.equal(one.outputs['out'], undefined);
    withWeights(
      () => new Conv1dGLU(fovea, { ...settings, outChannels: outChannels / 2, residual: a['residual'] as boolean }),
      weights,
      (module) => compare(one, 'out', module.forward(x)),
    );
  });
}

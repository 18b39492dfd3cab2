/** fovea/nn: names and shapes of weights, loading, memory, masks, options and errors. What is computed is tested by truth. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, Tensor, toNested, type ArrayInput, type Fovea, type NDArray } from 'fovea';
import * as m from 'fovea/nn';
import * as ops from 'fovea/ops';
import { pattern } from 'fovea/pattern';
import { fails, fovea, leavesNothing, near, numbers, same } from '../support/api.ts';

type Make = (options?: { seed?: number; instance?: Fovea }) => m.Module & { forward(x: ArrayInput): unknown };
const layer = { dModel: 4, nHead: 2, dimFeedforward: 6 };
const attention = (prefix: string, E = 4): Record<string, number[]> => ({
  [`${prefix}in_proj_weight`]: [3 * E, E],
  [`${prefix}in_proj_bias`]: [3 * E],
  [`${prefix}out_proj.weight`]: [E, E],
  [`${prefix}out_proj.bias`]: [E],
});
const feedForward = { 'linear1.weight': [6, 4], 'linear1.bias': [6], 'linear2.weight': [4, 6], 'linear2.bias': [4] };
const norms = (...names: string[]): Record<string, number[]> =>
  Object.fromEntries(names.flatMap((name) => ['weight', 'bias'].map((kind) => [`${name}.${kind}`, [4]])));
const under = (prefix: string, shapes: Record<string, number[]>): Record<string, number[]> =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [prefix + name, shape]));
const encoderLayer = { ...attention('self_attn.'), ...feedForward, ...norms('norm1', 'norm2') };
const decoderLayer = {
  ...attention('self_attn.'),
  ...attention('multihead_attn.'),
  ...feedForward,
  ...norms('norm1', 'norm2', 'norm3'),
};

/** Every class, what it is made with, the names and shapes of its weights, and an input. */
const classes: Record<string, [make: Make, weights: Record<string, number[]>, x: number[]]> = {
  Linear: [
    ({ seed, instance = fovea } = {}) => new m.Linear(instance, { inFeatures: 3, outFeatures: 2, seed }),
    { weight: [2, 3], bias: [2] },
    [4, 3],
  ],
  LayerNorm: [
    ({ seed, instance = fovea } = {}) => new m.LayerNorm(instance, { normalizedShape: 3, seed }),
    { weight: [3], bias: [3] },
    [4, 3],
  ],
  RMSNorm: [
    ({ seed, instance = fovea } = {}) => new m.RMSNorm(instance, { normalizedShape: 3, seed }),
    { weight: [3] },
    [4, 3],
  ],
  FeedForward: [
    ({ seed, instance = fovea } = {}) => new m.FeedForward(instance, { dModel: 4, dimFeedforward: 6, seed }),
    feedForward,
    [3, 4],
  ],
  SelfAttention: [
    ({ seed, instance = fovea } = {}) =>
      new m.SelfAttention(instance, { dim: 4, heads: 2, kvHeads: 1, headDim: 3, outDim: 5, bias: true, seed }),
    { Wq: [4, 6], bq: [6], Wk: [4, 3], bk: [3], Wv: [4, 3], bv: [3], Wo: [6, 5], bo: [5] },
    [3, 4],
  ],
  MultiHeadAttention: [
    ({ seed, instance = fovea } = {}) => new m.MultiHeadAttention(instance, { embedDim: 4, numHeads: 2, seed }),
    attention(''),
    [2, 3, 4],
  ],
  'MultiHeadAttention with all options': [
    ({ seed, instance = fovea } = {}) =>
      new m.MultiHeadAttention(instance, {
        embedDim: 4,
        numHeads: 4,
        kvHeads: 2,
        headDim: 3,
        kdim: 4,
        vdim: 4,
        addBiasKv: true,
        addZeroAttn: true,
        batchFirst: false,
        averageAttnWeights: false,
        seed,
      }),
    {
      in_proj_weight: [24, 4],
      in_proj_bias: [24],
      bias_k: [1, 1, 6],
      bias_v: [1, 1, 6],
      'out_proj.weight': [4, 12],
      'out_proj.bias': [4],
    },
    [2, 3, 4],
  ],
  TransformerEncoderLayer: [
    ({ seed, instance = fovea } = {}) => new m.TransformerEncoderLayer(instance, { ...layer, seed }),
    encoderLayer,
    [2, 3, 4],
  ],
  TransformerEncoder: [
    ({ seed, instance = fovea } = {}) => new m.TransformerEncoder(instance, { ...layer, numLayers: 2, finalNorm: true, seed }),
    { ...under('layers.0.', encoderLayer), ...under('layers.1.', encoderLayer), ...norms('norm') },
    [2, 3, 4],
  ],
  TransformerDecoderLayer: [
    ({ seed, instance = fovea } = {}) => selfFed(new m.TransformerDecoderLayer(instance, { ...layer, seed })),
    decoderLayer,
    [2, 3, 4],
  ],
  TransformerDecoder: [
    ({ seed, instance = fovea } = {}) => selfFed(new m.TransformerDecoder(instance, { ...layer, numLayers: 1, seed })),
    under('layers.0.', decoderLayer),
    [2, 3, 4],
  ],
  RNN: [
    ({ seed, instance = fovea } = {}) =>
      new m.RNN(instance, { inputSize: 3, hiddenSize: 2, numLayers: 2, bidirectional: true, bias: false, seed }),
    {
      weight_ih_l0: [2, 3],
      weight_hh_l0: [2, 2],
      weight_ih_l0_reverse: [2, 3],
      weight_hh_l0_reverse: [2, 2],
      weight_ih_l1: [2, 4],
      weight_hh_l1: [2, 2],
      weight_ih_l1_reverse: [2, 4],
      weight_hh_l1_reverse: [2, 2],
    },
    [2, 5, 3],
  ],
  GRU: [
    ({ seed, instance = fovea } = {}) => new m.GRU(instance, { inputSize: 3, hiddenSize: 2, resetAfter: false, seed }),
    { weight_ih_l0: [6, 3], weight_hh_l0: [6, 2], bias_ih_l0: [6], bias_hh_l0: [6] },
    [2, 5, 3],
  ],
  LSTM: [
    ({ seed, instance = fovea } = {}) => new m.LSTM(instance, { inputSize: 3, hiddenSize: 4, projSize: 2, seed }),
    { weight_ih_l0: [16, 3], weight_hh_l0: [16, 2], bias_ih_l0: [16], bias_hh_l0: [16], weight_hr_l0: [2, 4] },
    [2, 5, 3],
  ],
  Conv1d: [
    ({ seed, instance = fovea } = {}) =>
      new m.Conv1d(instance, { inChannels: 4, outChannels: 6, kernelSize: 3, groups: 2, seed }),
    { weight: [6, 2, 3], bias: [6] },
    [2, 4, 5],
  ],
  Conv1dGLU: [
    ({ seed, instance = fovea } = {}) =>
      new m.Conv1dGLU(instance, { inChannels: 4, outChannels: 4, kernelSize: 3, padding: 'causal', residual: true, seed }),
    { weight: [8, 4, 3], bias: [8] },
    [2, 4, 5],
  ],
  Residual: [
    ({ seed, instance = fovea } = {}) =>
      new m.Residual(instance, new m.LayerNorm(instance, { normalizedShape: 3, seed }), { scale: 0.5 }),
    { weight: [3], bias: [3] },
    [4, 3],
  ],
};

/** A decoder whose memory is its own input. */
function selfFed<D extends m.TransformerDecoder | m.TransformerDecoderLayer>(decoder: D) {
  const { forward } = decoder;
  return Object.assign(decoder, {
    forward: (x: ArrayInput, memory: ArrayInput = x) => (forward as (...args: unknown[]) => unknown).call(decoder, x, memory),
  });
}

const arraysFor = (shapes: Record<string, number[]>): Record<string, NDArray> =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape], n) => [name, numbers(shape, n + 1)]));
/** The arrays of a result, whatever it is. */
const arraysIn = (result: unknown): (NDArray | Tensor)[] =>
  result instanceof Tensor || 'data' in (result as object)
    ? [result as NDArray]
    : (Object.values(result as object) as NDArray[]);

for (const [name, [make, shapes, x]] of Object.entries(classes)) {
  const fn = name.split(' ')[0];
  test(`${name}: weights have PyTorch's names and shapes, go in and come out unchanged, and are freed`, () =>
    leavesNothing(() => {
      const module = make();
      const size = Object.values(shapes).reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);
      assert.equal(module.parameters, size);
      const weights = arraysFor(shapes);
      module.loadStateDict(weights);
      const copies = module.stateDict();
      assert.deepEqual(Object.fromEntries([...copies].map(([key, { shape }]) => [key, shape])), shapes);
      for (const [key, { data }] of copies) same(data, weights[key]!.data);
      module.loadStateDict(copies);
      assert.deepEqual(
        [...module.stateDict({ prefix: 'a.b.' }).keys()],
        [...copies.keys()].map((key) => `a.b.${key}`),
      );
      if (typeof Symbol.dispose === 'symbol') module[Symbol.dispose]();
      module.dispose();
      assert.equal(module.disposed, true);
    }));

  test(`${name}: plain in, plain out; of a Tensor and of a slice Tensors, in the same bits; nothing else stays`, () =>
    leavesNothing(() => {
      const module = make();
      module.loadStateDict(arraysFor(shapes));
      const input = numbers(x);
      const plain = leavesNothing(() => arraysIn(module.forward(input)));
      for (const array of plain) assert.ok(!(array instanceof Tensor) && array.data.every(Number.isFinite));
      leavesNothing(() => {
        const tensor = fovea.tensor(numbers([...x.slice(0, -1), x.at(-1)! + 2]));
        const slice = tensor.slice(-1, 1, x.at(-1)! + 1);
        slice.set(input);
        for (const given of [slice, fovea.tensor(input)]) {
          const kept = arraysIn(module.forward(given));
          kept.forEach((array, n) => {
            assert.ok(array instanceof Tensor);
            assert.deepEqual(array.shape, plain[n]!.shape);
            same(array.data, plain[n]!.data as Float32Array);
            array.dispose();
          });
          given.dispose();
        }
        tensor.dispose();
      });
      module.dispose();
    }));

  test(`${name}: names that are missing or not known are listed, all of them, and nothing is changed`, () => {
    const module = make();
    const weights = arraysFor(shapes);
    const [first, ...others] = Object.keys(shapes);
    const { [first!]: left, ...rest } = weights;
    const escaped = first!.replace(/\./g, '\\.');
    fails('value', new RegExp(`${fn}.loadStateDict: weights must .*got missing ${escaped}; unexpected other, prefix.x$`), () =>
      module.loadStateDict({ ...rest, other: left!, 'prefix.x': left! }),
    );
    fails('value', new RegExp(`got missing ${Object.keys(shapes).join(', ').replace(/\./g, '\\.')}$`), () =>
      module.loadStateDict(new Map()),
    );
    fails('value', /got missing p\.\S+$/, () => module.loadStateDict(under2('p.', rest), { prefix: 'p.' }));
    fails('value', new RegExp(`got missing ${escaped}$`), () => module.loadStateDict(rest, { strict: false }));
    fails('shape', new RegExp(`${escaped} must be \\[[\\d, ]+\\], got \\[7\\]$`), () =>
      module.loadStateDict({ ...weights, [first!]: numbers([7]) }),
    );
    if (others.length > 0)
      fails('shape', /must be .*, got \[7\]; .* must be .*, got \[7\]/, () =>
        module.loadStateDict({ ...weights, [first!]: numbers([7]), [others[0]!]: numbers([7]) }),
      );
    fails('value', /no weights yet, got none for/, () => module.forward(numbers(x)));
    fails('value', /no weights yet, got none for/, () => module.stateDict());
    const extra = { ...under2('p.', weights), 'q.other': left!, 'p.other': left! };
    module.loadStateDict(extra, { prefix: 'p.', strict: false });
    const before = arraysIn(module.forward(numbers(x)));
    fails('value', /unexpected p.other$/, () => module.loadStateDict(extra, { prefix: 'p.' }));
    fails('shape', /got \[7\]/, () => module.loadStateDict({ ...weights, [first!]: numbers([7]) }));
    arraysIn(module.forward(numbers(x))).forEach(({ data }, n) => same(data, before[n]!.data as Float32Array));
    module.dispose();
    for (const call of [() => module.forward(numbers(x)), () => module.stateDict(), () => module.loadStateDict(weights)])
      fails('disposed', new RegExp(`${fn}\\.\\w+: the module has been disposed`), call);
    assert.equal(module.disposed, true);
  });

  test(`${name}: a seed gives weights, the same ones every time and others for other seeds`, () =>
    leavesNothing(() => {
      const [one, again, other] = [make({ seed: 1 }), make({ seed: 1 }), make({ seed: 2 })];
      let differ = 0;
      for (const [key, { data }] of one.stateDict()) {
        same(data, again.stateDict().get(key)!.data);
        const isMatrix = shapes[key]!.length > 1;
        if (!isMatrix)
          assert.ok(
            data.every((value) => value === Number(/(^|norm\w*\.)weight$/.test(key))),
            key,
          );
        else if (other.stateDict().get(key)!.data.join() !== data.join()) differ++;
      }
      assert.equal(
        differ > 0,
        Object.values(shapes).some((shape) => shape.length > 1),
      );
      assert.ok(arraysIn(one.forward(numbers(x))).length > 0);
      for (const module of [one, again, other]) module.dispose();
    }));

  test(`${name}: an instance is asked for, and one that is disposed is told`, async () => {
    fails('value', new RegExp(`(${fn}|LayerNorm): fovea must be what load\\(\\) returned`), () =>
      make({ instance: {} as Fovea }),
    );
    const own = await load();
    const module = make({ instance: own, seed: 1 });
    own.dispose();
    assert.throws(() => module.forward(numbers(x)), { code: 'disposed' });
    module.dispose();
  });
}

const under2 = (prefix: string, arrays: Record<string, NDArray>): Record<string, NDArray> =>
  Object.fromEntries(Object.entries(arrays).map(([name, array]) => [prefix + name, array]));

test('random matrices have variance 1 / fan-in, and layers of a stack differ', () => {
  const encoder = new m.TransformerEncoder(fovea, { numLayers: 2, dModel: 64, nHead: 4, dimFeedforward: 128, seed: 3 });
  const weights = encoder.stateDict();
  for (const [name, { data, shape }] of weights) {
    if (shape.length === 1) continue;
    const variance = data.reduce((sum, x) => sum + x * x, 0) / data.length;
    assert.ok(Math.abs(variance * shape[1]! - 1) < 0.1, `${name}: ${variance * shape[1]!}`);
  }
  const first = weights.get('layers.0.linear1.weight')!.data;
  assert.notDeepEqual(weights.get('layers.1.linear1.weight')!.data, first);
  encoder.dispose();
  fails('value', /seed must be an integer/, () => new m.Linear(fovea, { inFeatures: 1, outFeatures: 1, seed: -1 }));
});

test('a scope frees the weights that were loaded in it, but those of a module that it returns', () =>
  leavesNothing(() => {
    const lost = fovea.scope(() => void new m.Linear(fovea, { inFeatures: 2, outFeatures: 2, seed: 1 }));
    assert.equal(lost, undefined);
    const kept = fovea.scope(() => new m.TransformerEncoder(fovea, { ...layer, numLayers: 2, seed: 1 }));
    assert.equal(kept.stateDict().size, 24);
    kept.dispose();
    const outside = new m.Linear(fovea, { inFeatures: 2, outFeatures: 2 });
    fovea.scope(() => outside.loadStateDict({ weight: numbers([2, 2]), bias: numbers([2]) }));
    assert.throws(() => outside.forward([[1, 2]]), { code: 'disposed' });
  }));

const E = 4;
const mha = new m.MultiHeadAttention(fovea, { embedDim: E, numHeads: 2, seed: 5 });
const encoder = new m.TransformerEncoder(fovea, { ...layer, numLayers: 2, seed: 6 });
const decoder = new m.TransformerDecoder(fovea, { ...layer, numLayers: 2, seed: 7 });
const X = numbers([2, 3, E], 9);
const run = (options: m.ForwardOptions): NDArray => mha.forward(X, undefined, undefined, options).output;

test('masks of modules are true where a pair is NOT allowed; those of fovea.multiHeadAttention where it is', () => {
  const upper = [0, 1, 2].map((i) => [0, 1, 2].map((j) => j > i));
  same(run({ attnMask: upper }).data, run({ causal: true }).data);
  assert.throws(() => same(run({ attnMask: upper.map((row) => row.map((x) => !x)) }).data, run({ causal: true }).data));
  same(
    run({
      keyPaddingMask: [
        [false, false, true],
        [false, true, true],
      ],
    }).data,
    run({ keyLengths: [2, 1] }).data,
  );
  same(
    run({ keyPaddingMask: { data: Float32Array.from([0, 0, -Infinity, 0, -Infinity, -Infinity]), shape: [2, 3] } }).data,
    run({ keyLengths: [2, 1] }).data,
  );
  const perHead = { data: new Uint8Array(4 * 9).map((_, n) => Number(n % 3 > Math.floor(n / 3) % 3)), shape: [4, 3, 3] };
  same(run({ attnMask: perHead }).data, run({ causal: true }).data);
  fovea.scope(() => {
    const added = fovea.tensor(numbers([3, 3]));
    same(run({ attnMask: added }).data, run({ attnMask: added.toArray() }).data);
  });
  const one = numbers([3, E]);
  const masked = mha.forward(one, undefined, undefined, { keyPaddingMask: [false, true, true] });
  same(masked.output.data, mha.forward(one, undefined, undefined, { keyLengths: [1] }).output.data);
  const nothing = mha.forward(X, undefined, undefined, {
    keyPaddingMask: [
      [true, true, true],
      [false, false, false],
    ],
    returnWeights: true,
  });
  assert.ok(nothing.weights!.data.subarray(0, 9).every((x) => x === 0));
});

test('padding and attention masks compose with each other, with lengths and with rules', () => {
  const holes = [
    [false, true, false],
    [true, false, false],
  ];
  const causal = [0, 1, 2].map((i) => [0, 1, 2].map((j) => j > i));
  const want = run({ causal: true, keyPaddingMask: holes }).data;
  same(run({ attnMask: causal, keyPaddingMask: holes }).data, want);
  const added = { data: Float32Array.from(causal.flat(), (x) => (x ? -Infinity : 0)), shape: [3, 3] };
  near(run({ attnMask: added, keyPaddingMask: holes }), [...want], 1e-6);
  same(
    run({ keyPaddingMask: holes, keyLengths: [3, 2], causal: true }).data,
    run({
      attnMask: causal,
      keyPaddingMask: [
        [false, true, false],
        [true, false, true],
      ],
    }).data,
  );
  same(
    run({ keyPaddingMask: [[false, false, true], [false, true, true]], keyLengths: [1, 3] }).data,
    run({ keyLengths: [1, 1] }).data,
  ); // prettier-ignore
  same(
    run({ window: [0, 0], softcap: 0, scale: 0.5 }).data,
    run({ attnMask: [0, 1, 2].map((i) => [0, 1, 2].map((j) => i !== j)) }).data,
  );
});

test('wrong masks are refused by name', () => {
  for (const [name, module] of [
    ['MultiHeadAttention', (options: m.LayerForwardOptions) => run(options)],
    ['TransformerEncoder', (options: m.LayerForwardOptions) => encoder.forward(X, options)],
    ['TransformerDecoder', (options: m.LayerForwardOptions) => decoder.forward(X, X, options)],
  ] as const) {
    const refused = (code: string, message: RegExp, options: object): void =>
      fails(code, new RegExp(`${name}.forward: ${message.source}`), () => void module(options));
    refused('option', /mask is not an option of modules, whose attnMask has true where a pair is NOT allowed/, {
      mask: [[true]],
    });
    refused('shape', /attnMask must be \[Tq, Tk\] or \[B·H, Tq, Tk\] with Tq = 3, Tk = 3, B·H = 4, got \[3, 2\]/, {
      attnMask: { data: new Uint8Array(6), shape: [3, 2] },
    });
    refused('shape', /attnMask must be .*, got \[9\]/, { attnMask: { data: new Uint8Array(9), shape: [9] } });
    refused('shape', /attnMask must be .*, got \[2, 3, 3\]/, { attnMask: { data: new Uint8Array(18), shape: [2, 3, 3] } });
    refused('shape', /keyPaddingMask must be \[B, Tk\] = \[2, 3\], got \[3\]/, { keyPaddingMask: [true, false, true] });
    refused('shape', /keyPaddingMask must be .*, got \[3, 2\]/, { keyPaddingMask: { data: new Uint8Array(6), shape: [3, 2] } });
    refused('value', /attnMask of numbers is added, got only 0 and 1/, { attnMask: [0, 1, 2].map(() => [0, 1, 1]) });
    refused('value', /attnMask must hold booleans \(true = not allowed, .*\), a Uint8Array or floats, got a Int8Array/, {
      attnMask: { data: new Int8Array(9), shape: [3, 3] },
    });
    fails('option', /unknown option 'casual'; did you mean 'causal'/, () => void module({ casual: true } as object));
    if (name !== 'MultiHeadAttention')
      refused('option', /returnWeights must be asked of a MultiHeadAttention/, { returnWeights: true });
  }
  fails('shape', /attnMask must be .* Tk = 5/, () =>
    decoder.forward(X, numbers([2, 5, E]), { memoryMask: { data: new Uint8Array(9), shape: [3, 3] } }),
  );
});

test('weights are the mean over the heads, as in PyTorch, or per head, or lists of a pattern', () => {
  const averaged = mha.forward(X, undefined, undefined, { returnWeights: true }).weights!;
  assert.deepEqual(averaged.shape, [2, 3, 3]);
  const all = mha.forward(X, undefined, undefined, { returnWeights: true, averageAttnWeights: false }).weights!;
  assert.deepEqual(all.shape, [2, 2, 3, 3]);
  averaged.data.forEach((x, n) => {
    const at = Math.floor(n / 9) * 18 + (n % 9);
    assert.ok(Math.abs(x - (all.data[at]! + all.data[at + 9]!) / 2) < 1e-7);
  });
  const sparse = mha.forward(X, undefined, undefined, { pattern: pattern.causal(), returnWeights: true });
  assert.equal(sparse.weights!.indices.length, 2 * 2 * 6);
  same(sparse.output.data, run({ causal: true }).data);
  const { lse, logits, trace } = mha.forward(X, undefined, undefined, { returnLse: true, returnLogits: 'raw', trace: true });
  assert.deepEqual([lse!.shape, logits!.shape], [[2, 2, 3], [2, 2, 3, 3]]); // prettier-ignore
  assert.ok(trace!.length > 0);
});

test('forward(x, options) is self-attention', () => {
  const options = { causal: true, returnWeights: true } as const;
  const want = mha.forward(X, undefined, undefined, options);
  const got = leavesNothing(() => mha.forward(X, options));
  same(got.output.data, want.output.data);
  same(got.weights.data, want.weights.data);
  same(mha.forward(X, {}).output.data, mha.forward(X).output.data);
  same(mha.forward(X, { data: X.data, dims: X.shape }).output.data, mha.forward(X).output.data);
  const own = fovea.tensor(X);
  same(mha.forward(own, own).output.toArray().data, mha.forward(X).output.data);
  own.dispose();
  const cross = new m.MultiHeadAttention(fovea, { embedDim: 4, numHeads: 2, kdim: 3, seed: 1 });
  fails('shape', /MultiHeadAttention\.forward: key must have the width kdim = 3, got \[2, 3, 4\]/, () => cross.forward(X, {}));
  cross.dispose();
  fails('option', /MultiHeadAttention\.forward: unknown option 'casual'; did you mean 'causal'/, () =>
    mha.forward(X, { casual: true } as object),
  );
  fails('option', /options must be an object, got null/, () => mha.forward(X, X, X, null as never));
  fails('value', /averageAttnWeights must be true or false, got 1/, () => mha.forward(X, { averageAttnWeights: 1 as never }));
  const names = ['attnMask', 'keyPaddingMask', 'causal', 'mask', 'returnWeights', 'averageAttnWeights', 'pattern', 'trace'];
  const absent = Object.fromEntries(names.map((name) => [name, undefined]));
  same(mha.forward(X, absent).output.data, mha.forward(X).output.data);
  const layer = new m.TransformerEncoderLayer(fovea, { dModel: 4, nHead: 2, dimFeedforward: 8, seed: 1 });
  same(layer.forward(X, absent).data, layer.forward(X).data);
  layer.dispose();
});

test('what a module has settled is no option of its forward', () => {
  const gru = new m.GRU(fovea, { inputSize: 4, hiddenSize: 2, seed: 1 });
  fails('option', /^GRU\.forward: unknown option 'layout'/, () => gru.forward(X, { layout: 'tbd' } as object));
  fails('option', /^GRU\.stateDict: unknown option 'strict'/, () => gru.stateDict({ strict: true } as object));
  fails('option', /^GRU\.stateDict: prefix must be a text, got 1/, () => gru.stateDict({ prefix: 1 as never }));
  gru.dispose();
  const norm = new m.RMSNorm(fovea, { normalizedShape: 4, seed: 1 });
  fails('option', /^RMSNorm\.forward: unknown option 'residul'; did you mean 'residual'/, () =>
    norm.forward(X, { residul: X } as object),
  );
  norm.dispose();
});

test('a residual sum does not broadcast', () => {
  const inner = new m.Linear(fovea, { inFeatures: 4, outFeatures: 1, seed: 1 });
  const around = new m.Residual(fovea, inner);
  fails('shape', /^Residual\.forward: the result must have the shape of x, got \[2, 3, 1\] for x \[2, 3, 4\]/, () =>
    around.forward(X),
  );
  around.dispose();
});

test('tokens come first where batchFirst is false', () => {
  const turned = ({ data, shape }: NDArray): NDArray => {
    const [a, b, c] = shape as [number, number, number];
    const out = new Float32Array(data.length);
    for (let i = 0; i < a; i++)
      for (let j = 0; j < b; j++) out.set(data.subarray((i * b + j) * c, (i * b + j + 1) * c), (j * a + i) * c);
    return { data: out, shape: [b, a, c] };
  };
  leavesNothing(() => {
    const other = new m.MultiHeadAttention(fovea, { embedDim: E, numHeads: 2, batchFirst: false });
    other.loadStateDict(mha.stateDict());
    const memory = numbers([2, 5, E], 4);
    const options = { returnWeights: true, keyPaddingMask: [0, 1].map((b) => [0, 1, 2, 3, 4].map((j) => j > 3 - b)) } as const;
    const want = mha.forward(X, memory, undefined, options);
    const got = other.forward(turned(X), turned(memory), undefined, options);
    same(turned(got.output).data, want.output.data);
    same(got.weights!.data, want.weights!.data);
    fovea.scope(() => {
      const kept = other.forward(fovea.tensor(turned(X)), turned(memory), undefined, options);
      same(turned(kept.output.toArray()).data, want.output.data);
    });
    same(other.forward(numbers([3, E])).output.data, mha.forward(numbers([3, E])).output.data);
    other.dispose();
  });
});

test('grouped heads and heads of their own width are those of fovea.multiHeadAttention', () =>
  leavesNothing(() => {
    const own = new m.MultiHeadAttention(fovea, { embedDim: E, numHeads: 4, kvHeads: 2, headDim: 3, kdim: 5, seed: 2 });
    const w = own.stateDict();
    assert.deepEqual([...w.keys()].slice(0, 3), ['q_proj_weight', 'k_proj_weight', 'v_proj_weight']);
    const [Wq, Wk, Wv] = ['q', 'k', 'v'].map((letter) => w.get(`${letter}_proj_weight`)!) as [NDArray, NDArray, NDArray];
    const key = numbers([2, 6, 5]);
    const value = numbers([2, 6, E], 3);
    const settings = { heads: 4, kvHeads: 2, weightLayout: 'outIn' } as const;
    const want = fovea.multiHeadAttention(X, key, value, { Wq, Wk, Wv, Wo: w.get('out_proj.weight')! }, settings);
    near(own.forward(X, key, value).output, toNested(want.output));
    own.dispose();
  }));

test("weights of Keras' layer give what its equations give", () =>
  leavesNothing(() => {
    const [H, D] = [2, 3];
    const kernel = (from: number, seed: number): NDArray => numbers([from, H, D], seed);
    const weights: Record<string, NDArray> = {
      'query/kernel': kernel(E, 1),
      'query/bias': numbers([H, D], 2),
      'key/kernel': kernel(E, 3),
      'key/bias': numbers([H, D], 4),
      'value/kernel': kernel(E, 5),
      'value/bias': numbers([H, D], 6),
      'attention_output/kernel': numbers([H, D, E], 7),
      'attention_output/bias': numbers([E], 8),
    };
    const flat = ({ data, shape }: NDArray, ...to: number[]): NDArray => ({
      data,
      shape: to.length > 0 ? to : [shape[0]!, H * D],
    });
    const params = {
      Wq: flat(weights['query/kernel']!),
      bq: flat(weights['query/bias']!, H * D),
      Wk: flat(weights['key/kernel']!),
      bk: flat(weights['key/bias']!, H * D),
      Wv: flat(weights['value/kernel']!),
      bv: flat(weights['value/bias']!, H * D),
      Wo: flat(weights['attention_output/kernel']!, H * D, E),
      bo: weights['attention_output/bias']!,
    };
    const want = toNested(fovea.multiHeadAttention(X, X, X, params, { heads: H }).output);
    for (const kdim of [E, 5]) {
      const own = new m.MultiHeadAttention(fovea, { embedDim: E, numHeads: H, headDim: D, kdim });
      const dict = kdim === E ? weights : { ...weights, 'key/kernel': kernel(5, 3) };
      own.loadKeras(Object.fromEntries(Object.entries(dict).map(([name, array]) => [`mha/${name}:0`, array])), {
        prefix: 'mha/',
      });
      if (kdim === E) near(own.forward(X).output, want);
      else assert.deepEqual(own.stateDict().get('k_proj_weight')!.shape, [H * D, 5]);
      own.dispose();
    }
    const plain = new m.MultiHeadAttention(fovea, { embedDim: E, numHeads: H, headDim: D, bias: false });
    const { 'query/kernel': _, ...rest } = weights;
    fails('value', /loadKeras: .* missing query\/kernel$/, () => plain.loadKeras(rest));
    fails('value', /unexpected query\/bias, key\/bias, value\/bias, attention_output\/bias$/, () => plain.loadKeras(weights));
    plain.loadKeras(weights, { strict: false });
    fails('shape', /key\/kernel must be \[in, heads, width\], heads·width = 6, got \[4, 5\]/, () =>
      plain.loadKeras({ ...weights, 'key/kernel': numbers([4, 5]) }),
    );
    fails('shape', /attention_output\/kernel must be \[heads, width, E\], heads·width = 6, got \[2, 4, 4\]/, () =>
      plain.loadKeras({ ...weights, 'attention_output/kernel': numbers([2, 4, 4]) }),
    );
    plain.dispose();
  }));

test('modules are the functions of fovea/ops and of fovea with their weights', () =>
  leavesNothing(() => {
    const x = numbers([3, 4]);
    const block = new m.SelfAttention(fovea, { dim: 4, heads: 2, seed: 1 });
    const own = Object.fromEntries(block.stateDict()) as never;
    same(block.forward(x, { causal: true }).output.data, fovea.selfAttention(x, own, { heads: 2, causal: true }).output.data);
    assert.deepEqual(block.forward(x, { mask: [[true, false, false], [true, true, false], [true, true, true]], returnWeights: true }).weights!.shape, [2, 3, 3]); // prettier-ignore
    const fed = new m.FeedForward(fovea, { dModel: 4, dimFeedforward: 5, activation: 'gelu', seed: 1 });
    const w = fed.stateDict();
    const hidden = ops.linear(fovea, x, w.get('linear1.weight')!, w.get('linear1.bias'), { activation: 'gelu' });
    same(fed.forward(x).data, ops.linear(fovea, hidden, w.get('linear2.weight')!, w.get('linear2.bias')).data);
    const around = new m.Residual(fovea, block);
    same(around.forward(x, { causal: true }).data, ops.add(fovea, x, block.forward(x, { causal: true }).output).data);
    const norm = new m.LayerNorm(fovea, { normalizedShape: 4, eps: 0.5, bias: false });
    norm.loadStateDict({ weight: [1, 2, 3, 4] });
    same(norm.forward(x, { residual: x }).data, ops.layerNorm(fovea, x, { weight: [1, 2, 3, 4], eps: 0.5, residual: x }).data);
    const bct = new m.Conv1dGLU(fovea, { inChannels: 3, outChannels: 2, kernelSize: 2, seed: 1 });
    const btd = new m.Conv1dGLU(fovea, { inChannels: 3, outChannels: 2, kernelSize: 2, layout: 'btd' });
    btd.loadStateDict(bct.stateDict());
    const turned = toNested(bct.forward(x)) as number[][];
    const columns = [0, 1, 2, 3].map((t) => [0, 1, 2].map((c) => x.data[c * 4 + t]!));
    near(
      btd.forward(columns),
      [0, 1, 2].map((t) => [turned[0]![t], turned[1]![t]]),
    );
    for (const module of [around, fed, norm, bct, btd]) module.dispose();
  }));

test('constructors refuse what does not fit', () => {
  const wrong: [code: string, message: RegExp, make: () => unknown][] = [
    ['option', /Linear: the option outFeatures must be given/, () => new m.Linear(fovea, { inFeatures: 1 } as never)],
    ['option', /Linear: unknown option 'outFeature'; did you mean 'outFeatures'/, () => new m.Linear(fovea, { outFeature: 1 } as never)],
    ['option', /Linear: activation must be .*did you mean 'relu'/, () => new m.Linear(fovea, { inFeatures: 1, outFeatures: 1, activation: 'relo' as never })],
    ['value', /LayerNorm: normalizedShape must be an integer/, () => new m.LayerNorm(fovea, { normalizedShape: 0 })],
    ['value', /LayerNorm: bias must be true or false/, () => new m.LayerNorm(fovea, { normalizedShape: 1, bias: 1 as never })],
    ['shape', /MultiHeadAttention: numHeads must divide embedDim, or headDim be given, got 3 and 4/, () => new m.MultiHeadAttention(fovea, { embedDim: 4, numHeads: 3 })],
    ['shape', /MultiHeadAttention: kvHeads must divide numHeads, got 3 and 4/, () => new m.MultiHeadAttention(fovea, { embedDim: 4, numHeads: 4, kvHeads: 3 })],
    ['shape', /SelfAttention: heads must divide dim/, () => new m.SelfAttention(fovea, { dim: 4, heads: 3 })],
    ['shape', /SelfAttention: kvHeads must divide heads/, () => new m.SelfAttention(fovea, { dim: 4, heads: 2, kvHeads: 3 })],
    ['option', /outDim goes with an output projection/, () => new m.SelfAttention(fovea, { dim: 4, outDim: 3, outputProjection: false })],
    ['option', /TransformerEncoderLayer: the option nHead must be given/, () => new m.TransformerEncoderLayer(fovea, { dModel: 4 } as never)],
    ['option', /TransformerEncoder: unknown option 'layers'/, () => new m.TransformerEncoder(fovea, { ...layer, layers: 2 } as never)],
    ['option', /TransformerDecoder: the option numLayers must be given/, () => new m.TransformerDecoder(fovea, layer as never)],
    ['value', /TransformerEncoder: finalNorm must be true or false/, () => new m.TransformerEncoder(fovea, { ...layer, numLayers: 1, finalNorm: 1 as never })],
    ['option', /RNN: nonlinearity must be/, () => new m.RNN(fovea, { inputSize: 1, hiddenSize: 1, nonlinearity: 'gelu' as never })],
    ['value', /LSTM: projSize must be an integer/, () => new m.LSTM(fovea, { inputSize: 1, hiddenSize: 1, projSize: -1 })],
    ['option', /GRU: the option hiddenSize must be given/, () => new m.GRU(fovea, { inputSize: 1 } as never)],
    ['shape', /Conv1d: groups must divide/, () => new m.Conv1d(fovea, { inChannels: 3, outChannels: 2, kernelSize: 1, groups: 2 })],
    ['value', /Residual: module must be a module of fovea\/nn/, () => new m.Residual(fovea, {} as never)],
    ['value', /weights must be a Map or an object/, () => mha.loadStateDict([] as never)],
    ['option', /prefix must be a text/, () => mha.loadStateDict({}, { prefix: 1 as never })],
    ['value', /in_proj_weight must be \{ data, shape \}/, () => mha.loadStateDict({ ...Object.fromEntries(mha.stateDict()), in_proj_weight: 1 as never })],
    ['shape', /query must have the width embedDim = 4, got \[3, 5\]/, () => mha.forward(numbers([3, 5]))],
    ['shape', /key must have the width kdim = 4, got \[3, 5\]/, () => mha.forward(numbers([3, 4]), numbers([3, 5]))],
    ['shape', /query must be \[T, E\] or \[B, T, E\], got \[4\]/, () => mha.forward([1, 2, 3, 4])],
    ['shape', /TransformerEncoder.forward: x must be .* with the width E = dModel = 4, got/, () => encoder.forward(numbers([3, 5]))],
  ]; // prettier-ignore
  for (const [code, message, call] of wrong) fails(code, message, call);
});

test('what a layer makes is freed before the next one begins: forty layers need the memory of three', async () => {
  const own = await load();
  const x = numbers([4096, 64]);
  const totalOf = (numLayers: number): number => {
    const stack = new m.TransformerEncoder(own, { numLayers, dModel: 64, nHead: 1, dimFeedforward: 8, seed: 1 });
    stack.forward(x, { window: [0, 0] });
    stack.dispose();
    assert.equal(own.memory().live, 0);
    return own.memory().total;
  };
  const [few, many] = [totalOf(3), totalOf(40)];
  assert.ok(many - few < 12 * 2 ** 20, `${few} bytes, then ${many}`); // the weights of 37 layers are 3 MB, their outputs 37 MB
  own.dispose();
});

/** valueAndGrad: every recorded operation and module against differences of its own forward call, and what it refuses. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { load, type NDArray, type Tensor } from 'fovea';
import { kvCache } from 'fovea/cache';
import {
  CausalDecoder,
  Conv1d,
  FeedForward,
  MultiHeadAttention,
  TransformerDecoder,
  TransformerEncoder,
  type Module,
} from 'fovea/nn';
import { attentionSumReader, keyValueMemory, pointerNetwork } from 'fovea/mechanisms';
import * as ops from 'fovea/ops';
import { linearAttention } from 'fovea/linear-attention';
import { pattern } from 'fovea/pattern';
import { bias, normalizer, score } from 'fovea/score';
import { rotaryEmbedding } from 'fovea/position';
import { crossEntropy, meanSquaredError, stopGradient, valueAndGrad, type TensorRecord } from 'fovea/train';
import { fails } from '../support/api.ts';
import { loadForTraining, weighted } from '../support/training.ts';
import { sizeOf, TestRandom } from '../support/truth_random.ts';

const fovea = await loadForTraining();
after(() => fovea.dispose());

/** The step of a difference, whose error is of its fourth power, and of float32's roundings divided by it. */
const STEP = 2 ** -6;

/** Not in the order of their queries. */
const EDGES: readonly (readonly [number, number])[] = [
  [2, 0],
  [0, 1],
  [2, 2],
  [0, 0],
];

/** The derivative of a loss along one number, by a difference of five points. */
function slope(at: (distance: number) => number): number {
  return (8 * (at(STEP) - at(-STEP)) - (at(2 * STEP) - at(-2 * STEP))) / (12 * STEP);
}

function assertNear(got: number, want: number, largest: number, what: string): void {
  assert.ok(Math.abs(got - want) <= 2e-3 * (largest + 0.1), `${what}: ${got}, by a difference ${want}`);
}

function check(shapes: Readonly<Record<string, readonly number[]>>, run: (tensors: Record<string, Tensor>) => Tensor): void {
  fovea.scope(() => {
    const random = new TestRandom(11);
    const tensors = Object.fromEntries(
      Object.entries(shapes).map(([name, shape]) => [name, fovea.tensor(random.normals(shape, 0.7))]),
    );
    const weights = new Map<number, Float32Array>();
    const loss = (): Tensor => {
      const y = run(tensors);
      const count = sizeOf(y.shape);
      if (!weights.has(count)) weights.set(count, new TestRandom(12).normals([count]).data);
      return weighted(fovea, y, weights.get(count)!);
    };
    const value = (): number => fovea.scope(() => loss().data[0]!);
    const { value: got, gradients } = valueAndGrad(fovea, tensors, loss);
    assert.equal(got, value());
    for (const [name, gradient] of Object.entries(gradients)) {
      const { data } = tensors[name]!;
      const numbers = gradient.toArray().data;
      const largest = numbers.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
      numbers.forEach((one, n) => {
        const own = data[n]!;
        const at = (distance: number): number => {
          tensors[name]!.data[n] = own + distance;
          const moved = value();
          tensors[name]!.data[n] = own;
          return moved;
        };
        assertNear(one, slope(at), largest, `${name}[${n}]`);
      });
    }
  });
}

describe('operations', () => {
  const two = { a: [3, 4], b: [4] };
  const one = { x: [3, 4] };
  const list: Record<string, [Record<string, readonly number[]>, (t: Record<string, Tensor>) => Tensor]> = {
    matmul: [{ a: [3, 4], b: [4, 5] }, ({ a, b }) => ops.matmul(fovea, a!, b!)],
    'matmul of batches': [{ a: [2, 3, 4], b: [1, 4, 5] }, ({ a, b }) => ops.matmul(fovea, a!, b!)],
    'a matrix by itself': [{ x: [3, 3] }, ({ x }) => ops.matmul(fovea, x!, x!)],
    linear: [{ x: [5, 4], w: [3, 4], b: [3] }, ({ x, w, b }) => ops.linear(fovea, x!, w!, b!)],
    'linear with gelu': [
      { x: [5, 4], w: [3, 4], b: [3] },
      ({ x, w, b }) => ops.linear(fovea, x!, w!, b!, { activation: 'gelu' }),
    ],
    add: [two, ({ a, b }) => ops.add(fovea, a!, b!, { scale: 0.5 })],
    subtract: [two, ({ a, b }) => ops.subtract(fovea, b!, a!)],
    multiply: [two, ({ a, b }) => ops.multiply(fovea, a!, b!)],
    divide: [two, ({ a, b }) => ops.divide(fovea, a!, ops.add(fovea, ops.multiply(fovea, b!, b!), 1))],
    minimum: [two, ({ a, b }) => ops.minimum(fovea, a!, b!)],
    exp: [one, ({ x }) => ops.exp(fovea, x!)],
    softmax: [one, ({ x }) => ops.softmax(fovea, x!)],
    'softmax of a slice': [one, ({ x }) => ops.softmax(fovea, x!.slice(1, 1, 4))],
    'a slice as a weight of a GRU': [
      { x: [2, 3, 2], w: [6, 5], hh: [6, 2] },
      ({ x, w, hh }) =>
        ops.gru(fovea, x!, { weight_ih_l0: w!.slice(1, 1, 3), weight_hh_l0: hh! }, { layout: 'btd' })
          .output as unknown as Tensor,
    ],
    logSoftmax: [one, ({ x }) => ops.logSoftmax(fovea, x!, { axis: 0 })],
    logSumExp: [one, ({ x }) => ops.logSumExp(fovea, x!)],
    layerNorm: [
      { x: [3, 4], r: [3, 4], weight: [4], bias: [4] },
      ({ x, r, weight, bias }) => ops.layerNorm(fovea, x!, { weight: weight!, bias: bias!, residual: r! }),
    ],
    rmsNorm: [{ x: [3, 4], weight: [3] }, ({ x, weight }) => ops.rmsNorm(fovea, x!, { weight: weight!, axis: 0 })],
    transpose: [one, ({ x }) => ops.transpose(fovea, x!)],
    'concat of a slice': [{ a: [3, 4], b: [2, 4] }, ({ a, b }) => ops.concat(fovea, [a!, b!.slice(0, 1)], { axis: 0 })],
    'a clone of columns': [one, ({ x }) => x!.slice(1, 1, 3).clone()],
    gather: [{ x: [5, 2] }, ({ x }) => ops.gather(fovea, x!, [0, 3, 3])],
    scatterAdd: [{ x: [3, 2] }, ({ x }) => ops.scatterAdd(fovea, x!, [0, 3, 3], { length: 5 })],
    embedding: [{ x: [5, 2] }, ({ x }) => ops.embedding(fovea, [4, 0, 4], x!)],
    sum: [one, ({ x }) => ops.sum(fovea, x!, { axis: 0 })],
    cumulativeSum: [one, ({ x }) => ops.cumulativeSum(fovea, x!)],
    glu: [one, ({ x }) => ops.glu(fovea, x!)],
    rotaryEmbedding: [one, ({ x }) => rotaryEmbedding(fovea, x!)],
    crossEntropy: [one, ({ x }) => crossEntropy(fovea, x!, [1, -100, 3], { weights: [0.5, 1, 2] })],
    meanSquaredError: [{ a: [3, 4], b: [3, 4] }, ({ a, b }) => meanSquaredError(fovea, a!, b!)],
    'attention, causal, grouped heads, softcap': [
      { q: [4, 5, 3], k: [2, 5, 3], v: [2, 5, 2] },
      ({ q, k, v }) => fovea.attention(q!, k!, v!, { causal: true, softcap: 2 }).output,
    ],
    'attention, mask, sinks': [
      { q: [2, 3, 4], k: [2, 5, 4], v: [2, 5, 2], mask: [1, 1, 5] },
      ({ q, k, v, mask }) => fovea.attention(q!, k!, v!, { mask: mask!, sinks: [0.5, -1] }).output,
    ],
    'attention, sinks, relative tables, factors of heads': [
      { q: [2, 3, 4], k: [2, 5, 4], v: [2, 5, 2], sinks: [2], keys: [3, 4], values: [2, 3, 2], heads: [2] },
      ({ q, k, v, sinks, keys, values, heads }) =>
        fovea.attention(q!, k!, v!, {
          sinks: sinks!,
          relativeKeys: { table: keys!, clip: 1 },
          relativeValues: { table: values!, clip: 1 },
          weightScale: { heads: heads! },
        }).output,
    ],
    'attention, biases that are slices': [
      { q: [2, 3, 4], k: [2, 5, 4], v: [2, 5, 2], t5: [4, 3], distances: [2, 4] },
      ({ q, k, v, t5, distances }) =>
        fovea.attention(q!, k!, v!, {
          bias: [bias.t5(t5!.slice(1, 1, 3)), bias.relative(distances!.slice(1, 0, 3), 1)],
        }).output,
    ],
    'attention, values of edges': [
      { q: [2, 3, 4], k: [2, 3, 4], v: [2, 3, 2], values: [2, 4] },
      ({ q, k, v, values }) =>
        fovea.attention(q!, k!, v!, { pattern: pattern.graph({ edges: EDGES }), bias: bias.edges(values!.reshape([1, 2, 4])) })
          .output,
    ],
    'attention by sparsemax': [
      { q: [3, 4], k: [5, 4], v: [5, 2] },
      ({ q, k, v }) => fovea.attention(q!, k!, v!, { normalizer: normalizer.sparsemax() }).output,
    ],
    'attention of a pattern, additive score': [
      { q: [5, 4], k: [5, 4], v: [5, 2], Wq: [4, 3], Wk: [4, 3], w: [3] },
      ({ q, k, v, ...params }) =>
        fovea.attention(q!, k!, v!, {
          pattern: pattern.window(1, 1),
          score: score.additive(params as Record<'Wq' | 'Wk' | 'w', Tensor>),
        }).output,
    ],
    'linear attention': [
      { q: [5, 4], k: [5, 4], v: [5, 2] },
      ({ q, k, v }) => linearAttention(fovea, q!, k!, v!, { causal: true }).output,
    ],
    'weights of attention': [
      { q: [3, 4], k: [5, 4], v: [5, 2] },
      ({ q, k, v }) => fovea.attention(q!, k!, v!, { returnWeights: true }).weights,
    ],
  };
  for (const name of ['relu', 'gelu', 'geluTanh', 'silu', 'elu', 'leakyRelu', 'tanh', 'sigmoid', 'quickGelu'] as const)
    list[name] = [one, ({ x }) => ops[name](fovea, x!)];
  for (const [name, [shapes, run]] of Object.entries(list)) test(name, () => check(shapes, run));
});

describe('modules', () => {
  const x = new TestRandom(13).normals([2, 5, 8]);
  const seed = 1;
  const small = { dModel: 8, nHead: 2, dimFeedforward: 12, seed };
  const encoder = { ...small, numLayers: 2, activation: 'gelu' } as const;
  const ids = [
    [3, 1, 4, 1, 5],
    [2, 7, 1, 8, 2],
  ];
  const decoder = (options: object) => {
    const model = new CausalDecoder(fovea, { ...small, vocabSize: 11, numLayers: 2, ...options });
    return [model, () => model.forward(ids) as unknown as Tensor] as const;
  };
  const of = <M extends Module>(model: M, run: (model: M) => unknown) => [model, () => run(model) as Tensor] as const;
  const models: Record<string, () => readonly [Module, () => Tensor]> = {
    MultiHeadAttention: () =>
      of(new MultiHeadAttention(fovea, { embedDim: 8, numHeads: 2, seed }), (model) => model.forward(x, x, x).output),
    FeedForward: () =>
      of(new FeedForward(fovea, { dModel: 8, dimFeedforward: 11, activation: 'silu', seed }), (m) => m.forward(x)),
    TransformerEncoder: () => of(new TransformerEncoder(fovea, encoder), (model) => model.forward(x)),
    'TransformerEncoder, norms first': () =>
      of(new TransformerEncoder(fovea, { ...encoder, normFirst: true, finalNorm: true }), (model) => model.forward(x)),
    TransformerDecoder: () =>
      of(new TransformerDecoder(fovea, encoder), (model) => model.forward(x, x, { causal: true } as object)),
    Conv1d: () =>
      of(new Conv1d(fovea, { inChannels: 5, outChannels: 3, kernelSize: 3, padding: 1, seed }), (m) => m.forward(x)),
    'CausalDecoder, as GPT-2': () => decoder({ maxPositions: 8, activation: 'geluTanh' }),
    'CausalDecoder, as Gemma 2': () =>
      decoder({ norm: 'rms', gated: true, rope: {}, postNorms: true, logitSoftcap: 3, softcap: 2, embeddingScale: 2 }),
    'CausalDecoder, as Qwen 3': () =>
      decoder({ norm: 'rms', gated: true, rope: {}, kvHeads: 1, headDim: 6, qkNorm: true, activation: 'silu' }),
    'CausalDecoder, as Llama': () =>
      decoder({ norm: 'rms', gated: true, rope: {}, kvHeads: 1, tieWeights: false, activation: 'silu' }),
  };
  for (const [name, make] of Object.entries(models))
    test(name, () => {
      const [model, run] = make();
      const numbers = new TestRandom(12);
      let weights: Float32Array | null = null;
      const loss = (): Tensor => {
        const y = run();
        const tensor = y instanceof Object && 'toArray' in y ? y : fovea.tensor(y as never);
        weights ??= numbers.normals([sizeOf(tensor.shape)]).data;
        return weighted(fovea, tensor, weights);
      };
      const value = (): number => fovea.scope(() => loss().data[0]!);
      const { live } = fovea.memory();
      const { gradients } = valueAndGrad(fovea, model, loss);
      const before = model.stateDict();
      assert.deepEqual([...gradients.keys()], [...before.keys()]);
      for (const [weight, gradient] of gradients) {
        const numbers = gradient.toArray().data;
        gradient.dispose();
        const largest = numbers.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
        assert.ok(largest > 0, `${weight} has a gradient`);
        for (let n = 0; n < numbers.length; n += Math.ceil(numbers.length / 4)) {
          const at = (distance: number): number => {
            const moved = new Map([...before].map(([key, { data, shape }]) => [key, { data: data.slice(), shape }]));
            moved.get(weight)!.data[n]! += distance;
            model.loadStateDict(moved);
            return value();
          };
          assertNear(numbers[n]!, slope(at), largest, `${weight}[${n}]`);
        }
        model.loadStateDict(before);
      }
      assert.equal(fovea.memory().live, live);
      model.dispose();
    });
});

describe('what is differentiated', () => {
  test('a loss that does not depend on a Tensor has zeros; aux lives on, all else is freed', () => {
    const [a, b] = [fovea.tensor([1, 2]), fovea.tensor([3])];
    const { live } = fovea.memory();
    let inside: Tensor | undefined;
    const { value, gradients, aux } = valueAndGrad(fovea, { a, b }, () => {
      inside = ops.multiply(fovea, a, a);
      return [ops.sum(fovea, inside), { doubled: ops.add(fovea, a, a) }];
    });
    assert.equal(value, 5);
    assert.deepEqual([...gradients.a.data], [2, 4]);
    assert.deepEqual([...gradients.b.data], [0]);
    assert.deepEqual([...aux.doubled.data], [2, 4]);
    assert.ok(inside?.disposed);
    for (const one of [gradients.a, gradients.b, aux.doubled]) one.dispose();
    assert.equal(fovea.memory().live, live);
    for (const one of [a, b]) one.dispose();
  });

  test('a place that argmax found is a constant', () => {
    const w = fovea.tensor([3, 5, 4]);
    const { value, gradients } = valueAndGrad(fovea, { w }, () =>
      ops.sum(fovea, ops.gather(fovea, w, [...ops.argmax(fovea, w).data])),
    );
    assert.equal(value, 5);
    assert.deepEqual([...gradients.w.data], [0, 1, 0]);
    gradients.w.dispose();
    w.dispose();
  });

  test('a matrix whose products are several, whole or of its rows, has the sum of their gradients', () => {
    const [a, w] = [fovea.tensor([[1, 2]]), fovea.tensor([[1], [3]])];
    const byProducts = valueAndGrad(fovea, { a, w }, () =>
      ops.sum(fovea, ops.add(fovea, ops.matmul(fovea, a, w), ops.matmul(fovea, a.slice(1, 0, 1), w.slice(0, 1, 2)))),
    );
    assert.equal(byProducts.value, 10);
    assert.deepEqual([...byProducts.gradients.a.data], [1 + 3, 3]);
    assert.deepEqual([...byProducts.gradients.w.data], [1, 2 + 1]);
    const s = fovea.tensor([[1, 2], [3, 4]]); // prettier-ignore
    const byItself = valueAndGrad(fovea, { s }, () => ops.sum(fovea, ops.sum(fovea, ops.matmul(fovea, s, s))));
    assert.deepEqual([...byItself.gradients.s.data], [3 + 4, 7 + 4, 3 + 6, 7 + 6]);
    for (const one of [a, w, s, ...Object.values(byProducts.gradients), byItself.gradients.s]) one.dispose();
  });

  test('numbers that JavaScript reads, and stopGradient, are constants', () => {
    const w = fovea.tensor([3]);
    const { gradients } = valueAndGrad(fovea, { w }, () =>
      ops.sum(fovea, ops.multiply(fovea, ops.multiply(fovea, w, stopGradient(fovea, w)), w.data[0]!)),
    );
    assert.deepEqual([...gradients.w.data], [9]);
    gradients.w.dispose();
    w.dispose();
  });
});

describe('mechanisms whose inputs are plain numbers depend on their params', () => {
  /** Outside of valueAndGrad the losses are plain, too. */
  const sumOf = (losses: NDArray | undefined): Tensor =>
    ops.sum(fovea, 'reshape' in losses! ? (losses as Tensor) : fovea.tensor(losses!));
  const ids = [[1, 2, 3, 1]];

  test('keyValueMemory', () => {
    const [question, keys] = [[[1, 0, 1]], [[[1, 0, 0], [0, 1, 0]]]]; // prettier-ignore
    const inputs = { question, keys, values: keys, candidates: keys, answer: [1] };
    check({ A: [3, 2], R: [2, 2, 2] }, (params) => sumOf(keyValueMemory(fovea, inputs, params).loss));
  });

  test('pointerNetwork, which reads where its weights are largest', () => {
    const shapes = { W1: [2, 3], W2: [2, 3], v: [3], start: [1] };
    const lstm = (name: string): Record<string, number[]> => ({
      ...{ [`${name}.weight_ih_l0`]: [8, 1], [`${name}.weight_hh_l0`]: [8, 2] },
      ...{ [`${name}.bias_ih_l0`]: [8], [`${name}.bias_hh_l0`]: [8] },
    });
    const inputs = { points: [[[0.5], [0.1], [0.9]]], targets: [[1, 0, 2]] };
    check({ ...shapes, ...lstm('encoder'), ...lstm('decoder') }, (params) => sumOf(pointerNetwork(fovea, inputs, params).loss));
  });

  test('attentionSumReader', () => {
    const gru = (name: string): Record<string, number[]> =>
      Object.fromEntries(
        ['', '_reverse'].flatMap((end) => [
          [`${name}.weight_ih_l0${end}`, [6, 2]],
          [`${name}.weight_hh_l0${end}`, [6, 2]],
        ]),
      );
    const inputs = { document: ids, query: ids, answer: [2] };
    check({ We: [4, 2], ...gru('document'), ...gru('query') }, (params) =>
      sumOf(attentionSumReader(fovea, inputs, params).loss),
    );
  });
});

describe('refused, with nothing changed', () => {
  const w = fovea.tensor([[1, 2]]);
  const refuse = (code: string, message: RegExp, fn: () => unknown, wrt: TensorRecord = { w }): void =>
    fails(code, message, () => valueAndGrad(fovea, wrt, fn as () => Tensor), fovea);

  test('a loss of several elements, or none', () => {
    refuse('shape', /the loss must be a Tensor of one element, got \[1, 2\]/, () => ops.add(fovea, w, 1));
    refuse('value', /fn must return a Tensor of one element, got 3/, () => 3);
  });

  test('an async function, and a call inside of another one', () => {
    refuse('option', /fn must be synchronous/, async () => ops.sum(fovea, w));
    refuse('option', /inside a function that is differentiated/, () => valueAndGrad(fovea, { w }, () => ops.sum(fovea, w)));
  });

  test('operations that have no gradient, named', () => {
    refuse(
      'option',
      /the normalizer argmax has no gradient/,
      () => fovea.attention(w, w, w, { normalizer: normalizer.argmax() }).output,
    );

    const cache = kvCache(fovea, { kvHeads: 1, width: 2, capacity: 4 });
    refuse('option', /appendRows has no gradient/, () => {
      cache.append(w, w);
      return w;
    });
    cache.dispose();
  });

  test('Tensors that share memory', () => {
    refuse('value', /wrt\.a and wrt\.b must not share memory/, () => w, { a: w.slice(1, 0, 1), b: w });
  });

  test("an instance of fovea's load", async () => {
    const plain = await load();
    const x = plain.tensor([1]);
    fails('option', /the load\(\) of fovea\/train/, () => valueAndGrad(plain, { x }, () => ops.sum(plain, x)), plain);
    plain.dispose();
  });
});

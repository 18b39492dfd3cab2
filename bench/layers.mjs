// Layers and scores around attention: fovea's functions, and graphs of onnxruntime-web that compute the same. What both have is
// compared number by number before it is timed.

import { differenceOf } from './compare.mjs';
import { encodeModel, node } from './peers/onnx.mjs';
import { summary } from './stats.mjs';
import { timeInTurns } from './turns.mjs';

const samples = 9;
const turn = 12; // milliseconds that a sample takes at least
const tolerance = 1e-4; // of the largest number of the result

const [tokens, width, hidden, features] = [256, 256, 256, 32];

/**
 * @typedef {object} Layer
 * @property {string} id
 * @property {string} title
 * @property {Record<string, [number[], number, number?]>} arrays - by name: dimensions, seed and scale
 * @property {(kit: object, x: Record<string, object>) => object} run - fovea's call, which returns a Tensor
 * @property {((x: Record<string, object>) => object) | null} graph - of onnxruntime-web: nodes, inputs, constants and the
 *   dimensions of the output Y
 */

const attention = (kit, { q, k, v }, options) => kit.fovea.attention(q, k, v, options).output;
const qkv = (n, d) => ({ q: [[n, d], 1], k: [[n, d], 2], v: [[n, d], 3] });
const weighted = [node('Softmax', ['logits'], ['weights'], { axis: 1 }), node('MatMul', ['weights', 'v'], ['Y'])];

/** The weights of a recurrent layer, gates in PyTorch's order; ONNX wants some in another. */
const recurrent = (gates) => ({
  x: [[tokens, width], 1],
  ih: [[gates * hidden, width], 2, 0.05],
  hh: [[gates * hidden, hidden], 3, 0.05],
});
const params = ({ ih, hh }) => ({ weight_ih_l0: ih, weight_hh_l0: hh });

function recurrentGraph(type, order, attributes = {}) {
  return ({ x, ih, hh }) => ({
    nodes: [node(type, ['x', 'W', 'R'], ['Y'], { hidden_size: hidden, ...attributes })],
    inputs: { x: { ...x, shape: [tokens, 1, width] } },
    constants: {
      W: { shape: [1, order.length * hidden, width], data: reorder(ih.data, order) },
      R: { shape: [1, order.length * hidden, hidden], data: reorder(hh.data, order) },
    },
    output: [tokens, 1, 1, hidden],
  });
}

/** Gates of equal size in another order. */
function reorder(data, order) {
  const size = data.length / order.length;
  const to = new Float32Array(data.length);
  order.forEach((from, n) => to.set(data.subarray(from * size, (from + 1) * size), n * size));
  return to;
}

const oneNode =
  (type, attributes) =>
  ({ x }) => ({ nodes: [node(type, ['x'], ['Y'], attributes)], inputs: { x }, constants: {}, output: x.shape });

const convolution = (groups) => ({
  arrays: { x: [[1, width, 1024], 1], w: [[width, width / groups, 3], 2, 0.05] },
  run: (kit, { x, w }) => kit.ops.conv1d(kit.fovea, x, w, { padding: 1, groups, layout: 'bct' }),
  graph: ({ x, w }) => ({
    nodes: [node('Conv', ['x', 'w'], ['Y'], { kernel_shape: [3], pads: [1, 1], group: groups })],
    inputs: { x },
    constants: { w },
    output: [1, width, 1024],
  }),
});

const normalizer = (name, make) => ({
  id: name.toLowerCase(),
  title: `attention with ${name}, N = 512, D = 64`,
  arrays: qkv(512, 64),
  run: (kit, x) => attention(kit, x, { normalizer: make(kit) }),
  graph: null,
});

/** @type {Layer[]} */
export const layers = [
  {
    id: 'additive',
    title: 'attention with additive scores, N = 256, D = 64, A = 32',
    arrays: { ...qkv(256, 64), Wq: [[64, features], 4, 0.1], Wk: [[64, features], 5, 0.1], w: [[features], 6] },
    run: (kit, { Wq, Wk, w, ...x }) => attention(kit, x, { score: kit.score.additive({ Wq, Wk, w }) }),
    graph: ({ q, k, v, Wq, Wk, w }) => ({
      nodes: [
        node('MatMul', ['q', 'Wq'], ['a']),
        node('MatMul', ['k', 'Wk'], ['b']),
        node('Add', ['a', 'b'], ['sum']),
        node('Tanh', ['sum'], ['t']),
        node('MatMul', ['t', 'w'], ['logits']),
        ...weighted,
      ],
      inputs: { q: { ...q, shape: [256, 1, 64] }, k, v },
      constants: { Wq, Wk, w },
      output: [256, 64],
    }),
  },
  {
    id: 'bilinear',
    title: 'attention with bilinear scores, N = 512, D = 64',
    arrays: { ...qkv(512, 64), W: [[64, 64], 4, 0.02] },
    run: (kit, { W, ...x }) => attention(kit, x, { score: kit.score.bilinear(W) }),
    graph: ({ q, k, v, W }) => ({
      nodes: [
        node('MatMul', ['q', 'W'], ['a']),
        node('Transpose', ['k'], ['columns'], { perm: [1, 0] }),
        node('MatMul', ['a', 'columns'], ['logits']),
        ...weighted,
      ],
      inputs: { q, k, v },
      constants: { W },
      output: [512, 64],
    }),
  },
  {
    id: 'multidimensional',
    title: 'multi-dimensional attention, N = 128, D = 64',
    arrays: { ...qkv(128, 64), Wq: [[64, 64], 4, 0.1], Wk: [[64, 64], 5, 0.1] },
    run: (kit, { q, k, v, Wq, Wk }) => kit.multiDimensional(kit.fovea, q, k, v, { Wq, Wk }, { c: 5 }).output,
    graph: ({ q, k, v, Wq, Wk }) => ({
      nodes: [
        node('MatMul', ['q', 'Wq'], ['a']),
        node('MatMul', ['k', 'Wk'], ['b']),
        node('Add', ['a', 'b'], ['sum']),
        node('Div', ['sum', 'c'], ['part']),
        node('Tanh', ['part'], ['t']),
        node('Mul', ['t', 'c'], ['logits']),
        node('Softmax', ['logits'], ['weights'], { axis: 1 }),
        node('Mul', ['weights', 'v'], ['terms']),
        node('ReduceSum', ['terms', 'axes'], ['Y'], { keepdims: 0 }),
      ],
      inputs: { q: { ...q, shape: [128, 1, 64] }, k, v },
      constants: { Wq, Wk, c: { data: Float32Array.of(5), shape: [1] }, axes: { data: BigInt64Array.of(1n), shape: [1] } },
      output: [128, 64],
    }),
  },
  normalizer('softmax', () => 'softmax'),
  normalizer('sparsemax', () => 'sparsemax'),
  normalizer('entmax15', () => 'entmax15'),
  normalizer('topK(32)', (kit) => kit.normalizer.topK(32)),
  {
    id: 'rnn',
    title: 'RNN, 256 tokens, 256 → 256',
    arrays: recurrent(1),
    run: (kit, { x, ...weights }) => kit.ops.rnn(kit.fovea, x, params(weights)).output,
    graph: recurrentGraph('RNN', [0]),
  },
  {
    id: 'gru',
    title: 'GRU, 256 tokens, 256 → 256',
    arrays: recurrent(3),
    run: (kit, { x, ...weights }) => kit.ops.gru(kit.fovea, x, params(weights)).output,
    graph: recurrentGraph('GRU', [1, 0, 2], { linear_before_reset: 1 }), // z, r, h of r, z, n
  },
  {
    id: 'lstm',
    title: 'LSTM, 256 tokens, 256 → 256',
    arrays: recurrent(4),
    run: (kit, { x, ...weights }) => kit.ops.lstm(kit.fovea, x, params(weights)).output,
    graph: recurrentGraph('LSTM', [0, 3, 1, 2]), // i, o, f, c of i, f, g, o
  },
  { id: 'conv1d', title: 'conv1d, 1024 tokens, 256 → 256, kernel 3', ...convolution(1) },
  { id: 'depthwise', title: 'conv1d, 1024 tokens, 256 channels each by itself, kernel 3', ...convolution(width) },
  ...[
    ['softmax', 'Softmax', 1],
    ['softmax', 'Softmax', 0],
    ['logSoftmax', 'LogSoftmax', 1],
  ].map(([name, type, axis]) => ({
    id: `${name.toLowerCase()}${axis === 0 ? '-axis0' : '-last'}`,
    title: `${name} of ${axis === 0 ? 'axis 0' : 'the last axis'}, 1024 × 1024`,
    arrays: { x: [[1024, 1024], 1] },
    run: (kit, { x }) => kit.ops[name](kit.fovea, x, { axis }),
    graph: oneNode(type, { axis }),
  })),
];

/** The arrays of a layer as { data, shape } by name. */
function arraysOf({ arrays }, numbers) {
  return Object.fromEntries(
    Object.entries(arrays).map(([name, [shape, seed, scale = 1]]) => [
      name,
      { data: numbers(shape, seed).map((x) => x * scale), shape },
    ]),
  );
}

/** fovea's call: arrays in Tensors, the result left in one. */
export function prepareFovea(kit, id, numbers) {
  const layer = layers.find((one) => one.id === id);
  const tensors = Object.fromEntries(Object.entries(arraysOf(layer, numbers)).map(([name, x]) => [name, kit.fovea.tensor(x)]));
  let result;
  return {
    run() {
      result?.dispose();
      result = kit.fovea.scope(() => layer.run(kit, tensors));
    },
    output: () => Array.from(result.toArray().data),
  };
}

/** The graph of onnxruntime-web, weights as constants; its API copies inputs and outputs at every call. */
export async function prepareGraph(ort, id, numbers) {
  const layer = layers.find((one) => one.id === id);
  const { nodes, inputs, constants, output } = layer.graph(arraysOf(layer, numbers));
  const dimsOf = (of) => Object.fromEntries(Object.entries(of).map(([name, { shape }]) => [name, shape]));
  const model = encodeModel({
    opsets: { '': 21 },
    nodes,
    inputs: dimsOf(inputs),
    outputs: { Y: output },
    constants: Object.fromEntries(Object.entries(constants).map(([name, { shape, data }]) => [name, { dims: shape, data }])),
  });
  const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
  const feeds = Object.fromEntries(
    Object.entries(inputs).map(([name, { data, shape }]) => [name, new ort.Tensor('float32', data, shape)]),
  );
  let result;
  return {
    async run() {
      result = await session.run(feeds);
    },
    output: () => Array.from(result.Y.data),
  };
}

/**
 * @param {(by: string) => Promise<{ call: Function, close: () => Promise<void> }>} open - a page of its own for each
 * @returns {Promise<Record<string, object>>} by layer: times of one call in milliseconds, { fovea, peer }, peer null where there is
 *   none; or { failure }
 */
export async function measureLayers(open, threads) {
  const pages = { fovea: await open('fovea'), peer: await open('onnxruntime') };
  const results = {};
  try {
    for (const { id, graph } of layers) {
      const by = graph === null ? ['fovea'] : ['fovea', 'peer'];
      try {
        results[id] = await takeTurns(pages, by, id, threads);
      } catch (error) {
        results[id] = { failure: String(error.message).split('\n')[0] };
      }
    }
  } finally {
    for (const page of Object.values(pages)) await page.close();
  }
  return results;
}

async function takeTurns(pages, names, id, threads) {
  const outputs = [];
  for (const name of names) outputs.push(await pages[name].call('prepareLayer', { id, by: name, threads }));
  const difference = outputs.length > 1 ? differenceOf(...outputs) : 0;
  if (!(difference <= tolerance)) throw new Error(`results differ by ${difference.toPrecision(2)} of the largest`);
  const times = await timeInTurns(pages, names, { samples, turn });
  return { fovea: summary(times.fovea), peer: times.peer ? summary(times.peer) : null };
}

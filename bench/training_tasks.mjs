// Tasks of training: a step of a GPT, attention with its gradient, and parts of both, in the same numbers for every contestant.

import { numbers } from './arrays.mjs';

/** A GPT whose table of tokens is the matrix of its logits; pre-norm, GELU by tanh, learned positions. */
export const gpt = { vocabulary: 128, width: 64, heads: 4, layers: 2, feedForward: 256, tokens: 64, batch: 8 };

export const adam = { learningRate: 1e-3, betas: [0.9, 0.999], eps: 1e-8 };

export const normEps = 1e-5;

/** Shapes of the weights by name: matrices are [out, in]. */
export function weightShapes({ vocabulary, width, layers, feedForward, tokens } = gpt) {
  const norm = (name) => ({ [`${name}.weight`]: [width], [`${name}.bias`]: [width] });
  const layer = (n) => ({
    ...norm(`layers.${n}.norm1`),
    [`layers.${n}.self_attn.in_proj_weight`]: [3 * width, width],
    [`layers.${n}.self_attn.in_proj_bias`]: [3 * width],
    [`layers.${n}.self_attn.out_proj.weight`]: [width, width],
    [`layers.${n}.self_attn.out_proj.bias`]: [width],
    ...norm(`layers.${n}.norm2`),
    [`layers.${n}.linear1.weight`]: [feedForward, width],
    [`layers.${n}.linear1.bias`]: [feedForward],
    [`layers.${n}.linear2.weight`]: [width, feedForward],
    [`layers.${n}.linear2.bias`]: [width],
  });
  return {
    'embedding.weight': [vocabulary, width],
    'positions.weight': [tokens, width],
    ...Object.assign({}, ...Array.from({ length: layers }, (_, n) => layer(n))),
    ...norm('norm'),
  };
}

/** By name: { shape, data }. Matrices of 0.08 about 0, norms about 1, biases about 0. */
export function gptWeights() {
  return Object.fromEntries(
    Object.entries(weightShapes()).map(([name, shape], n) => {
      const mean = /norm\d?\.weight$/.test(name) ? 1 : 0;
      return [name, { shape, data: numbers(shape, 100 + n).map((x) => mean + 0.08 * x) }];
    }),
  );
}

/** The batch of every step: ids and targets, [batch, tokens] as Int32Array. */
export function gptBatch({ vocabulary, tokens, batch } = gpt) {
  const draw = (seed) =>
    Int32Array.from(numbers([batch * tokens], seed), (x) => Math.floor(((x / Math.sqrt(3) + 1) / 2) * vocabulary) % vocabulary);
  return { ids: draw(1), targets: draw(2) };
}

/** The matrix products of a step as { rows, inner, columns }: each three times, once forward and twice for its gradients. */
export function productsOf({ vocabulary, width, layers, feedForward, tokens, batch } = gpt) {
  const matrices = [
    ...Array.from({ length: layers }, () => [
      [3 * width, width],
      [width, width],
      [feedForward, width],
      [width, feedForward],
    ]).flat(),
    [vocabulary, width],
  ];
  const rows = batch * tokens;
  return matrices.flatMap(([out, inside]) => [
    { rows, inner: inside, columns: out },
    { rows, inner: out, columns: inside },
    { rows: out, inner: rows, columns: inside },
  ]);
}

/** Attention whose gradient is taken: q, k, v and the gradient of the output, [heads, tokens, width]. */
export const attentions = {
  attention: { heads: 8, tokens: 1024, width: 64, causal: false, window: null },
  causal: { heads: 8, tokens: 1024, width: 64, causal: true, window: null },
  window: { heads: 1, tokens: 16384, width: 64, causal: false, window: [128, 128] },
};

export function attentionArrays({ heads, tokens, width }) {
  return Object.fromEntries(['q', 'k', 'v', 'dOutput'].map((name, n) => [name, numbers([heads, tokens, width], 1 + n)]));
}

/** Some of many numbers, for comparison. */
export function someOf(...arrays) {
  return arrays.flatMap((array) => Array.from({ length: 500 }, (_, n) => array[(n * 7919) % array.length]));
}

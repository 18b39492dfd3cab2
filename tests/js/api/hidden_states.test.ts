/** The states between the layers of encoders and decoders: those of the layers one by one, and what `forward` is made of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kvCache } from 'fovea/cache';
import { CausalDecoder, CausalDecoderLayer, TransformerEncoder, TransformerEncoderLayer } from 'fovea/nn';
import { embedding, linear } from 'fovea/ops';
import { fails, fovea, leavesNothing, numbers, same } from '../support/api.ts';

const LAYER = { dModel: 12, nHead: 3, dimFeedforward: 20 } as const;

for (const normFirst of [false, true])
  test(`an encoder, ${normFirst ? 'pre' : 'post'}-norm: each state is the layer's of the one before`, () =>
    leavesNothing(() => {
      const options = { ...LAYER, normFirst, numLayers: 3, finalNorm: normFirst };
      using encoder = new TransformerEncoder(fovea, { ...options, seed: 1 });
      const weights = encoder.stateDict();
      const x = numbers([2, 5, 12]);
      const masks = { keyPaddingMask: [Array(5).fill(false), [false, false, true, true, true]], causal: true };
      const states = encoder.hiddenStates(x, masks);
      assert.equal(states.length, 4);
      same(states[0]!.data, x.data);
      same(states[3]!.data, encoder.forward(x, masks).data);
      for (const n of [0, 1, 2]) {
        using layer = new TransformerEncoderLayer(fovea, { ...LAYER, normFirst });
        layer.loadStateDict(weights, { prefix: `layers.${n}.`, strict: false });
        const next = layer.forward(states[n]!, masks);
        if (n < 2 || !normFirst) same(states[n + 1]!.data, next.data);
      }
      using turned = new TransformerEncoder(fovea, { ...options, batchFirst: false });
      turned.loadStateDict(weights);
      const one = { data: x.data.slice(0, 60), shape: [5, 1, 12] };
      const tokensFirst = turned.hiddenStates(one);
      assert.deepEqual(tokensFirst[1]!.shape, [5, 1, 12]);
      same(tokensFirst[1]!.data, encoder.hiddenStates({ ...one, shape: [1, 5, 12] })[1]!.data);
      fails('shape', /TransformerEncoder.hiddenStates: x must be .* with the width E/, () =>
        encoder.hiddenStates(numbers([2, 5])),
      );
    }));

test('Tensors give Tensors, which the caller owns', () =>
  leavesNothing(() => {
    using encoder = new TransformerEncoder(fovea, { ...LAYER, numLayers: 2, seed: 1 });
    const plain = numbers([5, 12]);
    const x = fovea.tensor(plain);
    const states = encoder.hiddenStates(x);
    same(states[2]!.toArray().data, encoder.forward(plain).data);
    for (const state of states) state.dispose();
    same(x.toArray().data, plain.data);
    x.dispose();
  }));

const DECODER = { ...LAYER, vocabSize: 17, numLayers: 3, maxPositions: 9, embeddingScale: 2 } as const;

test("a decoder: the embedding, each layer's output, and what the logits are made of", () =>
  leavesNothing(() => {
    using model = new CausalDecoder(fovea, { ...DECODER, seed: 2 });
    const weights = model.stateDict();
    const ids = [
      [3, 16, 0, 3],
      [5, 5, 1, 2],
    ];
    const states = model.hiddenStates(ids);
    assert.deepEqual(
      states.map(({ shape }) => shape),
      Array(4).fill([2, 4, 12]),
    );
    const [table, positions] = [weights.get('embedding.weight')!, weights.get('positions.weight')!];
    const words = embedding(fovea, ids, table).data;
    same(
      states[0]!.data,
      words.map((value, i) => Math.fround(2 * value) + positions.data[i % 48]!),
    );
    for (const n of [0, 1]) {
      using layer = new CausalDecoderLayer(fovea, LAYER);
      layer.loadStateDict(weights, { prefix: `layers.${n}.`, strict: false });
      same(layer.forward(states[n]!).data, states[n + 1]!.data);
    }
    same(linear(fovea, states[3]!, table).data, model.forward(ids).data);
  }));

test('a decoder with caches: the states of the new tokens, and no token more after an error', () =>
  leavesNothing(() => {
    using model = new CausalDecoder(fovea, { ...DECODER, seed: 2 });
    const caches = model.layers.map(() => kvCache(fovea, { ...model.cacheOptions, capacity: 16 }));
    const whole = model.hiddenStates([3, 16, 0, 3]);
    model.hiddenStates([3, 16, 0], { caches });
    const step = model.hiddenStates([3], { caches });
    assert.equal(caches[2]!.length, 4);
    step.forEach(({ data, shape }, n) => {
      assert.deepEqual(shape, [1, 12]);
      data.forEach((value, i) => assert.ok(Math.abs(value - whole[n]!.data[36 + i]!) < 2 ** -16, `state ${n}, ${i}`));
    });
    fails('value', /CausalDecoder.hiddenStates: maxPositions is 9, got tokens up to position 9/, () =>
      model.hiddenStates([1, 1, 1, 1, 1, 1], { caches }),
    );
    assert.equal(caches[2]!.length, 4);
    for (const cache of caches) cache.dispose();
  }));

// A decoder by onnxruntime-web, token by token: the keys and values that a call gives are inputs of the next one.

import { decoderGraph, pastDims } from '../peers/decoder.mjs';

/** A way of a decoder, as in decoder.mjs, whose step gives a promise. */
export const byGraph =
  (int8) =>
  async ({ ort }, shape, model) => {
    const weights = new Map(model.stateDict());
    const session = await ort.InferenceSession.create(decoderGraph(shape, weights, int8), {
      executionProviders: ['wasm'],
      graphOptimizationLevel: 'all',
    });
    const [table, positions] = ['embedding', 'positions'].map((name) => weights.get(`${name}.weight`).data);
    const rowOf = (rows, at) => rows.slice(at * shape.width, (at + 1) * shape.width);
    const layers = Array.from({ length: shape.layers }, (_, n) => n);
    let past;
    const clear = () => {
      past = layers.map(() => new ort.Tensor('float32', new Float32Array(0), pastDims(shape, 0)));
    };
    const step = async (id, position) => {
      const place = rowOf(positions, position);
      const x = rowOf(table, id).map((value, n) => value + place[n]);
      const feeds = Object.fromEntries(layers.map((n) => [`past.${n}`, past[n]]));
      const result = await session.run({ X: new ort.Tensor('float32', x, [1, 1, shape.width]), ...feeds });
      past = layers.map((n) => result[`present.${n}`]);
      return result.Y.data;
    };
    clear();
    return { step, clear };
  };

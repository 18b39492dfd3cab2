// Linear attention by fovea: Tensors as for `attention`; a state takes plain arrays, piece by piece, as tokens come.

import { dimensions, gateDimensions } from '../shapes.mjs';

/** @returns {Promise<{ run: () => void, output: () => Float32Array }>} */
export async function prepareLinear(fovea, shape, arrays, environment) {
  const { linearAttention, linearState } = await import(environment.foveaLinear);
  return shape.linear.piece === null ? inOneCall() : inPieces();

  function inOneCall() {
    const given = Object.fromEntries(
      Object.entries(dimensionsOf(shape)).map(([name, dims]) => [name, fovea.tensor({ data: arrays[name], shape: dims })]),
    );
    const { q, k, v, ...gates } = given;
    const output = fovea.tensor({ data: new Float32Array(arrays.q.length), shape: q.shape });
    const settings = { causal: shape.causal, ...ruleOf(shape.linear), ...gates, out: { output } };
    return {
      run() {
        linearAttention(fovea, q, k, v, settings);
      },
      output: () => output.toArray().data,
    };
  }

  /** From an empty state each time. The pieces and the places of their results lie ready, in arrays of one head. */
  function inPieces() {
    const { heads, width, queries, linear } = shape;
    if (heads > 1) throw new Error('pieces of one head only');
    const state = linearState(fovea, { kvHeads: heads, width, ...ruleOf(linear) });
    const whole = new Float32Array(arrays.q.length);
    const pieces = [];
    for (let from = 0; from < queries; from += linear.piece) {
      const part = (data, [, tokens, ...rest]) => {
        const size = data.length / tokens;
        const to = Math.min(tokens, from + linear.piece);
        return { data: data.subarray(from * size, to * size), shape: [1, to - from, ...rest] };
      };
      const { q, k, v, ...gates } = Object.fromEntries(
        Object.entries(dimensionsOf(shape)).map(([name, dims]) => [name, part(arrays[name], dims)]),
      );
      pieces.push({ q, k, v, options: { ...gates, out: { output: part(whole, dimensions(shape).q) } } });
    }
    return {
      run() {
        state.clear();
        for (const { q, k, v, options } of pieces) state.step(q, k, v, options);
      },
      output: () => whole,
    };
  }
}

/** The dimensions of all inputs by name. */
function dimensionsOf(shape) {
  const { q, kv } = dimensions(shape);
  const { decay, beta } = gateDimensions(shape);
  return { q, k: kv, v: kv, ...(decay && { decay }), ...(beta && { beta }) };
}

/** The scale of the update rules is that of ONNX already. */
function ruleOf({ featureMap, normalize, rule }) {
  return featureMap === 'identity' ? { updateRule: rule } : { featureMap, normalize };
}

// BERT from ids to states, as Hugging Face's exports are once onnxruntime's optimizer has fused them: inputs input_ids, attention_mask
// and token_type_ids, int64 [B, T], output last_hidden_state [B, T, E]. With `int8` the table of words is int8 with one scale, the
// matrices as in int8.mjs.

import { normEps } from '../encoder.mjs';
import { encoderConstants, fusedLayers } from './encoder_layers.mjs';
import { int8Constants, quantizedRows, quantizeTable } from './int8.mjs';
import { encodeModel, int32, microsoft, node } from './onnx.mjs';

/**
 * @param {object} task
 * @param {object} task.shape - an encoder's
 * @param {Record<string, Float32Array>} task.layers - weights by PyTorch's names, as arrays.mjs makes them
 * @param {Record<string, { shape: number[], data: Float32Array }>} task.embeddings - word, position, token_type, normWeight, normBias
 * @param {'Attention' | 'MultiHeadAttention'} task.operator
 * @param {boolean} task.int8
 * @returns {Uint8Array}
 */
export function bertGraph({ shape, layers, embeddings, operator, int8 }) {
  const { nodes, extra } = fusedLayers({ shape, weights: layers, int8, operator, mask: 'mask' });
  const weights = encoderConstants(shape, layers, extra);
  const { word, ...others } = embeddings;
  const tables = Object.fromEntries(Object.entries(others).map(([name, { shape: dims, data }]) => [name, { dims, data }]));
  const words = { dims: word.shape, data: word.data };
  const cast = (from, to) => node('Cast', [from], [to], { to: int32 });
  const front = int8
    ? [
        ...quantizedRows('word', 'input_ids', 'rows'),
        node('Gather', ['token_type', 'token_type_ids'], ['types']),
        node('Shape', ['input_ids'], ['tokens'], { start: 1, end: 2 }),
        node('Slice', ['position', 'from', 'tokens', 'from'], ['positions']),
        node('Add', ['rows', 'types'], ['both']),
        node('Add', ['both', 'positions'], ['sum']),
        node('LayerNormalization', ['sum', 'normWeight', 'normBias'], ['X'], { epsilon: { float: normEps } }),
      ]
    : [
        cast('input_ids', 'ids'),
        cast('token_type_ids', 'kinds'),
        node(
          'EmbedLayerNormalization',
          ['ids', 'kinds', 'word', 'position', 'token_type', 'normWeight', 'normBias'],
          ['X', 'unused'],
          { epsilon: { float: normEps } },
          microsoft,
        ),
      ];
  return encodeModel({
    opsets: { '': 21, [microsoft]: 1 },
    nodes: [cast('attention_mask', 'mask'), ...front, ...nodes, node('Identity', ['Y'], ['last_hidden_state'])],
    inputs: Object.fromEntries(
      ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => [name, { int64: ['batch', 'tokens'] }]),
    ),
    outputs: { last_hidden_state: ['batch', 'tokens', shape.heads * shape.width] },
    constants: {
      ...tables,
      ...(int8
        ? { ...int8Constants(weights), ...quantizeTable('word', words), from: { dims: [1], data: BigInt64Array.of(0n) } }
        : { ...weights, word: words }),
    },
  });
}

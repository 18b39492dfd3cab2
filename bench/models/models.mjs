// The models whose folders are written and run: real sizes, seeded weights.

/**
 * @typedef {object} EncoderModel - of BERT's kind
 * @property {string} id - and its folder's name
 * @property {string} title
 * @property {'encoder'} kind
 * @property {number} heads
 * @property {number} width - of a head
 * @property {{ layers: number, feedForward: number }} encoder
 * @property {number} vocabulary
 * @property {number} positions
 */

/**
 * @typedef {object} DecoderModel - of Llama's kind, with tied weights
 * @property {string} id
 * @property {string} title
 * @property {'decoder'} kind
 * @property {number} layers
 * @property {number} embedding - the width of a state
 * @property {number} heads
 * @property {number} kvHeads
 * @property {number} width - of a head
 * @property {number} feedForward
 * @property {number} vocabulary
 * @property {number} ropeTheta
 * @property {boolean} qkNorm
 * @property {string[]} ways
 */

const bert = { kind: 'encoder', vocabulary: 30_522, positions: 512, heads: 12 };

/** @type {(EncoderModel | DecoderModel)[]} */
export const models = [
  {
    ...{ ...bert, id: 'minilm', title: 'MiniLM-L6: 6 layers of 384', width: 32 },
    encoder: { layers: 6, feedForward: 1536 },
  },
  {
    ...{ ...bert, id: 'bge-base', title: 'bge-base: 12 layers of 768', width: 64 },
    encoder: { layers: 12, feedForward: 3072 },
  },
  {
    ...{ kind: 'decoder', id: 'smollm2', title: 'SmolLM2-135M', layers: 30, embedding: 576, heads: 9, kvHeads: 3, width: 64 },
    ...{ feedForward: 1536, vocabulary: 49_152, ropeTheta: 100_000, qkNorm: false },
    ways: ['fovea', 'fovea-int8', 'transformers', 'transformers-q8'],
  },
  {
    ...{ kind: 'decoder', id: 'qwen3', title: 'Qwen3-0.6B', layers: 28, embedding: 1024, heads: 16, kvHeads: 8, width: 128 },
    ...{ feedForward: 3072, vocabulary: 151_936, ropeTheta: 1_000_000, qkNorm: true },
    ways: ['fovea-int8'], // its float32 graph is larger than a protocol buffer may be
  },
];

export const modelOf = (id) => models.find((model) => model.id === id);

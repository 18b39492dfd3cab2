// A folder as Hugging Face has it, of one small BERT with a vocabulary of eight words: a file of the projects.

import { writeSafetensors } from 'fovea/files';

const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'cats', 'and', 'dogs', 'prices'];
const flags = { special: true, single_word: false, lstrip: false, rstrip: false, normalized: false };
const tokenizer = {
  ...{ version: '1.0', truncation: null, padding: null },
  added_tokens: [0, 1, 2, 3].map((id) => ({ id, content: words[id], ...flags })),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: { type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2] },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    ...{ type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100 },
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
};
const config = {
  ...{ architectures: ['BertModel'], model_type: 'bert', vocab_size: words.length, hidden_size: 4, num_hidden_layers: 1 },
  ...{ num_attention_heads: 2, intermediate_size: 8, max_position_embeddings: 16 },
};
let at = 0;
const matrix = (out, inner) => ({
  shape: [out, inner],
  data: Float32Array.from({ length: out * inner }, () => ((++at * 37) % 101) / 50 - 1),
});
const linear = (name, out, inner) => ({ [`${name}.weight`]: matrix(out, inner), [`${name}.bias`]: Array(out).fill(0) });
const norm = (name) => ({ [`${name}.weight`]: [1, 1, 1, 1], [`${name}.bias`]: [0, 0, 0, 0] });
const layer = 'encoder.layer.0.';
const weights = {
  'embeddings.word_embeddings.weight': matrix(words.length, 4),
  'embeddings.position_embeddings.weight': matrix(16, 4),
  'embeddings.token_type_embeddings.weight': matrix(2, 4),
  ...norm('embeddings.LayerNorm'),
  ...linear(`${layer}attention.self.query`, 4, 4),
  ...linear(`${layer}attention.self.key`, 4, 4),
  ...linear(`${layer}attention.self.value`, 4, 4),
  ...linear(`${layer}attention.output.dense`, 4, 4),
  ...norm(`${layer}attention.output.LayerNorm`),
  ...linear(`${layer}intermediate.dense`, 8, 4),
  ...linear(`${layer}output.dense`, 4, 8),
  ...norm(`${layer}output.LayerNorm`),
};

const json = (value) => new TextEncoder().encode(JSON.stringify(value));

export const texts = ['Cats and dogs', 'prices'];
export const folder = new Map([
  ['config.json', json(config)],
  ['tokenizer.json', json(tokenizer)],
  ['model.safetensors', writeSafetensors(weights)],
]);

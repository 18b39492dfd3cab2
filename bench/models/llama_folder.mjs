// A folder of Llama's kind as Hugging Face has it, without a tokenizer: ids go in. Larger models have no graphs.

import { numbers } from '../arrays.mjs';
import { llamaGraph } from '../peers/llama.mjs';

const positions = 2048;

/** @returns {Record<string, (kit: object) => object | Uint8Array>} what makes each file: JSON or bytes */
export function llamaFiles(model) {
  const weights = makeWeights(model);
  const graphs = {
    'onnx/model.onnx': () => llamaGraph(model, weights, false, positions),
    'onnx/model_quantized.onnx': () => llamaGraph(model, weights, true, positions),
  };
  const peers = model.ways.some((way) => way.startsWith('transformers'));
  return {
    'config.json': () => ({
      ...(model.qkNorm
        ? { architectures: ['Qwen3ForCausalLM'], model_type: 'qwen3', rms_norm_eps: 1e-5 }
        : { architectures: ['LlamaForCausalLM'], model_type: 'llama', rms_norm_eps: 1e-5 }),
      ...{ hidden_size: model.embedding, num_hidden_layers: model.layers, num_attention_heads: model.heads },
      ...{ num_key_value_heads: model.kvHeads, head_dim: model.width, intermediate_size: model.feedForward },
      ...{ vocab_size: model.vocabulary, max_position_embeddings: positions, rope_theta: model.ropeTheta },
      ...{ hidden_act: 'silu', tie_word_embeddings: true },
    }),
    'generation_config.json': () => ({ do_sample: false }),
    'model.safetensors': ({ writeSafetensors }) => writeSafetensors(weights, { dtype: peers ? 'F32' : 'BF16' }),
    ...(peers ? graphs : {}),
  };
}

function makeWeights({ layers, embedding: E, heads, kvHeads, width: D, feedForward: F, vocabulary, qkNorm }) {
  let seed = 0;
  const matrix = (out, inner) => ({
    shape: [out, inner],
    data: numbers([out, inner], ++seed).map((x) => x / Math.sqrt(inner)),
  });
  const norm = (length) => ({ shape: [length], data: numbers([length], ++seed).map((x) => 1 + x / 10) });
  const weights = { 'model.embed_tokens.weight': matrix(vocabulary, E), 'model.norm.weight': norm(E) };
  for (let n = 0; n < layers; ++n) {
    const layer = {
      'input_layernorm.weight': norm(E),
      'self_attn.q_proj.weight': matrix(heads * D, E),
      'self_attn.k_proj.weight': matrix(kvHeads * D, E),
      'self_attn.v_proj.weight': matrix(kvHeads * D, E),
      'self_attn.o_proj.weight': matrix(E, heads * D),
      'post_attention_layernorm.weight': norm(E),
      'mlp.gate_proj.weight': matrix(F, E),
      'mlp.up_proj.weight': matrix(F, E),
      'mlp.down_proj.weight': matrix(E, F),
      ...(qkNorm ? { 'self_attn.q_norm.weight': norm(D), 'self_attn.k_norm.weight': norm(D) } : {}),
    };
    for (const [name, weight] of Object.entries(layer)) weights[`model.layers.${n}.${name}`] = weight;
  }
  return weights;
}

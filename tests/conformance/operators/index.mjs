/** Which file runs which operator. */
import * as attention from './attention.mjs';
import * as contribAttention from './contrib_attention.mjs';
import * as decoderAttention from './decoder_attention.mjs';
import * as flexAttention from './flex_attention.mjs';
import * as gemm from './gemm.mjs';
import * as groupQueryAttention from './group_query_attention.mjs';
import * as layers from './layers.mjs';
import * as linearAttention from './linear_attention.mjs';
import * as multiHeadAttention from './multi_head_attention.mjs';
import * as packedAttention from './packed_attention.mjs';
import * as recurrent from './recurrent.mjs';
import * as rotaryEmbedding from './rotary_embedding.mjs';
import * as softmax from './softmax.mjs';

const modules = [
  attention,
  contribAttention,
  decoderAttention,
  flexAttention,
  gemm,
  groupQueryAttention,
  layers,
  linearAttention,
  multiHeadAttention,
  packedAttention,
  recurrent,
  rotaryEmbedding,
  softmax,
];

const byOperator = new Map(modules.flatMap((module) => module.operators.map((name) => [name, module.run])));

/** `ai.onnx Attention`, `com.microsoft Attention`; a graph is named by its nodes. */
export function operatorOf(c) {
  const domain = c.domain === 'com.microsoft' ? 'com.microsoft' : 'ai.onnx';
  const nodes = c.op === 'graph' ? `: ${c.graph.nodes.map((node) => node.op).join(' ')}` : '';
  return `${domain} ${c.op}${nodes}`;
}

/** The function that runs a case, (fovea, case, { returnWeights }) => { outputs, weights? }, or undefined. */
export function runnerOf(operator) {
  return byOperator.get(operator);
}

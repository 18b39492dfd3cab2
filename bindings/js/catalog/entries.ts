/** The mechanisms of the catalog: choices of a call, then systems, each in the order of their ids. */
import type { EntryFile, RunnableEntry } from './entry.ts';
import { withChineseLabels } from './labels.ts';
import { additive } from './options/additive.ts';
import { alibi } from './options/alibi.ts';
import { atrous } from './options/atrous.ts';
import { axial } from './options/axial.ts';
import { bigbird } from './options/bigbird.ts';
import { bilinear } from './options/bilinear.ts';
import { concat } from './options/concat.ts';
import { cosine } from './options/cosine.ts';
import { deltaRule } from './options/delta_rule.ts';
import { dot } from './options/dot.ts';
import { efficientAttention } from './options/efficient_attention.ts';
import { entmax } from './options/entmax.ts';
import { gru } from './options/gru.ts';
import { hard } from './options/hard.ts';
import { hardSampled } from './options/hard_sampled.ts';
import { keyValue } from './options/key_value.ts';
import { learnedPositions } from './options/learned_positions.ts';
import { linear } from './options/linear.ts';
import { linearRnn } from './options/linear_rnn.ts';
import { linformer } from './options/linformer.ts';
import { local } from './options/local.ts';
import { location } from './options/location.ts';
import { longformer } from './options/longformer.ts';
import { lstm } from './options/lstm.ts';
import { multiHead } from './options/multi_head.ts';
import { multiQuery } from './options/multi_query.ts';
import { performer } from './options/performer.ts';
import { recurrentPositions } from './options/recurrent_positions.ts';
import { relativePositions } from './options/relative_positions.ts';
import { relu } from './options/relu.ts';
import { rnn } from './options/rnn.ts';
import { rope } from './options/rope.ts';
import { scaledDot } from './options/scaled_dot.ts';
import { selfAttention } from './options/self_attention.ts';
import { sinusoidal } from './options/sinusoidal.ts';
import { sparseTransformer } from './options/sparse_transformer.ts';
import { sparsemax } from './options/sparsemax.ts';
import { splitHeads } from './options/split_heads.ts';
import { topK } from './options/top_k.ts';
import { twoStageHeads } from './options/two_stage_heads.ts';
import { attentionOverAttention } from './systems/attention_over_attention.ts';
import { attentionSumReader } from './systems/attention_sum_reader.ts';
import { bahdanau } from './systems/bahdanau.ts';
import { convS2s } from './systems/conv_s2s.ts';
import { convolutionAttention } from './systems/convolution_attention.ts';
import { copyNet } from './systems/copy_net.ts';
import { decomposableAttention } from './systems/decomposable_attention.ts';
import { disan } from './systems/disan.ts';
import { distanceSelfAttention } from './systems/distance_self_attention.ts';
import { dynamicMemory } from './systems/dynamic_memory.ts';
import { emAttention } from './systems/em_attention.ts';
import { fullyConnected } from './systems/fully_connected.ts';
import { graphAttention } from './systems/graph_attention.ts';
import { hierarchicalAttention } from './systems/hierarchical_attention.ts';
import { imageSelfAttention } from './systems/image_self_attention.ts';
import { keyValueMemory } from './systems/key_value_memory.ts';
import { keyValuePredict } from './systems/key_value_predict.ts';
import { luong } from './systems/luong.ts';
import { luongLocal } from './systems/luong_local.ts';
import { memoryNetwork } from './systems/memory_network.ts';
import { multiSource } from './systems/multi_source.ts';
import { ngramRnn } from './systems/ngram_rnn.ts';
import { pointerGenerator } from './systems/pointer_generator.ts';
import { pointerNetwork } from './systems/pointer_network.ts';
import { reformer } from './systems/reformer.ts';
import { resa } from './systems/resa.ts';
import { saliency } from './systems/saliency.ts';
import { sentenceEmbedding } from './systems/sentence_embedding.ts';
import { speechSelfAttention } from './systems/speech_self_attention.ts';
import { structuredSelfAttention } from './systems/structured_self_attention.ts';
import { taskSpecific } from './systems/task_specific.ts';
import { transformer } from './systems/transformer.ts';
import { transformerGenerate } from './systems/transformer_generate.ts';
import { xformerCost } from './systems/xformer_cost.ts';

const files: readonly EntryFile[] = [
  additive,
  alibi,
  atrous,
  axial,
  bigbird,
  bilinear,
  concat,
  cosine,
  deltaRule,
  dot,
  efficientAttention,
  entmax,
  gru,
  hard,
  hardSampled,
  keyValue,
  learnedPositions,
  linear,
  linearRnn,
  linformer,
  local,
  location,
  longformer,
  lstm,
  multiHead,
  multiQuery,
  performer,
  recurrentPositions,
  relativePositions,
  relu,
  rnn,
  rope,
  scaledDot,
  selfAttention,
  sinusoidal,
  sparseTransformer,
  sparsemax,
  splitHeads,
  topK,
  twoStageHeads,
  attentionOverAttention,
  attentionSumReader,
  bahdanau,
  convS2s,
  convolutionAttention,
  copyNet,
  decomposableAttention,
  disan,
  distanceSelfAttention,
  dynamicMemory,
  emAttention,
  fullyConnected,
  graphAttention,
  hierarchicalAttention,
  imageSelfAttention,
  keyValueMemory,
  keyValuePredict,
  luong,
  luongLocal,
  memoryNetwork,
  multiSource,
  ngramRnn,
  pointerGenerator,
  pointerNetwork,
  reformer,
  resa,
  saliency,
  sentenceEmbedding,
  speechSelfAttention,
  structuredSelfAttention,
  taskSpecific,
  transformer,
  transformerGenerate,
  xformerCost,
];

export const entries: readonly RunnableEntry[] = files.map((file) => {
  const { defaults, chinese, chineseLabels } = file;
  return {
    ...file,
    samples: { en: defaults, zh: chinese ? { ...defaults, ...chinese } : withChineseLabels(defaults, chineseLabels) },
  };
});

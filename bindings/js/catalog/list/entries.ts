/** The mechanisms of the catalog: choices of a call, then systems, each in the order of their ids. */
import { additive } from '../additive.ts';
import { alibi } from '../alibi.ts';
import { atrous } from '../atrous.ts';
import { attentionOverAttention } from '../attention_over_attention.ts';
import { attentionSumReader } from '../attention_sum_reader.ts';
import { axial } from '../axial.ts';
import { bahdanau } from '../bahdanau.ts';
import { bigbird } from '../bigbird.ts';
import { bilinear } from '../bilinear.ts';
import { concat } from '../concat.ts';
import { convS2s } from '../conv_s2s.ts';
import { convolutionAttention } from '../convolution_attention.ts';
import { copyNet } from '../copy_net.ts';
import { cosine } from '../cosine.ts';
import { decomposableAttention } from '../decomposable_attention.ts';
import { deltaRule } from '../delta_rule.ts';
import { disan } from '../disan.ts';
import { distanceSelfAttention } from '../distance_self_attention.ts';
import { dot } from '../dot.ts';
import { dynamicMemory } from '../dynamic_memory.ts';
import { efficientAttention } from '../efficient_attention.ts';
import { emAttention } from '../em_attention.ts';
import { entmax } from '../entmax.ts';
import type { EntryFile, RunnableEntry } from '../entry/entry.ts';
import { withChineseLabels } from '../entry/labels.ts';
import { fullyConnected } from '../fully_connected.ts';
import { graphAttention } from '../graph_attention.ts';
import { gru } from '../gru.ts';
import { hard } from '../hard.ts';
import { hardSampled } from '../hard_sampled.ts';
import { hierarchicalAttention } from '../hierarchical_attention.ts';
import { imageSelfAttention } from '../image_self_attention.ts';
import { keyValue } from '../key_value.ts';
import { keyValueMemory } from '../key_value_memory.ts';
import { keyValuePredict } from '../key_value_predict.ts';
import { learnedPositions } from '../learned_positions.ts';
import { linear } from '../linear.ts';
import { linearRnn } from '../linear_rnn.ts';
import { linformer } from '../linformer.ts';
import { local } from '../local.ts';
import { location } from '../location.ts';
import { longformer } from '../longformer.ts';
import { lstm } from '../lstm.ts';
import { luong } from '../luong.ts';
import { luongLocal } from '../luong_local.ts';
import { memoryNetwork } from '../memory_network.ts';
import { multiHead } from '../multi_head.ts';
import { multiQuery } from '../multi_query.ts';
import { multiSource } from '../multi_source.ts';
import { ngramRnn } from '../ngram_rnn.ts';
import { performer } from '../performer.ts';
import { pointerGenerator } from '../pointer_generator.ts';
import { pointerNetwork } from '../pointer_network.ts';
import { recurrentPositions } from '../recurrent_positions.ts';
import { reformer } from '../reformer.ts';
import { relativePositions } from '../relative_positions.ts';
import { relu } from '../relu.ts';
import { resa } from '../resa.ts';
import { rnn } from '../rnn.ts';
import { rope } from '../rope.ts';
import { saliency } from '../saliency.ts';
import { scaledDot } from '../scaled_dot.ts';
import { selfAttention } from '../self_attention.ts';
import { sentenceEmbedding } from '../sentence_embedding.ts';
import { sinusoidal } from '../sinusoidal.ts';
import { sparseTransformer } from '../sparse_transformer.ts';
import { sparsemax } from '../sparsemax.ts';
import { speechSelfAttention } from '../speech_self_attention.ts';
import { splitHeads } from '../split_heads.ts';
import { structuredSelfAttention } from '../structured_self_attention.ts';
import { taskSpecific } from '../task_specific.ts';
import { topK } from '../top_k.ts';
import { transformer } from '../transformer.ts';
import { transformerGenerate } from '../transformer_generate.ts';
import { twoStageHeads } from '../two_stage_heads.ts';
import { xformerCost } from '../xformer_cost.ts';

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

/** The mechanisms of the catalog: choices of a call, then systems, each in the order of their ids. */
import type { RunnableEntry } from './entry.ts';
import { additive } from './options/additive.ts';
import { alibi } from './options/alibi.ts';
import { bilinear } from './options/bilinear.ts';
import { concat } from './options/concat.ts';
import { cosine } from './options/cosine.ts';
import { dot } from './options/dot.ts';
import { entmax } from './options/entmax.ts';
import { hard } from './options/hard.ts';
import { hardSampled } from './options/hard_sampled.ts';
import { keyValue } from './options/key_value.ts';
import { learnedPositions } from './options/learned_positions.ts';
import { location } from './options/location.ts';
import { multiHead } from './options/multi_head.ts';
import { multiQuery } from './options/multi_query.ts';
import { recurrentPositions } from './options/recurrent_positions.ts';
import { relativePositions } from './options/relative_positions.ts';
import { relu } from './options/relu.ts';
import { rope } from './options/rope.ts';
import { scaledDot } from './options/scaled_dot.ts';
import { selfAttention } from './options/self_attention.ts';
import { sinusoidal } from './options/sinusoidal.ts';
import { sparsemax } from './options/sparsemax.ts';
import { splitHeads } from './options/split_heads.ts';
import { topK } from './options/top_k.ts';
import { twoStageHeads } from './options/two_stage_heads.ts';
import { bahdanau } from './systems/bahdanau.ts';
import { copyNet } from './systems/copy_net.ts';
import { luong } from './systems/luong.ts';
import { luongLocal } from './systems/luong_local.ts';
import { pointerGenerator } from './systems/pointer_generator.ts';
import { pointerNetwork } from './systems/pointer_network.ts';
import { structuredSelfAttention } from './systems/structured_self_attention.ts';

export const entries: readonly RunnableEntry[] = [
  additive,
  alibi,
  bilinear,
  concat,
  cosine,
  dot,
  entmax,
  hard,
  hardSampled,
  keyValue,
  learnedPositions,
  location,
  multiHead,
  multiQuery,
  recurrentPositions,
  relativePositions,
  relu,
  rope,
  scaledDot,
  selfAttention,
  sinusoidal,
  sparsemax,
  splitHeads,
  topK,
  twoStageHeads,
  bahdanau,
  copyNet,
  luong,
  luongLocal,
  pointerGenerator,
  pointerNetwork,
  structuredSelfAttention,
];

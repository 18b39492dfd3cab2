/// Attention over pairs, dense and by plans, and the combination of parts.

#include <emscripten/bind.h>

#include <cstddef>

#include "attention/attention.hpp"
#include "attention/combine.hpp"
#include "attention/sparse.hpp"
#include "attention_blocks.hpp"
#include "module.hpp"

namespace fovea::wasm {
namespace {

Axes axes_of(const AxesBlock& block) noexcept {
  Axes axes;
  axes.score = static_cast<Score>(block.score);
  axes.score_weights = pointer<const float>(block.score_weights);
  axes.score_weights_head = block.score_weights_head;
  axes.distance_alphas = pointer<const float>(block.distance_alphas);
  axes.relative_bias = {pointer<const float>(block.relative_bias), block.relative_bias_head, block.relative_bias_clip};
  axes.buckets = {pointer<const float>(block.bucket_table),
                  block.bucket_table_bucket,
                  block.bucket_table_head,
                  block.buckets,
                  block.bucket_max_distance,
                  block.bucket_bidirectional != 0};
  axes.gaussian_centre = {pointer<const float>(block.gaussian_centre), block.gaussian_centre_batch, block.gaussian_centre_head,
                          block.gaussian_centre_query};
  axes.gaussian_sigma = {pointer<const float>(block.gaussian_sigma), block.gaussian_sigma_batch, block.gaussian_sigma_head,
                         block.gaussian_sigma_query};
  axes.direction = static_cast<Direction>(block.direction);
  axes.relative_keys = {pointer<const float>(block.relative_keys), block.relative_keys_head, block.relative_keys_clip};
  axes.relative_values = {pointer<const float>(block.relative_values), block.relative_values_head, block.relative_values_clip};
  axes.temperature = block.temperature;
  axes.normalizer = {static_cast<NormalizerKind>(block.normalizer), block.normalizer_bias, block.normalizer_scaled != 0,
                     block.normalizer_k, std::uint64_t{block.seed_high} << 32 | block.seed_low};
  return axes;
}

AttentionArgs attention_args(const AttentionBlock& block) noexcept {
  AttentionArgs args;
  read_heads(block, args);
  args.weights = pointer<float>(block.weights);
  args.lse = pointer<float>(block.lse);
  args.scale = block.scale;
  args.softcap = block.softcap;
  args.causal = block.causal != 0;
  args.window_left = block.window_left;
  args.window_right = block.window_right;
  args.offsets = pointer<const std::int32_t>(block.offsets);
  args.key_lengths = pointer<const std::int32_t>(block.key_lengths);
  args.bool_mask = {pointer<const std::uint8_t>(block.bool_mask), block.bool_mask_batch, block.bool_mask_head,
                    block.bool_mask_query, block.bool_mask_key};
  args.float_mask = {pointer<const float>(block.float_mask), block.float_mask_batch, block.float_mask_head,
                     block.float_mask_query, block.float_mask_key};
  args.alibi_slopes = pointer<const float>(block.alibi_slopes);
  args.sinks = pointer<const float>(block.sinks);
  args.query_from = block.query_from;
  args.query_to = block.query_to;
  args.plans = pointer<const std::uint32_t* const>(block.plans);
  args.sparse_weights = {pointer<const std::int32_t>(block.sparse_indptr), pointer<const std::int32_t>(block.sparse_indices),
                         pointer<float>(block.sparse_values)};
  args.unit_from = block.unit_from;
  args.unit_to = block.unit_to;
  args.state = pointer<float>(block.state);
  args.store = {block.store_halves != 0, block.store_keep_first, block.store_shift,
                block.store_window != 0 ? static_cast<std::ptrdiff_t>(block.store_window) : kUnbounded};
  if (block.axes != 0) args.axes = axes_of(*pointer<AxesBlock>(block.axes));
  return args;
}

std::uint32_t run_attention(std::uint32_t block) {
  const AttentionArgs args = attention_args(*pointer<AttentionBlock>(block));
  return with_workspace(attention_workspace_floats(args, pool.threads()),
                        [&](Workspace scratch) { return attention(args, scratch, &pool); });
}

std::uint32_t run_attention_logits(std::uint32_t block) {
  const AttentionBlock& words = *pointer<AttentionBlock>(block);
  const AttentionArgs args = attention_args(words);
  return with_workspace(attention_logits_workspace_floats(args, pool.threads()), [&](Workspace scratch) {
    return attention_logits(args, static_cast<LogitStage>(words.logit_stage), pointer<float>(words.logits), scratch, &pool);
  });
}

static_assert(sizeof(CombinePart) == 4 * kPartFields.size() && offsetof(CombinePart, lse) == 4 * 4);

std::uint32_t run_combine(std::uint32_t block) {
  const CombineBlock& words = *pointer<CombineBlock>(block);
  CombineArgs args;
  args.batch = words.batch;
  args.heads = words.heads;
  args.queries = words.queries;
  args.value_width = words.value_width;
  args.parts = pointer<const CombinePart>(words.parts);
  args.count = words.count;
  args.output = {pointer<float>(words.output), words.output_batch, words.output_head, words.output_token};
  args.lse = pointer<float>(words.lse);
  args.sinks = pointer<const float>(words.sinks);
  return with_workspace(combine_workspace_floats(args), [&](Workspace scratch) { return combine(args, scratch); });
}

std::uint32_t unit_count(std::uint32_t block) {
  return static_cast<std::uint32_t>(sparse_units(attention_args(*pointer<AttentionBlock>(block))));
}
std::uint32_t state_floats(std::uint32_t block) {
  return static_cast<std::uint32_t>(sparse_state_floats(attention_args(*pointer<AttentionBlock>(block))));
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention) {
  emscripten::function("attention", &run_attention);
  emscripten::function("attentionLogits", &run_attention_logits);
  emscripten::function("combine", &run_combine);
  emscripten::function("unitCount", &unit_count);
  emscripten::function("stateFloats", &state_floats);
}

}  // namespace fovea::wasm

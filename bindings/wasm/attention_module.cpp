/// Attention over pairs, dense, by plans and multi-dimensional, and the combination of parts.

#include <emscripten/bind.h>

#include <cstddef>

#include "attention/attention.hpp"
#include "attention/combine.hpp"
#include "attention/multi_dimensional.hpp"
#include "attention/sparse.hpp"
#include "attention_blocks.hpp"
#include "module.hpp"
#include "score_blocks.hpp"

namespace fovea::wasm {
namespace {

/// Addresses and strides of a call's block as a part of the call sees them.
struct Part {
  std::ptrdiff_t batch, head, query;

  [[nodiscard]] const float* of_head(std::uint32_t address, std::ptrdiff_t stride) const noexcept {
    return address == 0 ? nullptr : pointer<const float>(address) + head * stride;
  }
  [[nodiscard]] RelativeTable table(std::uint32_t address, std::int32_t stride, std::uint32_t clip) const noexcept {
    return {of_head(address, stride), stride, clip};
  }
  [[nodiscard]] QueryNumbers numbers(std::uint32_t address, std::int32_t of_batch, std::int32_t of_heads,
                                     std::int32_t of_query) const noexcept {
    const float* const first = of_head(address, of_heads);
    return {first == nullptr ? nullptr : first + batch * of_batch + query * of_query, of_batch, of_heads, of_query};
  }
};

Axes axes_of(const AxesBlock& block, const Part& part) noexcept {
  Axes axes;
  axes.score = static_cast<Score>(block.score);
  axes.score_weights = part.of_head(block.score_weights, block.score_weights_head);
  axes.score_weights_head = block.score_weights_head;
  axes.relative_bias = part.table(block.relative_bias, block.relative_bias_head, block.relative_bias_clip);
  axes.buckets = {part.of_head(block.bucket_table, block.bucket_table_head),
                  block.bucket_table_bucket,
                  block.bucket_table_head,
                  block.buckets,
                  block.bucket_max_distance,
                  block.bucket_bidirectional != 0};
  axes.gaussian_centre =
      part.numbers(block.gaussian_centre, block.gaussian_centre_batch, block.gaussian_centre_head, block.gaussian_centre_query);
  axes.gaussian_sigma =
      part.numbers(block.gaussian_sigma, block.gaussian_sigma_batch, block.gaussian_sigma_head, block.gaussian_sigma_query);
  axes.direction = static_cast<Direction>(block.direction);
  axes.relative_keys = part.table(block.relative_keys, block.relative_keys_head, block.relative_keys_clip);
  axes.relative_values = part.table(block.relative_values, block.relative_values_head, block.relative_values_clip);
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
  args.first_head = block.first_head;
  args.all_heads = block.all_heads;
  if (block.axes != 0) {
    args.axes = axes_of(*pointer<AxesBlock>(block.axes),
                        {static_cast<std::ptrdiff_t>(block.axes_batch), static_cast<std::ptrdiff_t>(block.axes_head),
                         static_cast<std::ptrdiff_t>(block.axes_query)});
  }
  args.store = {block.store_halves != 0, block.store_keep_first, block.store_shift,
                block.store_window != 0 ? static_cast<std::ptrdiff_t>(block.store_window) : kUnbounded};
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

std::uint32_t run_multi_dimensional(std::uint32_t block) {
  const MultiDimensionalBlock& words = *pointer<MultiDimensionalBlock>(block);
  MultiDimensionalArgs args;
  args.attention = attention_args(*pointer<AttentionBlock>(words.attention));
  args.score = static_cast<FeatureScore>(words.score);
  args.bound = words.bound;
  args.w = {pointer<const float>(words.w), args.attention.width, args.attention.value_width, words.w_row, words.w_column};
  args.bias = pointer<const float>(words.bias);
  return with_workspace(multi_dimensional_workspace_floats(args, pool.threads()),
                        [&](Workspace scratch) { return multi_dimensional_attention(args, scratch, &pool); });
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
  emscripten::function("multiDimensionalAttention", &run_multi_dimensional);
  emscripten::function("unitCount", &unit_count);
  emscripten::function("stateFloats", &state_floats);
}

}  // namespace fovea::wasm

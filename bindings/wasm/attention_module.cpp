/// Attention over pairs, dense, by plans and multi-dimensional, and the combination of parts.

#include <emscripten/bind.h>

#include <cstddef>

#include "abi.hpp"
#include "attention/attention.hpp"
#include "attention/multi_dimensional/multi_dimensional.hpp"
#include "attention/softmax/combine.hpp"
#include "attention/sparse/sparse.hpp"
#include "attention_args.hpp"
#include "listed_operations.hpp"
#include "module.hpp"

namespace fovea::wasm {
namespace {

/// Addresses and strides of a call's block as a part of the call sees them.
struct Part {
  std::ptrdiff_t batch, head, query;

  [[nodiscard]] const float* of_head(const float* data, std::ptrdiff_t stride) const noexcept {
    return data == nullptr ? nullptr : data + head * stride;
  }
  [[nodiscard]] RelativeTable table(const float* data, std::int32_t stride, std::uint32_t clip) const noexcept {
    return {of_head(data, stride), stride, clip};
  }
  [[nodiscard]] PerQueryScalars scalars(const float* data, std::int32_t of_batch, std::int32_t of_heads,
                                        std::int32_t of_query) const noexcept {
    const float* const first = of_head(data, of_heads);
    return {first == nullptr ? nullptr : first + batch * of_batch + query * of_query, of_batch, of_heads, of_query};
  }
  [[nodiscard]] PairsView<float> pairs(const PairsView<float>& all) const noexcept {
    const float* const first = all.data + batch * all.batch + head * all.head + query * all.query;
    return {all.data == nullptr ? nullptr : first, all.batch, all.head, all.query, all.key};
  }
};

AttentionVariant variant_of(const VariantBlock& block, const Part& part) noexcept {
  AttentionVariant variant;
  variant.score = static_cast<Score>(block.score);
  variant.score_weights = part.of_head(block.score_weights, block.score_weights_head);
  variant.score_weights_head = block.score_weights_head;
  variant.score_activation = {static_cast<Activation>(block.score_activation), block.score_slope};
  variant.relative_bias = part.table(block.relative_bias, block.relative_bias_head, block.relative_bias_clip);
  variant.buckets = {part.of_head(block.bucket_table, block.bucket_table_head),
                     block.bucket_table_bucket,
                     block.bucket_table_head,
                     block.buckets,
                     block.bucket_max_distance,
                     block.bucket_bidirectional != 0};
  variant.gaussian_center =
      part.scalars(block.gaussian_center, block.gaussian_center_batch, block.gaussian_center_head, block.gaussian_center_query);
  variant.gaussian_sigma =
      part.scalars(block.gaussian_sigma, block.gaussian_sigma_batch, block.gaussian_sigma_head, block.gaussian_sigma_query);
  if (const float* const edges = part.of_head(block.edge_biases, block.edge_biases_head); edges != nullptr) {
    variant.edge_biases = {edges + part.batch * block.edge_biases_batch, block.edge_biases_batch, block.edge_biases_head};
  }
  if (const float* const pairs = part.of_head(block.pair_bias, block.pair_bias_head); pairs != nullptr) {
    variant.pair_bias = {pairs + part.batch * block.pair_bias_batch + part.query * block.pair_bias_query, block.pair_bias_batch,
                         block.pair_bias_head, block.pair_bias_query, block.pair_bias_key};
  }
  variant.relative_keys = part.table(block.relative_keys, block.relative_keys_head, block.relative_keys_clip);
  variant.relative_values = part.table(block.relative_values, block.relative_values_head, block.relative_values_clip);
  variant.temperature = block.temperature;
  variant.normalizer = {static_cast<NormalizerKind>(block.normalizer), block.normalizer_bias, block.normalizer_scaled != 0,
                        block.normalizer_k, block.seed};
  variant.weight_scale = {
      part.pairs({block.weight_scale, block.weight_scale_batch, block.weight_scale_head, block.weight_scale_query,
                  block.weight_scale_key}),
      block.weight_scale_appended != 0,
      part.scalars(block.weight_center, block.weight_center_batch, block.weight_center_head, block.weight_center_query),
      part.scalars(block.weight_sigma, block.weight_sigma_batch, block.weight_sigma_head, block.weight_sigma_query)};
  return variant;
}

}  // namespace

AttentionArgs attention_args(const AttentionBlock& block) noexcept {
  AttentionArgs args;
  read_heads(block, args);
  args.weights = block.weights;
  args.lse = block.lse;
  args.scale = block.scale;
  args.softcap = block.softcap;
  args.causal = block.causal != 0;
  args.window_left = block.window_left;
  args.window_right = block.window_right;
  args.offsets = block.offsets;
  args.key_lengths = block.key_lengths;
  args.bool_mask = {block.bool_mask, block.bool_mask_batch, block.bool_mask_head, block.bool_mask_query, block.bool_mask_key};
  args.float_mask = {block.float_mask, block.float_mask_batch, block.float_mask_head, block.float_mask_query,
                     block.float_mask_key};
  args.key_bool_mask = {block.key_bool_mask, block.key_bool_mask_batch, 0, 0, 1};
  args.key_float_mask = {block.key_float_mask, block.key_float_mask_batch, 0, 0, 1};
  args.appended_keys = block.appended_keys;
  args.alibi_slopes = block.alibi_slopes;
  args.sinks = block.sinks;
  args.query_from = block.query_from;
  args.query_to = block.query_to;
  args.plans = block.plans;
  args.sparse_weights = {block.sparse_indptr, block.sparse_indices, block.sparse_values};
  args.unit_from = block.unit_from;
  args.unit_to = block.unit_to;
  args.state = block.state;
  args.first_head = block.variant_batch * block.all_heads + block.variant_head;
  args.all_heads = block.all_heads;
  if (block.variant != nullptr) {
    args.direction = static_cast<Direction>(block.variant->direction);
    args.variant = variant_of(
        *block.variant, {static_cast<std::ptrdiff_t>(block.variant_batch), static_cast<std::ptrdiff_t>(block.variant_head),
                         static_cast<std::ptrdiff_t>(block.variant_query)});
  }
  args.kv_layout = {block.kv_float16 != 0, block.kv_sink_tokens, block.kv_evicted_rows,
                    block.kv_window != 0 ? static_cast<std::ptrdiff_t>(block.kv_window) : kUnbounded,
                    block.kv_irregular != nullptr && *block.kv_irregular == 0};
  return args;
}

namespace {

std::uint32_t run_attention_logits(std::uint32_t block) {
  const AttentionBlock& words = *pointer<AttentionBlock>(block);
  const AttentionArgs args = attention_args(words);
  return with_workspace(attention_logits_workspace_bytes(args, pool.threads()), [&](Workspace scratch) {
    return attention_logits(args, static_cast<LogitStage>(words.logit_stage), words.logits, scratch, &pool);
  });
}

std::uint32_t run_multi_dimensional(std::uint32_t block) {
  const MultiDimensionalBlock& words = *pointer<MultiDimensionalBlock>(block);
  const AttentionArgs attended = attention_args(*words.attention);
  MultiDimensionalArgs args;
  args.inputs = attended;
  args.lse = attended.lse;
  args.plans = attended.plans;
  args.score = static_cast<FeatureScore>(words.score);
  args.bound = words.bound;
  args.w = {words.w, args.inputs.width, args.inputs.value_width, words.w_row, words.w_column};
  args.bias = words.bias;
  return with_workspace(multi_dimensional_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return multi_dimensional_attention(args, scratch, &pool); });
}

static_assert(sizeof(CombinePart) == sizeof(PartBlock) && offsetof(CombinePart, lse) == offsetof(PartBlock, lse));

std::uint32_t run_combine(std::uint32_t block) {
  const CombineBlock& words = *pointer<CombineBlock>(block);
  CombineArgs args;
  args.batch = words.batch;
  args.heads = words.heads;
  args.queries = words.queries;
  args.value_width = words.value_width;
  args.parts = reinterpret_cast<const CombinePart*>(words.parts);
  args.count = words.count;
  args.output = {words.output, words.output_batch, words.output_head, words.output_token};
  args.lse = words.lse;
  args.sinks = words.sinks;
  return with_workspace(combine_workspace_bytes(args), [&](Workspace scratch) { return combine(args, scratch); });
}

double unit_count(std::uint32_t block) {
  return static_cast<double>(sparse_units(attention_args(*pointer<AttentionBlock>(block))));
}
double state_floats(std::uint32_t block) {
  return static_cast<double>(sparse_state_floats(attention_args(*pointer<AttentionBlock>(block))));
}

}  // namespace

std::uint32_t run_attention(std::uint32_t block) {
  const AttentionArgs args = attention_args(*pointer<AttentionBlock>(block));
  return with_workspace(attention_workspace_bytes(args, pool.threads()),
                        [&](Workspace scratch) { return attention(args, scratch, &pool); });
}

EMSCRIPTEN_BINDINGS(attention) {
  emscripten::function("attention", &run_attention);
  emscripten::function("attentionLogits", &run_attention_logits);
  emscripten::function("combine", &run_combine);
  emscripten::function("multiDimensionalAttention", &run_multi_dimensional);
  emscripten::function("unitCount", &unit_count);
  emscripten::function("stateFloats", &state_floats);
}

}  // namespace fovea::wasm

#pragma once
/// The parameter blocks of attention over pairs. Pointers are byte addresses, 0 = absent; strides count elements.

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea::wasm {

struct AttentionBlock {
  std::uint32_t batch, heads, kv_heads, queries, keys, width, value_width;
  std::uint32_t q;
  std::int32_t q_batch, q_head, q_token;
  std::uint32_t k;
  std::int32_t k_batch, k_head, k_token;
  std::uint32_t v;
  std::int32_t v_batch, v_head, v_token;
  std::uint32_t output;
  std::int32_t output_batch, output_head, output_token;
  std::uint32_t weights, lse, logits, logit_stage;
  float scale, softcap;
  std::uint32_t causal;
  std::int32_t window_left, window_right;
  std::uint32_t offsets, key_lengths;
  std::uint32_t bool_mask;
  std::int32_t bool_mask_batch, bool_mask_head, bool_mask_query, bool_mask_key;
  std::uint32_t float_mask;
  std::int32_t float_mask_batch, float_mask_head, float_mask_query, float_mask_key;
  std::uint32_t alibi_slopes, sinks;
  std::uint32_t query_from, query_to;
  std::uint32_t plans, sparse_indptr, sparse_indices, sparse_values;
  std::uint32_t unit_from, unit_to, state;
  std::uint32_t axes, axes_batch, axes_head, axes_query;
  std::uint32_t first_head, all_heads;
  std::uint32_t store_halves, store_keep_first, store_shift, store_window;  // a window of 0 is none
};
inline constexpr std::array kAttentionFields = std::to_array<std::string_view>({
    "batch",
    "heads",
    "kvHeads",
    "queries",
    "keys",
    "width",
    "valueWidth",
    "q",
    "qBatch",
    "qHead",
    "qToken",
    "k",
    "kBatch",
    "kHead",
    "kToken",
    "v",
    "vBatch",
    "vHead",
    "vToken",
    "output",
    "outputBatch",
    "outputHead",
    "outputToken",
    "weights",
    "lse",
    "logits",
    "logitStage",
    "scale",
    "softcap",
    "causal",
    "windowLeft",
    "windowRight",
    "offsets",
    "keyLengths",
    "boolMask",
    "boolMaskBatch",
    "boolMaskHead",
    "boolMaskQuery",
    "boolMaskKey",
    "floatMask",
    "floatMaskBatch",
    "floatMaskHead",
    "floatMaskQuery",
    "floatMaskKey",
    "alibiSlopes",
    "sinks",
    "queryFrom",
    "queryTo",
    "plans",
    "sparseIndptr",
    "sparseIndices",
    "sparseValues",
    "unitFrom",
    "unitTo",
    "state",
    "axes",
    "axesBatch",
    "axesHead",
    "axesQuery",
    "firstHead",
    "allHeads",
    "storeHalves",
    "storeKeepFirst",
    "storeShift",
    "storeWindow",
});
static_assert(sizeof(AttentionBlock) == 4 * kAttentionFields.size());

/// What the block of attention points to where a call chooses anything of axes.hpp. Of a part of a call it is that of the
/// whole, in which the part begins at axes_batch, axes_head and axes_query.
struct AxesBlock {
  std::uint32_t score, score_weights;
  std::int32_t score_weights_head;
  std::uint32_t relative_bias;
  std::int32_t relative_bias_head;
  std::uint32_t relative_bias_clip, bucket_table;
  std::int32_t bucket_table_bucket, bucket_table_head;
  std::uint32_t buckets, bucket_max_distance, bucket_bidirectional, gaussian_centre;
  std::int32_t gaussian_centre_batch, gaussian_centre_head, gaussian_centre_query;
  std::uint32_t gaussian_sigma;
  std::int32_t gaussian_sigma_batch, gaussian_sigma_head, gaussian_sigma_query;
  std::uint32_t direction, relative_keys;
  std::int32_t relative_keys_head;
  std::uint32_t relative_keys_clip, relative_values;
  std::int32_t relative_values_head;
  std::uint32_t relative_values_clip;
  float temperature;
  std::uint32_t normalizer;
  float normalizer_bias;
  std::uint32_t normalizer_scaled, normalizer_k, seed_low, seed_high;
};
inline constexpr std::array kAxesFields = std::to_array<std::string_view>({
    "score",
    "scoreWeights",
    "scoreWeightsHead",
    "relativeBias",
    "relativeBiasHead",
    "relativeBiasClip",
    "bucketTable",
    "bucketTableBucket",
    "bucketTableHead",
    "buckets",
    "bucketMaxDistance",
    "bucketBidirectional",
    "gaussianCentre",
    "gaussianCentreBatch",
    "gaussianCentreHead",
    "gaussianCentreQuery",
    "gaussianSigma",
    "gaussianSigmaBatch",
    "gaussianSigmaHead",
    "gaussianSigmaQuery",
    "direction",
    "relativeKeys",
    "relativeKeysHead",
    "relativeKeysClip",
    "relativeValues",
    "relativeValuesHead",
    "relativeValuesClip",
    "temperature",
    "normalizer",
    "normalizerBias",
    "normalizerScaled",
    "normalizerK",
    "seedLow",
    "seedHigh",
});
static_assert(sizeof(AxesBlock) == 4 * kAxesFields.size());

/// `parts` is the address of `count` part blocks, one after another.
struct CombineBlock {
  std::uint32_t batch, heads, queries, value_width;
  std::uint32_t parts, count;
  std::uint32_t output;
  std::int32_t output_batch, output_head, output_token;
  std::uint32_t lse, sinks;
};
inline constexpr std::array kCombineFields = std::to_array<std::string_view>({
    "batch",
    "heads",
    "queries",
    "valueWidth",
    "parts",
    "count",
    "output",
    "outputBatch",
    "outputHead",
    "outputToken",
    "lse",
    "sinks",
});
static_assert(sizeof(CombineBlock) == 4 * kCombineFields.size());

/// The words of a CombinePart (attention/combine.hpp), which the core reads where they are.
inline constexpr std::array kPartFields = std::to_array<std::string_view>({
    "output",
    "outputBatch",
    "outputHead",
    "outputToken",
    "lse",
    "lseBatch",
    "lseHead",
    "lseToken",
});

}  // namespace fovea::wasm

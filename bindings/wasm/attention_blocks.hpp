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
});
static_assert(sizeof(AttentionBlock) == 4 * kAttentionFields.size());

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

#pragma once
/// The parameter blocks: what one call passes, as 32-bit words in wasm memory. JavaScript writes them by name
/// (bindings/js/abi.ts holds the same lists); a hash of the names is compared when the module is loaded.

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea::wasm {

/// Pointers are byte addresses, 0 = absent; strides count elements.
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

struct MatmulBlock {
  std::uint32_t rows, inner, columns;
  std::uint32_t a;
  std::int32_t a_row, a_column;
  std::uint32_t b;
  std::int32_t b_row, b_column;
  std::uint32_t bias, c;
  std::int32_t c_row;
};
inline constexpr std::array kMatmulFields = std::to_array<std::string_view>({
    "rows",
    "inner",
    "columns",
    "a",
    "aRow",
    "aColumn",
    "b",
    "bRow",
    "bColumn",
    "bias",
    "c",
    "cRow",
});
static_assert(sizeof(MatmulBlock) == 4 * kMatmulFields.size());

struct SoftmaxBlock {
  std::uint32_t kind, x, y, outer, length, inner;
};
inline constexpr std::array kSoftmaxFields = std::to_array<std::string_view>({"kind", "x", "y", "outer", "length", "inner"});
static_assert(sizeof(SoftmaxBlock) == 4 * kSoftmaxFields.size());

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

/// `plan` is the address of two words: where the compiled plan is put, and its size in bytes.
struct PatternBlock {
  std::uint32_t queries, keys, batch, head;
  std::int32_t offset;
  std::uint32_t length, causal;
  std::int32_t window_left, window_right;
  std::uint32_t program, program_words;
  std::uint32_t bool_mask;
  std::int32_t bool_mask_query, bool_mask_key;
  std::uint32_t float_mask;
  std::int32_t float_mask_query, float_mask_key;
  std::uint32_t counts, indices, plan;
};
inline constexpr std::array kPatternFields = std::to_array<std::string_view>({
    "queries",    "keys",           "batch",        "head",         "offset",   "length",        "causal",
    "windowLeft", "windowRight",    "program",      "programWords", "boolMask", "boolMaskQuery", "boolMaskKey",
    "floatMask",  "floatMaskQuery", "floatMaskKey", "counts",       "indices",  "plan",
});
static_assert(sizeof(PatternBlock) == 4 * kPatternFields.size());

struct LshBlock {
  std::uint32_t batch, heads, tokens, width;
  std::uint32_t x;
  std::int32_t x_batch, x_head, x_token;
  std::uint32_t buckets, rounds, seed_low, seed_high, ids;
};
inline constexpr std::array kLshFields = std::to_array<std::string_view>({
    "batch",
    "heads",
    "tokens",
    "width",
    "x",
    "xBatch",
    "xHead",
    "xToken",
    "buckets",
    "rounds",
    "seedLow",
    "seedHigh",
    "ids",
});
static_assert(sizeof(LshBlock) == 4 * kLshFields.size());

/// FNV-1a (32 bit) over the field names of all blocks in order, each followed by a line feed.
consteval std::uint32_t abi_hash() noexcept {
  std::uint32_t hash = 2166136261u;
  const auto byte = [&hash](char c) { hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u; };
  const auto fields = [&byte](const auto& names) {
    for (const std::string_view name : names) {
      for (const char c : name) byte(c);
      byte('\n');
    }
  };
  fields(kAttentionFields);
  fields(kMatmulFields);
  fields(kSoftmaxFields);
  fields(kCombineFields);
  fields(kPartFields);
  fields(kPatternFields);
  fields(kLshFields);
  return hash;
}

}  // namespace fovea::wasm

#pragma once
/// The parameter blocks of patterns.

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea::wasm {

/// `plan` is the address of two words: where the compiled plan is put, and its size in bytes.
struct PatternBlock {
  std::uint32_t queries, keys, batch, head;
  std::int32_t offset;
  std::uint32_t length, causal;
  std::int32_t window_left, window_right;
  std::uint32_t direction;
  std::uint32_t program, program_words;
  std::uint32_t bool_mask;
  std::int32_t bool_mask_query, bool_mask_key;
  std::uint32_t float_mask;
  std::int32_t float_mask_query, float_mask_key;
  std::uint32_t counts, indices, plan;
};
inline constexpr std::array kPatternFields = std::to_array<std::string_view>({
    "queries",     "keys",        "batch",          "head",         "offset",       "length",   "causal",
    "windowLeft",  "windowRight", "direction",      "program",      "programWords", "boolMask", "boolMaskQuery",
    "boolMaskKey", "floatMask",   "floatMaskQuery", "floatMaskKey", "counts",       "indices",  "plan",
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

}  // namespace fovea::wasm

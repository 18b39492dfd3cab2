#pragma once
/// The parameter blocks of linear attention and of what is measured and drawn for it.

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea::wasm {

/// `decay` has decayWidth numbers for every key; s, z and m are the state, read and written.
struct LinearBlock {
  std::uint32_t batch, heads, kv_heads, queries, keys, width, value_width;
  std::uint32_t q;
  std::int32_t q_batch, q_head, q_token;
  std::uint32_t k;
  std::int32_t k_batch, k_head, k_token;
  std::uint32_t v;
  std::int32_t v_batch, v_head, v_token;
  std::uint32_t output;
  std::int32_t output_batch, output_head, output_token;
  std::uint32_t feature_map, random_features, projection, rule, causal, normalize;
  float query_scale, key_scale, output_scale, eps;
  std::uint32_t key_lengths;
  std::uint32_t decay;
  std::int32_t decay_batch, decay_head, decay_token;
  std::uint32_t decay_width;
  std::uint32_t beta;
  std::int32_t beta_batch, beta_head, beta_token;
  std::uint32_t chunk, s, z, m;
};
inline constexpr std::array kLinearFields = std::to_array<std::string_view>({
    "batch",          "heads",       "kvHeads",     "queries",    "keys",        "width",
    "valueWidth",     "q",           "qBatch",      "qHead",      "qToken",      "k",
    "kBatch",         "kHead",       "kToken",      "v",          "vBatch",      "vHead",
    "vToken",         "output",      "outputBatch", "outputHead", "outputToken", "featureMap",
    "randomFeatures", "projection",  "rule",        "causal",     "normalize",   "queryScale",
    "keyScale",       "outputScale", "eps",         "keyLengths", "decay",       "decayBatch",
    "decayHead",      "decayToken",  "decayWidth",  "beta",       "betaBatch",   "betaHead",
    "betaToken",      "chunk",       "s",           "z",          "m",
});
static_assert(sizeof(LinearBlock) == 4 * kLinearFields.size());

struct FavorBlock {
  std::uint32_t features, width, seed_low, seed_high, projection;
};
inline constexpr std::array kFavorFields = std::to_array<std::string_view>({
    "features",
    "width",
    "seedLow",
    "seedHigh",
    "projection",
});
static_assert(sizeof(FavorBlock) == 4 * kFavorFields.size());

/// φ of `rows` rows, one after another, to y: as write_feature_rows.
struct FeaturesBlock {
  std::uint32_t rows, width, x;
  std::int32_t x_row;
  float scale;
  std::uint32_t feature_map, random_features, projection, shared, y;
};
inline constexpr std::array kFeaturesFields = std::to_array<std::string_view>({
    "rows",
    "width",
    "x",
    "xRow",
    "scale",
    "featureMap",
    "randomFeatures",
    "projection",
    "shared",
    "y",
});
static_assert(sizeof(FeaturesBlock) == 4 * kFeaturesFields.size());

/// `count` entries of a random parameter, as parameter_normals.
struct NormalsBlock {
  std::uint32_t count, name, seed_low, seed_high;
  float scale;
  std::uint32_t y;
};
inline constexpr std::array kNormalsFields = std::to_array<std::string_view>({
    "count",
    "name",
    "seedLow",
    "seedHigh",
    "scale",
    "y",
});
static_assert(sizeof(NormalsBlock) == 4 * kNormalsFields.size());

struct LogarithmBlock {
  std::uint32_t count, x, y;
};
inline constexpr std::array kLogarithmFields = std::to_array<std::string_view>({"count", "x", "y"});
static_assert(sizeof(LogarithmBlock) == 4 * kLogarithmFields.size());

}  // namespace fovea::wasm

#include "attention/score/score_bias.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "attention/pattern/plan.hpp"
#include "attention/score/clipped_distance.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

bool has_listed_bias(const AttentionArgs& args, const ScoreTile& tile) noexcept {
  return tile.planned && Plan(args.plans[tile.batch * args.heads + tile.head]).tables() > 0;
}

/// s <- s - slope * |p - j|
void add_alibi(const AttentionArgs& args, ScoreTile& tile) noexcept {
  const float slope = args.alibi_slopes[tile.head];
  const PositionRules rules = args.position_rules(tile.batch);
  constexpr float kSteps[f32::size] = {0.0f, 1.0f, 2.0f, 3.0f};
  for (std::size_t r = 0; r < tile.queries; ++r) {
    const std::int64_t p = rules.position(tile.query_of(r));
    if (tile.key_list != nullptr) {
      for (std::size_t j = 0; j < tile.keys; ++j) {
        tile.s[r][j] -= slope * std::abs(static_cast<float>(static_cast<std::int64_t>(tile.key_list[j]) - p));
      }
      continue;
    }
    // Distances are whole numbers below 2^24 wherever they differ from key to key: exact in float32.
    const std::int64_t distance = static_cast<std::int64_t>(tile.key) - p;
    over_columns(tile, [&](std::size_t j) {
      const f32 from_p = splat(static_cast<float>(distance + static_cast<std::int64_t>(j))) + load(kSteps);
      store(tile.s[r] + j, load(tile.s[r] + j) - splat(slope) * simd::abs(from_p));
    });
  }
}

/// s <- s - (j - center)² / (2 sigma²)
void add_gaussian(const AttentionArgs& args, ScoreTile& tile) noexcept {
  alignas(16) float keys[kKeyTile] = {};
  for (std::size_t j = 0; j < tile.keys; ++j) keys[j] = static_cast<float>(tile.key_of(j));
  for (std::size_t r = 0; r < tile.queries; ++r) {
    const std::size_t query = tile.query_of(r);
    const f32 center = splat(args.variant.gaussian_center.at(tile.batch, tile.head, query));
    const f32 sigma = splat(args.variant.gaussian_sigma.at(tile.batch, tile.head, query));
    over_columns(tile, [&](std::size_t j) {
      const f32 away = (load(keys + j) - center) / sigma;
      store(tile.s[r] + j, load(tile.s[r] + j) - splat(0.5f) * away * away);
    });
  }
}

/// s <- s + table[c]
void add_relative(const AttentionArgs& args, ScoreTile& tile, const RelativeTable& table) noexcept {
  if (table.data != nullptr) add_by_distance(args, tile, table.of(tile.head), 0, table.clip);
}

/// s <- s + array, which covers the keys with a position
void add_pairs(const AttentionArgs& args, const PairsView<float>& array, ScoreTile& tile) noexcept {
  if (array.data == nullptr) return;
  const std::size_t count = positioned_columns(args.position_rules(tile.batch), tile);
  for (std::size_t r = 0; r < tile.queries; ++r) {
    const float* const row = array.row(tile.batch, tile.head, tile.query_of(r));
    if (array.key == 1 && count == kKeyTile && tile.key_list == nullptr) {
      over_columns(tile, [&](std::size_t j) { store(tile.s[r] + j, load(tile.s[r] + j) + load(row + tile.key + j)); });
    } else {
      for (std::size_t j = 0; j < count; ++j) tile.s[r][j] += row[static_cast<std::ptrdiff_t>(tile.key_of(j)) * array.key];
    }
  }
}

}  // namespace

void add_listed_bias(const Plan& plan, const float* edges, std::size_t queries, ScoreTile& tile) noexcept {
  for_each_listed(plan, queries, tile, [&](std::size_t r, std::size_t j, std::uint32_t word, bool is_edge) {
    if (is_edge && edges == nullptr) return;
    tile.s[r][j] += is_edge ? edges[word] : std::bit_cast<float>(word);
  });
}

bool has_bias(const AttentionArgs& args, const ScoreTile& tile) noexcept {
  const AttentionVariant& variant = args.variant;
  return args.alibi_slopes != nullptr || args.has_float_mask() || has_listed_bias(args, tile) ||
         variant.relative_bias.data != nullptr || variant.bucket_bias.data != nullptr ||
         variant.gaussian_center.data != nullptr || variant.pair_bias.data != nullptr;
}

void add_bias(const AttentionArgs& args, ScoreTile& tile) noexcept {
  if (args.alibi_slopes != nullptr) add_alibi(args, tile);
  add_relative(args, tile, args.variant.relative_bias);
  add_relative(args, tile, args.variant.bucket_bias);
  if (args.variant.gaussian_center.data != nullptr) add_gaussian(args, tile);
  if (has_listed_bias(args, tile)) {
    const EdgeBiases& edges = args.variant.edge_biases;
    const float* const of_head = edges.data == nullptr ? nullptr : edges.of(tile.batch, tile.head);
    add_listed_bias(Plan(args.plans[tile.batch * args.heads + tile.head]), of_head, args.queries, tile);
  }
  add_pairs(args, args.variant.pair_bias, tile);
  add_pairs(args, args.float_mask, tile);
  add_pairs(args, args.key_float_mask, tile);
}

}  // namespace fovea

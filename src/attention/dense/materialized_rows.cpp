#include "attention/dense/materialized_rows.hpp"

#include <algorithm>

#include "attention/score/tile_masks.hpp"
#include "attention/softmax/normalized_rows.hpp"
#include "attention/softmax/weight_scale.hpp"
#include "core/infinity.hpp"

namespace fovea {
namespace {

/// panel <- the scores of one tile of keys
void keep_tile(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, const KeyTile& keys) noexcept {
  for (std::size_t strip = 0; strip < strips_of(block); ++strip) {
    if (!has_allowed_pair(args, block, strip, keys)) continue;
    const ScoreTile tile = score_tile(args, block, scratch, strip, keys, LogitStage::Biased);
    float* const rows = scratch.panel + strip * kMr * args.keys + keys.first;
    for (std::size_t r = 0; r < tile.queries; ++r) std::copy_n(tile.s[r], tile.keys, rows + r * args.keys);
  }
}

/// The block's sums of values over one tile of keys, weighed by the panel.
void sum_tile(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, KeyRange range,
              const KeyTile& keys) noexcept {
  const bool values_finite = pack_values(args, block, scratch, range, keys);
  for (std::size_t strip = 0; strip < strips_of(block); ++strip) {
    if (!has_allowed_pair(args, block, strip, keys)) continue;
    ScoreTile tile = strip_tile(block, strip, keys);
    mark_allowed(args, args.position_rules(tile.batch), tile);
    const float* const rows = scratch.panel + strip * kMr * args.keys + keys.first;
    for (std::size_t r = 0; r < kMr; ++r) {
      if (r < tile.queries) {
        std::copy_n(rows + r * args.keys, tile.keys, tile.s[r]);
      } else {
        std::fill_n(tile.s[r], tile.keys, 0.0f);
      }
    }
    const ValueSums sums = scratch.states.sums(strip * kMr);
    sum_values(tile, scratch, values_finite, sums);
    if (args.variant.relative_values.data != nullptr) sum_by_distance(args, tile, sums, scratch.states.value_floats());
  }
}

}  // namespace

void attend_materialized_rows(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch,
                              KeyRange range) noexcept {
  std::fill_n(scratch.panel, block.count * args.keys, kMinusInfinity);
  for_each_tile(args, block, range, [&](const KeyTile& keys) {
    pack_keys(args, block, scratch, keys);
    keep_tile(args, block, scratch, keys);
  });
  RowKind kinds[kQueryBlock];
  for (std::size_t i = 0; i < block.count; ++i) {
    float* const row = scratch.panel + i * args.keys;
    kinds[i] = normalize_row(args, row, args.keys, scratch.row);
    scale_weights(args, block.batch, block.head, block.first + i, {0, args.keys}, row);
  }
  for_each_tile(args, block, range, [&](const KeyTile& keys) { sum_tile(args, block, scratch, range, keys); });
  for (std::size_t i = 0; i < block.count; ++i) {
    float* const o = scratch.states.sums(i).o;
    add_relative_values(args, block.head, o, scratch.states.value_floats());
    write_normalized(args, block.batch, block.head, block.first + i, kinds[i], scratch.panel + i * args.keys, o);
  }
}

}  // namespace fovea

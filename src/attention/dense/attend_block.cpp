#include "attention/dense/attend_block.hpp"

#include <algorithm>

#include "attention/dense/block_tiles.hpp"
#include "attention/dense/materialized_rows.hpp"
#include "attention/score/store_scores.hpp"
#include "attention/score/tile_masks.hpp"
#include "attention/softmax/normalized_rows.hpp"
#include "attention/softmax/normalizer.hpp"
#include "attention/softmax/relative_values.hpp"
#include "attention/softmax/row_results.hpp"
#include "core/infinity.hpp"

namespace fovea {
namespace {

/// The block's running state over one tile of keys.
void attend_tile(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, KeyRange range,
                 const KeyTile& keys) noexcept {
  const bool sums = sums_values(args), values_finite = sums && pack_values(args, block, scratch, range, keys);
  for (std::size_t strip = 0; strip < strips_of(block); ++strip) {
    if (!has_allowed_pair(args, block, strip, keys)) continue;
    ScoreTile tile = score_tile(args, block, scratch, strip, keys, LogitStage::Biased);
    if (sums) store_scores_for_weights(args, tile);
    scratch.states.update(args, tile, strip * kMr);
    if (!sums) continue;
    const ValueSums rows = scratch.states.sums(strip * kMr);
    sum_values(tile, scratch, values_finite, rows);
    if (args.variant.relative_values.data != nullptr) sum_by_distance(args, tile, rows, scratch.states.value_floats());
  }
}

}  // namespace

void attend_block(const AttentionArgs& args, const QueryBlock& block, Workspace workspace) noexcept {
  const BlockScratch scratch(args, workspace);
  scratch.states.init(args, 0, strips_of(block) * kMr);
  pack_queries(args, block, scratch);
  const KeyRange range = args.position_rules(block.batch).keys_of(block.first, block.count);
  if (needs_full_row(args)) return attend_materialized_rows(args, block, scratch, range);

  float* const weights = weights_row(args, block.batch, block.head, block.first);
  if (weights != nullptr) std::fill_n(weights, block.count * args.keys, kMinusInfinity);
  for_each_tile(args, block, range, [&](const KeyTile& keys) {
    pack_keys(args, block, scratch, keys);
    attend_tile(args, block, scratch, range, keys);
  });
  for (std::size_t i = 0; i < block.count; ++i) scratch.states.finish(args, block.batch, block.head, block.first + i, i);
}

void write_logits(const AttentionArgs& args, const QueryBlock& block, LogitStage stage, float* logits,
                  Workspace workspace) noexcept {
  const BlockScratch scratch(args, workspace);
  pack_queries(args, block, scratch);
  for (std::size_t key = 0; key < args.keys; key += kKeyTile) {
    const KeyTile keys = key_tile(args, block, key);
    pack_keys(args, block, scratch, keys);
    for (std::size_t strip = 0; strip < strips_of(block); ++strip) {
      ScoreTile tile = score_tile(args, block, scratch, strip, keys, stage);
      mask_evicted(args, tile);
      store_scores(args, tile, logits);
    }
  }
}

}  // namespace fovea

#include "attention/query_block.hpp"

#include <algorithm>

#include "attention/block_tiles.hpp"
#include "attention/kept_scores.hpp"
#include "attention/normalized_rows.hpp"
#include "attention/normalizer.hpp"
#include "attention/relative_positions.hpp"
#include "attention/row_results.hpp"
#include "attention/whole_rows.hpp"
#include "core/infinity.hpp"

namespace fovea {
namespace {

/// The block's running state over one tile of keys.
void attend_tile(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, KeyRange range,
                 const KeyTile& keys) noexcept {
  const bool sums = sums_values(args), plain = sums && pack_values(args, block, scratch, range, keys);
  for (std::size_t strip = 0; strip < strips_of(block); ++strip) {
    if (!reaches(args, block, strip, keys)) continue;
    ScoreTile tile = score_tile(args, block, scratch, strip, keys, LogitStage::Biased);
    const RunningRows rows = scratch.rows_from(strip * kPanelRows);
    if (sums) keep_for_weights(args, tile);
    take_scores(args, tile, rows);
    if (!sums) continue;
    sum_values(tile, scratch, plain, rows);
    if (args.axes.relative_values.data != nullptr) sum_by_distance(args, tile, rows, scratch.value_floats);
  }
}

}  // namespace

void attend_block(const AttentionArgs& args, const QueryBlock& block, Workspace workspace) noexcept {
  const BlockScratch scratch = BlockScratch::take(args, workspace);
  for (std::size_t strip = 0; strip < strips_of(block); ++strip) start(scratch.rows_from(strip * kPanelRows), kPanelRows);
  pack_queries(args, block, scratch);
  const KeyRange range = allowed_keys(args, block.batch, block.first, block.count);
  if (is_row_global(args)) return attend_whole_rows(args, block, scratch, range);

  float* const weights = weights_row(args, block.batch, block.head, block.first);
  if (weights != nullptr) std::fill_n(weights, block.count * args.keys, kMinusInfinity);
  for_each_tile(args, block, range, [&](const KeyTile& keys) {
    pack_keys(args, block, scratch, keys);
    attend_tile(args, block, scratch, range, keys);
  });
  for (std::size_t i = 0; i < block.count; ++i)
    finish_row(args, block.batch, block.head, block.first + i, scratch.rows_from(i));
}

void write_logits(const AttentionArgs& args, const QueryBlock& block, LogitStage stage, float* logits,
                  Workspace workspace) noexcept {
  const BlockScratch scratch = BlockScratch::take(args, workspace);
  pack_queries(args, block, scratch);
  for (std::size_t key = 0; key < args.keys; key += kKeyTile) {
    const KeyTile keys = key_tile(args, block, key);
    pack_keys(args, block, scratch, keys);
    for (std::size_t strip = 0; strip < strips_of(block); ++strip) {
      ScoreTile tile = score_tile(args, block, scratch, strip, keys, stage);
      forbid_evicted(args, tile);
      keep_scores(args, tile, logits);
    }
  }
}

}  // namespace fovea

#pragma once
/// The steps of a block of queries over one tile of keys, which all normalizers share: packing, scores, sums of values.

#include <cstddef>

#include "attention/online_softmax.hpp"
#include "attention/query_block.hpp"
#include "attention/relative_positions.hpp"
#include "attention/score_tile.hpp"

namespace fovea {

/// The pieces of the workspace; their sizes are those of query_block_workspace_floats.
struct BlockScratch {
  float* q;      // row panels of the query block
  float* k;      // column panels of the key tile
  float* v;      // the same of values
  float* o;      // [block rows][running]: a value in panels and sums by distance, or the best scores
  float* m;      // [block rows]
  float* l;      // [block rows][4]
  float* panel;  // [queries of the block][keys]: scores of whole rows, where weights need them
  float* row;    // [keys]
  float* rows;   // of a tile of keys or values, where they are gathered
  RelativeProducts relative;
  std::size_t value_floats, running;

  static BlockScratch take(const AttentionArgs& args, Workspace& workspace) noexcept;

  /// The running state of the block's rows from i on.
  [[nodiscard]] RunningRows rows_from(std::size_t i) const noexcept { return {m + i, l + 4 * i, o + i * running, running}; }
};

/// The keys that a block's strips are multiplied with next.
struct KeyTile {
  std::size_t first, count;
  bool all_allowed;  // to every query of the block
};

[[nodiscard]] KeyTile key_tile(const AttentionArgs& args, const QueryBlock& block, std::size_t key) noexcept;

[[nodiscard]] inline std::size_t strips_of(const QueryBlock& block) noexcept {
  return (block.count + kPanelRows - 1) / kPanelRows;
}

/// Calls visit(keys) for the tiles of the range, ascending.
template <class Visit>
void for_each_tile(const AttentionArgs& args, const QueryBlock& block, KeyRange range, Visit visit) noexcept {
  const auto seen = [&](std::size_t key) { return skip_evicted(args, block.batch, block.first, key); };
  for (std::size_t key = seen(range.from / kKeyTile * kKeyTile); key < range.to; key = seen(key + kKeyTile)) {
    visit(key_tile(args, block, key));
  }
}

void pack_queries(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch) noexcept;
void pack_keys(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, const KeyTile& keys) noexcept;

/// Packs the values of the tile's keys. Returns whether a pair that is forbidden adds nothing to a sum, as with 0 · NaN it
/// would.
[[nodiscard]] bool pack_values(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, KeyRange range,
                               const KeyTile& keys) noexcept;

/// The tile of a strip, nothing known of it but its place.
[[nodiscard]] ScoreTile place_tile(const QueryBlock& block, std::size_t strip, const KeyTile& keys) noexcept;

/// False if the rules of place forbid all of the tile's keys to all queries of the strip, which then has nothing to do.
[[nodiscard]] bool reaches(const AttentionArgs& args, const QueryBlock& block, std::size_t strip, const KeyTile& keys) noexcept;

/// The scores of one strip and the packed keys as they stand after `stage`.
[[nodiscard]] ScoreTile score_tile(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch,
                                   std::size_t strip, const KeyTile& keys, LogitStage stage) noexcept;

/// o <- o + s v, of packed values; `plain` is what pack_values returned.
void sum_values(const ScoreTile& tile, const BlockScratch& scratch, bool plain, RunningRows rows) noexcept;

}  // namespace fovea

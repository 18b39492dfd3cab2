#pragma once
/// The steps of a block of queries over one tile of keys, which all normalizers share: packing, scores, sums of values.

#include <algorithm>
#include <cstddef>

#include "attention/problem/attention_args.hpp"
#include "attention/problem/query_block.hpp"
#include "attention/score/relative_keys.hpp"
#include "attention/score/score_tile.hpp"
#include "attention/score/tile_masks.hpp"
#include "attention/softmax/relative_values.hpp"
#include "attention/softmax/row_states.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// How many scores of whole rows, or what top-k keeps of them, a block holds at most; one row may be longer.
inline constexpr std::size_t kPanelScores = 262144;

/// The most queries that a block of this call has.
[[nodiscard]] std::size_t max_block_rows(const AttentionArgs& args) noexcept;

/// For one thread: independent of Tq, and of Tk but for a row longer than kPanelScores.
struct BlockScratch {
  float* q;  // row panels of the query block
  float* k;  // column panels of the key tile
  float* v;  // the same of values
  RowStates states;
  float* panel;  // [queries of the block][keys]: scores of whole rows, where weights need them
  float* row;    // [keys]
  float* rows;   // of a tile of keys or values, where they are gathered
  RelativeProducts relative;

  BlockScratch(const AttentionArgs& args, Workspace& workspace) noexcept;
};

/// The keys that a block's strips are multiplied with next.
struct KeyTile {
  std::size_t first, count;
  bool all_allowed;  // to every query of the block
};

[[nodiscard]] KeyTile key_tile(const AttentionArgs& args, const QueryBlock& block, std::size_t key) noexcept;

[[nodiscard]] inline std::size_t strips_of(const QueryBlock& block) noexcept { return (block.count + kMr - 1) / kMr; }

/// Calls visit(keys) for the tiles of the range and those of appended keys, ascending.
template <class Visit>
void for_each_tile(const AttentionArgs& args, const QueryBlock& block, KeyRange range, Visit visit) noexcept {
  const auto seen = [&](std::size_t key) { return skip_evicted(args, block.batch, block.first, key); };
  std::size_t key = seen(range.from / kKeyTile * kKeyTile);
  for (; key < range.to; key = seen(key + kKeyTile)) visit(key_tile(args, block, key));
  if (args.appended_keys == 0) return;
  key = std::max(key, args.positioned_keys() / kKeyTile * kKeyTile);
  for (; key < args.keys; key += kKeyTile) visit(key_tile(args, block, key));
}

void pack_queries(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch) noexcept;
void pack_keys(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, const KeyTile& keys) noexcept;

/// Packs the values of the tile's keys. Returns whether all values are finite, so a weight of 0 is safe.
[[nodiscard]] bool pack_values(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, KeyRange range,
                               const KeyTile& keys) noexcept;

/// The tile of a strip, scores and masks not written.
[[nodiscard]] ScoreTile strip_tile(const QueryBlock& block, std::size_t strip, const KeyTile& keys) noexcept;

/// False if the positional mask forbids all of the tile's keys to all queries of the strip: the tile is skipped.
[[nodiscard]] bool has_allowed_pair(const AttentionArgs& args, const QueryBlock& block, std::size_t strip,
                                    const KeyTile& keys) noexcept;

/// The scores of one strip and the packed keys as they stand after `stage`.
[[nodiscard]] ScoreTile score_tile(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch,
                                   std::size_t strip, const KeyTile& keys, LogitStage stage) noexcept;

/// o <- o + s v, of packed values; `values_finite` is what pack_values returned.
void sum_values(const ScoreTile& tile, const BlockScratch& scratch, bool values_finite, ValueSums sums) noexcept;

}  // namespace fovea

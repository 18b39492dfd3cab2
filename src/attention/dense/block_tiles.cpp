#include "attention/dense/block_tiles.hpp"

#include <algorithm>

#include "attention/score/key_rows.hpp"
#include "attention/score/score_mods.hpp"
#include "attention/score/score_products.hpp"
#include "attention/softmax/normalizer.hpp"
#include "gemm/panels.hpp"

namespace fovea {
namespace {

/// From the first to the last of a tile's keys that are in the range or appended, counted from the tile's first.
KeyRange allowed_part(const AttentionArgs& args, const KeyRange& range, const KeyTile& keys) noexcept {
  const std::size_t end = keys.first + keys.count, positioned = args.positioned_keys();
  KeyRange part = {std::clamp(range.from, keys.first, end), std::clamp(range.to, keys.first, end)};
  if (end > positioned) {
    if (part.from == part.to) part.from = std::max(positioned, keys.first);
    part.to = end;
  }
  return {part.from - keys.first, part.to - keys.first};
}

/// In whole strips.
std::size_t block_rows(const AttentionArgs& args) noexcept {
  return round_up(std::min(max_block_rows(args), args.queries), kMr);
}

}  // namespace

std::size_t max_block_rows(const AttentionArgs& args) noexcept {
  const std::size_t of_row = needs_full_row(args) ? args.keys : row_state(args) == RowState::TopK ? top_k_of(args) : 0;
  return of_row == 0 ? kQueryBlock : std::clamp<std::size_t>(kPanelScores / of_row, 1, kQueryBlock);
}

BlockScratch::BlockScratch(const AttentionArgs& args, Workspace& workspace) noexcept
    : q(workspace.take<float>(block_rows(args), args.width)),
      k(workspace.take<float>(kKeyTile, args.width)),
      v(workspace.take<float>(kKeyTile, round_up(args.value_width, kNr))),
      states(args, block_rows(args), workspace),
      panel(workspace.take<float>(needs_full_row(args) ? std::min(max_block_rows(args), args.queries) : 0, args.keys)),
      row(workspace.take<float>(needs_full_row(args) ? args.keys : 0)),
      rows(take_key_rows(args, workspace)),
      relative(args, block_rows(args), workspace) {}

void pack_queries(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch) noexcept {
  for (std::size_t s = 0; s < strips_of(block); ++s) {
    const std::size_t i = s * kMr;
    pack_query_panel(args, {args.q.row(block.batch, block.head, block.first + i), args.q.token}, std::min(kMr, block.count - i),
                     scratch.q + i * args.width);
  }
  scratch.relative.multiply(args, block.head, scratch.q, strips_of(block));
}

KeyTile key_tile(const AttentionArgs& args, const QueryBlock& block, std::size_t key) noexcept {
  return {key, std::min(kKeyTile, args.keys - key), allows_all(args, block.batch, block.first, block.count, key)};
}

ScoreTile strip_tile(const QueryBlock& block, std::size_t strip, const KeyTile& keys) noexcept {
  const std::size_t row = strip * kMr;
  return {block, {block.first + row, std::min(kMr, block.count - row)}, kMr, {keys.first, keys.count}};
}

bool has_allowed_pair(const AttentionArgs& args, const QueryBlock& block, std::size_t strip, const KeyTile& keys) noexcept {
  if (keys.all_allowed) return true;
  const std::size_t first = strip * kMr;
  if (all_evicted(args, block.batch, block.first + first, keys.first, keys.count)) return false;
  const KeyRange range = args.position_rules(block.batch).keys_of(block.first + first, std::min(kMr, block.count - first));
  return may_attend(args, range, {keys.first, keys.first + keys.count});
}

ScoreTile score_tile(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, std::size_t strip,
                     const KeyTile& keys, LogitStage stage) noexcept {
  ScoreTile tile = strip_tile(block, strip, keys);
  scratch.relative.set(tile, strip * kMr);
  if (keys.all_allowed) {
    mark_all_allowed(tile);
  } else {
    mark_allowed(args, args.position_rules(tile.batch), tile);
  }
  multiply_packed(args, block.head, scratch.q + strip * kMr * args.width, scratch.k, (tile.keys + kNr - 1) / kNr, tile.s[0]);
  apply_score_mods(args, tile, stage);
  return tile;
}

void pack_keys(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, const KeyTile& keys) noexcept {
  const StoredRows rows = StoredRows::keys(args, block.batch, block.kv_head);
  pack_key_panels(args, key_rows(args.kv_layout, rows, {keys.first, keys.count}, scratch.rows), keys.count, scratch.k);
}

bool pack_values(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, KeyRange range,
                 const KeyTile& keys) noexcept {
  // Values that no query of the block may see are packed as zeros: what they hold cannot matter.
  const KeyRange seen = allowed_part(args, range, keys);
  const StoredRows rows = StoredRows::values(args, block.batch, block.kv_head);
  pack_columns(key_rows(args.kv_layout, rows, {keys.first, keys.count}, scratch.rows), keys.count, args.value_width, seen.from,
               seen.to, scratch.v);
  return keys.all_allowed || all_finite(scratch.v, keys.count, args.value_width);
}

void sum_values(const ScoreTile& tile, const BlockScratch& scratch, bool values_finite, ValueSums sums) noexcept {
  if (values_finite || tile.all_allowed) {
    accumulate_rows(tile.s[0], scratch.v, tile.keys, tile.keys, scratch.states.value_floats() / kNr, sums.o, sums.stride);
  } else {
    accumulate_allowed(tile, scratch.v, scratch.states.value_floats() / kNr, sums);
  }
}

}  // namespace fovea

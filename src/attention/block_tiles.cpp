#include "attention/block_tiles.hpp"

#include <algorithm>

#include "attention/key_rows.hpp"
#include "attention/normalizer.hpp"
#include "attention/score_products.hpp"
#include "ops/panels.hpp"

namespace fovea {
namespace {

/// In whole strips.
std::size_t block_rows(const AttentionArgs& args) noexcept {
  return round_up(std::min(most_block_rows(args), args.queries), kPanelRows);
}

/// Floats that a row's running state keeps beside m and l: sums of values, or the best scores with their keys.
std::size_t running_floats(const AttentionArgs& args) noexcept {
  if (args.axes.normalizer.kind == NormalizerKind::TopK) return sizeof(Ranked) / sizeof(float) * most_kept(args);
  return round_up(args.value_width, kPanelColumns) + distance_floats(args);
}

/// Of the panel of a block's scores, and of the scratch in which one row of it is normalized.
std::size_t panel_floats(const AttentionArgs& args) noexcept {
  return is_row_global(args) ? std::min(most_block_rows(args), args.queries) * args.keys : 0;
}
std::size_t panel_row_floats(const AttentionArgs& args) noexcept { return is_row_global(args) ? args.keys : 0; }

}  // namespace

std::size_t most_block_rows(const AttentionArgs& args) noexcept {
  const std::size_t of_row = is_row_global(args)                                 ? args.keys
                             : args.axes.normalizer.kind == NormalizerKind::TopK ? most_kept(args)
                                                                                 : 0;
  return of_row == 0 ? kQueryBlock : std::clamp<std::size_t>(kPanelScores / of_row, 1, kQueryBlock);
}

std::size_t query_block_workspace_floats(const AttentionArgs& args) noexcept {
  const std::size_t rows = block_rows(args), value_floats = round_up(args.value_width, kPanelColumns);
  return workspace_round(rows * args.width) + workspace_round(kKeyTile * args.width) +
         workspace_round(kKeyTile * value_floats) + workspace_round(rows * running_floats(args)) + workspace_round(rows) +
         workspace_round(4 * rows) + workspace_round(panel_floats(args)) + workspace_round(panel_row_floats(args)) +
         RelativeProducts::workspace_floats(args, rows) + workspace_round(key_rows_floats(args));
}

BlockScratch BlockScratch::take(const AttentionArgs& args, Workspace& workspace) noexcept {
  BlockScratch scratch;
  const std::size_t rows = block_rows(args);
  scratch.value_floats = round_up(args.value_width, kPanelColumns);
  scratch.running = running_floats(args);
  scratch.q = workspace.take(rows * args.width);
  scratch.k = workspace.take(kKeyTile * args.width);
  scratch.v = workspace.take(kKeyTile * scratch.value_floats);
  scratch.o = workspace.take(rows * scratch.running);
  scratch.m = workspace.take(rows);
  scratch.l = workspace.take(4 * rows);
  scratch.panel = workspace.take(panel_floats(args));
  scratch.row = workspace.take(panel_row_floats(args));
  scratch.relative = RelativeProducts::take(args, rows, workspace);
  scratch.rows = workspace.take(key_rows_floats(args));
  return scratch;
}

void pack_queries(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch) noexcept {
  for (std::size_t s = 0; s < strips_of(block); ++s) {
    const std::size_t i = s * kPanelRows;
    pack_query_panel(args, {args.q.row(block.batch, block.head, block.first + i), args.q.token},
                     std::min(kPanelRows, block.count - i), scratch.q + i * args.width);
  }
  scratch.relative.multiply(args, block.head, scratch.q, strips_of(block));
}

KeyTile key_tile(const AttentionArgs& args, const QueryBlock& block, std::size_t key) noexcept {
  return {key, std::min(kKeyTile, args.keys - key), allows_all(args, block.batch, block.first, block.count, key)};
}

ScoreTile place_tile(const QueryBlock& block, std::size_t strip, const KeyTile& keys) noexcept {
  ScoreTile tile;
  tile.batch = block.batch;
  tile.head = block.head;
  tile.kv_head = block.kv_head;
  tile.rows = kPanelRows;
  tile.query = block.first + strip * kPanelRows;
  tile.queries = std::min(kPanelRows, block.count - strip * kPanelRows);
  tile.key = keys.first;
  tile.keys = keys.count;
  return tile;
}

bool reaches(const AttentionArgs& args, const QueryBlock& block, std::size_t strip, const KeyTile& keys) noexcept {
  if (keys.all_allowed) return true;
  const std::size_t first = strip * kPanelRows;
  if (all_evicted(args, block.batch, block.first + first, keys.first, keys.count)) return false;
  const KeyRange range = allowed_keys(args, block.batch, block.first + first, std::min(kPanelRows, block.count - first));
  return range.from < keys.first + keys.count && range.to > keys.first;
}

ScoreTile score_tile(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, std::size_t strip,
                     const KeyTile& keys, LogitStage stage) noexcept {
  ScoreTile tile = place_tile(block, strip, keys);
  scratch.relative.set(tile, strip * kPanelRows);
  if (keys.all_allowed) {
    mark_all_allowed(tile);
  } else {
    mark_allowed(args, tile);
  }
  multiply_packed(args, block.head, scratch.q + strip * kPanelRows * args.width, scratch.k,
                  (tile.keys + kPanelColumns - 1) / kPanelColumns, tile.s[0]);
  finish_scores(args, tile, stage);
  return tile;
}

void pack_keys(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, const KeyTile& keys) noexcept {
  const StoredRows rows = StoredRows::keys(args, block.batch, block.kv_head);
  pack_key_panels(args, key_rows(args.store, rows, {keys.first, keys.count}, scratch.rows), keys.count, scratch.k);
}

bool pack_values(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch, KeyRange range,
                 const KeyTile& keys) noexcept {
  // Values that no query of the block may see are packed as zeros: what they hold cannot matter.
  const std::size_t from = std::max(range.from, keys.first) - keys.first;
  const std::size_t to = std::min(range.to, keys.first + keys.count) - keys.first;
  const StoredRows rows = StoredRows::values(args, block.batch, block.kv_head);
  pack_columns(key_rows(args.store, rows, {keys.first, keys.count}, scratch.rows), keys.count, args.value_width, from, to,
               scratch.v);
  return keys.all_allowed || all_finite(scratch.v, keys.count, args.value_width);
}

void sum_values(const ScoreTile& tile, const BlockScratch& scratch, bool plain, RunningRows rows) noexcept {
  if (plain || tile.all_allowed) {
    accumulate_rows(tile.s[0], scratch.v, tile.keys, tile.keys, scratch.value_floats / kPanelColumns, rows.o, rows.stride);
  } else {
    accumulate_allowed(tile, scratch.v, scratch.value_floats / kPanelColumns, rows);
  }
}

}  // namespace fovea

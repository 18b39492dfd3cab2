#include "attention/query_block.hpp"

#include <algorithm>

#include "attention/kept_scores.hpp"
#include "attention/key_rows.hpp"
#include "attention/online_softmax.hpp"
#include "attention/row_results.hpp"
#include "attention/score_tile.hpp"
#include "core/infinity.hpp"
#include "ops/panels.hpp"

namespace fovea {
namespace {

std::size_t block_rows(const AttentionArgs& args) noexcept { return std::min(kQueryBlock, round_up(args.queries, kPanelRows)); }

/// The pieces of the workspace; their sizes are those of query_block_workspace_floats.
struct Scratch {
  float* q;  // row panels of the query block
  float* k;  // column panels of the key tile
  float* v;
  float* o;     // [block rows][out_stride]
  float* m;     // [block rows]
  float* l;     // [block rows][4]
  float* rows;  // of a tile, where they are gathered
  std::size_t out_stride;

  static Scratch take(const AttentionArgs& args, Workspace& workspace) noexcept {
    Scratch scratch;
    const std::size_t rows = block_rows(args);
    scratch.out_stride = round_up(args.value_width, kPanelColumns);
    scratch.q = workspace.take(rows * args.width);
    scratch.k = workspace.take(kKeyTile * args.width);
    scratch.v = workspace.take(kKeyTile * scratch.out_stride);
    scratch.o = workspace.take(rows * scratch.out_stride);
    scratch.m = workspace.take(rows);
    scratch.l = workspace.take(4 * rows);
    scratch.rows = workspace.take(key_rows_floats(args));
    return scratch;
  }
};

std::size_t strips_of(const QueryBlock& block) noexcept { return (block.count + kPanelRows - 1) / kPanelRows; }

void pack_queries(const AttentionArgs& args, const QueryBlock& block, float* panels) noexcept {
  for (std::size_t s = 0; s < strips_of(block); ++s) {
    const std::size_t i = s * kPanelRows;
    pack_row_panel({args.q.row(block.batch, block.head, block.first + i), args.q.token}, std::min(kPanelRows, block.count - i),
                   args.width, query_scale(args), panels + i * args.width);
  }
}

/// The keys that a block's strips are multiplied with next.
struct KeyTile {
  std::size_t first, count;
  bool all_allowed;  // to every query of the block
};

KeyTile key_tile(const AttentionArgs& args, const QueryBlock& block, std::size_t key) noexcept {
  return {key, std::min(kKeyTile, args.keys - key), allows_all(args, block.batch, block.first, block.count, key)};
}

void pack_keys(const AttentionArgs& args, const QueryBlock& block, const KeyTile& keys, const Scratch& scratch) noexcept {
  const StoredRows rows = StoredRows::keys(args, block.batch, block.kv_head);
  pack_columns_of_transpose(key_rows(args.store, rows, {keys.first, keys.count}, scratch.rows), keys.count, args.width,
                            scratch.k);
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

/// False if the rules of place forbid all of the tile's keys to all queries of the strip, which then has nothing to do.
bool reaches(const AttentionArgs& args, const QueryBlock& block, std::size_t strip, const KeyTile& keys) noexcept {
  if (keys.all_allowed) return true;
  const std::size_t first = strip * kPanelRows;
  if (all_evicted(args, block.batch, block.first + first, keys.first, keys.count)) return false;
  const KeyRange range = allowed_keys(args, block.batch, block.first + first, std::min(kPanelRows, block.count - first));
  return range.from < keys.first + keys.count && range.to > keys.first;
}

/// The scores of one strip and the packed keys as they stand after `stage`.
ScoreTile score_tile(const AttentionArgs& args, const QueryBlock& block, const Scratch& scratch, std::size_t strip,
                     const KeyTile& keys, LogitStage stage) noexcept {
  ScoreTile tile = place_tile(block, strip, keys);
  if (keys.all_allowed) {
    mark_all_allowed(tile);
  } else {
    mark_allowed(args, tile);
  }
  multiply_panels(scratch.q + strip * kPanelRows * args.width, scratch.k, args.width,
                  (tile.keys + kPanelColumns - 1) / kPanelColumns, tile.s[0], kKeyTile);
  finish_scores(args, tile, stage);
  return tile;
}

RunningRows running_rows(const Scratch& scratch, std::size_t strip) noexcept {
  const std::size_t row = strip * kPanelRows;
  return {scratch.m + row, scratch.l + 4 * row, scratch.o + row * scratch.out_stride, scratch.out_stride};
}

/// The block's running sums over one tile of keys.
void attend_tile(const AttentionArgs& args, const QueryBlock& block, const Scratch& scratch, KeyRange range,
                 std::size_t key) noexcept {
  const KeyTile keys = key_tile(args, block, key);
  pack_keys(args, block, keys, scratch);

  // Values that no query of the block may see are packed as zeros: what they hold cannot matter.
  const std::size_t from = std::max(range.from, key) - key, to = std::min(range.to, key + keys.count) - key;
  const StoredRows values = StoredRows::values(args, block.batch, block.kv_head);
  pack_columns(key_rows(args.store, values, {key, keys.count}, scratch.rows), keys.count, args.value_width, from, to,
               scratch.v);
  // Only where a pair is forbidden does it matter: 0 · NaN.
  const bool plain = keys.all_allowed || all_finite(scratch.v, keys.count, args.value_width);

  for (std::size_t strip = 0; strip < strips_of(block); ++strip) {
    if (!reaches(args, block, strip, keys)) continue;
    ScoreTile tile = score_tile(args, block, scratch, strip, keys, LogitStage::Biased);
    const RunningRows rows = running_rows(scratch, strip);
    keep_for_weights(args, tile);
    raise(tile, rows);
    exponentiate(tile, rows);
    if (plain || tile.all_allowed) {
      accumulate_rows(tile.s[0], scratch.v, keys.count, keys.count, scratch.out_stride / kPanelColumns, rows.o,
                      scratch.out_stride);
    } else {
      accumulate_allowed(tile, scratch.v, rows);
    }
  }
}

}  // namespace

std::size_t query_block_workspace_floats(const AttentionArgs& args) noexcept {
  const std::size_t rows = block_rows(args), out_stride = round_up(args.value_width, kPanelColumns);
  return workspace_round(rows * args.width) + workspace_round(kKeyTile * args.width) + workspace_round(kKeyTile * out_stride) +
         workspace_round(rows * out_stride) + workspace_round(rows) + workspace_round(4 * rows) +
         workspace_round(key_rows_floats(args));
}

void attend_block(const AttentionArgs& args, const QueryBlock& block, Workspace workspace) noexcept {
  const Scratch scratch = Scratch::take(args, workspace);
  float* const weights = weights_row(args, block.batch, block.head, block.first);
  if (weights != nullptr) std::fill_n(weights, block.count * args.keys, kMinusInfinity);

  for (std::size_t strip = 0; strip < strips_of(block); ++strip) start(running_rows(scratch, strip), kPanelRows);
  pack_queries(args, block, scratch.q);
  const KeyRange range = allowed_keys(args, block.batch, block.first, block.count);
  const auto seen = [&](std::size_t key) { return skip_evicted(args, block.batch, block.first, key); };
  for (std::size_t key = seen(range.from / kKeyTile * kKeyTile); key < range.to; key = seen(key + kKeyTile)) {
    attend_tile(args, block, scratch, range, key);
  }
  for (std::size_t i = 0; i < block.count; ++i) {
    write_row(args, block.batch, block.head, block.first + i, scratch.m[i], scratch.l + 4 * i,
              scratch.o + i * scratch.out_stride);
  }
}

void write_logits(const AttentionArgs& args, const QueryBlock& block, LogitStage stage, float* logits,
                  Workspace workspace) noexcept {
  const Scratch scratch = Scratch::take(args, workspace);
  pack_queries(args, block, scratch.q);
  for (std::size_t key = 0; key < args.keys; key += kKeyTile) {
    const KeyTile keys = key_tile(args, block, key);
    pack_keys(args, block, keys, scratch);
    for (std::size_t strip = 0; strip < strips_of(block); ++strip) {
      ScoreTile tile = score_tile(args, block, scratch, strip, keys, stage);
      forbid_evicted(args, tile);
      keep_scores(args, tile, logits);
    }
  }
}

}  // namespace fovea

#include "attention/attention.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "attention/online_softmax.hpp"
#include "attention/score_tile.hpp"
#include "core/infinity.hpp"
#include "ops/dot.hpp"
#include "ops/panels.hpp"

namespace fovea {
namespace {

/// Queries that share one packing of a key tile. 132, whole strips: packing K and V then costs a thirtieth of the products.
constexpr std::size_t kQueryBlock = 132;

Status check(const AttentionArgs& args) noexcept {
  if (args.width == 0 || args.kv_heads == 0 || args.heads % args.kv_heads != 0) return Status::Shape;
  if (!std::isfinite(args.scale) || !(args.softcap >= 0.0f) || !std::isfinite(args.softcap)) return Status::Value;
  if (args.window_left < kUnbounded || args.window_right < kUnbounded) return Status::Value;
  for (std::size_t b = 0; args.key_lengths != nullptr && b < args.batch; ++b) {
    if (args.key_lengths[b] < 0 || static_cast<std::size_t>(args.key_lengths[b]) > args.keys) return Status::Value;
  }
  return Status::Ok;
}

std::size_t block_rows(const AttentionArgs& args) noexcept { return std::min(kQueryBlock, round_up(args.queries, kPanelRows)); }

/// The pieces of the workspace; their sizes are those of attention_workspace_floats.
struct Scratch {
  float* q;  // row panels of the query block
  float* k;  // column panels of the key tile
  float* v;
  float* o;  // [block rows][out_stride]
  float* m;  // [block rows]
  float* l;  // [block rows][4]
  std::size_t out_stride;

  static bool take(const AttentionArgs& args, Workspace& workspace, Scratch& scratch) noexcept {
    const std::size_t rows = block_rows(args);
    scratch.out_stride = round_up(args.value_width, kPanelColumns);
    scratch.q = workspace.take(rows * args.width);
    scratch.k = workspace.take(kKeyTile * args.width);
    scratch.v = workspace.take(kKeyTile * scratch.out_stride);
    scratch.o = workspace.take(rows * scratch.out_stride);
    scratch.m = workspace.take(rows);
    scratch.l = workspace.take(4 * rows);
    return workspace.sufficed();
  }
};

/// A run of queries of one head, which walks over the keys together.
struct QueryBlock {
  std::size_t batch, head, kv_head;
  std::size_t first, count;

  [[nodiscard]] std::size_t strips() const noexcept { return (count + kPanelRows - 1) / kPanelRows; }
};

/// Calls `visit(block)` for all queries of all heads, in order.
template <class Visit>
void for_each_block(const AttentionArgs& args, Visit visit) noexcept {
  const std::size_t group = args.heads / args.kv_heads;
  const std::size_t to = std::min(args.query_to, args.queries);
  for (std::size_t b = 0; b < args.batch; ++b) {
    for (std::size_t h = 0; h < args.heads; ++h) {
      for (std::size_t i = args.query_from; i < to; i += kQueryBlock) {
        visit(QueryBlock{b, h, h / group, i, std::min(kQueryBlock, to - i)});
      }
    }
  }
}

/// The scale is folded into the queries, unless there is a cap: then the finished scores are scaled, with one rounding each.
void pack_queries(const AttentionArgs& args, const QueryBlock& block, float* panels) noexcept {
  const float scale = args.softcap > 0.0f ? 1.0f : args.scale;
  for (std::size_t s = 0; s < block.strips(); ++s) {
    const std::size_t i = s * kPanelRows;
    pack_row_panel(args.q.row(block.batch, block.head, block.first + i), args.q.token, std::min(kPanelRows, block.count - i),
                   args.width, scale, panels + i * args.width);
  }
}

/// Keys [from, to) that any query of the block may attend to, by the rules of place.
KeyRange block_keys(const AttentionArgs& args, const QueryBlock& block) noexcept {
  KeyRange all = {args.keys, 0};
  for (std::size_t i = 0; i < block.count; ++i) {
    const KeyRange one = allowed_keys(args, block.batch, block.first + i);
    if (one.from == one.to) continue;
    all = {std::min(all.from, one.from), std::max(all.to, one.to)};
  }
  return all.from < all.to ? all : KeyRange{0, 0};
}

/// The keys that a block's strips are multiplied with next.
struct KeyTile {
  std::size_t first, count;
  bool all_allowed;  // to every query of the block
};

KeyTile key_tile(const AttentionArgs& args, const QueryBlock& block, std::size_t key) noexcept {
  return {key, std::min(kKeyTile, args.keys - key), allows_all(args, block.batch, block.first, block.count, key)};
}

ScoreTile place_tile(const QueryBlock& block, std::size_t strip, const KeyTile& keys) noexcept {
  ScoreTile tile;
  tile.batch = block.batch;
  tile.head = block.head;
  tile.query = block.first + strip * kPanelRows;
  tile.queries = std::min(kPanelRows, block.count - strip * kPanelRows);
  tile.key = keys.first;
  tile.keys = keys.count;
  return tile;
}

/// s <- scale q kᵀ; columns past the last panel are not written.
void multiply(const AttentionArgs& args, const Scratch& scratch, std::size_t strip, ScoreTile& tile) noexcept {
  multiply_panels(scratch.q + strip * kPanelRows * args.width, scratch.k, args.width,
                  (tile.keys + kPanelColumns - 1) / kPanelColumns, tile.s[0], kKeyTile);
  if (args.softcap > 0.0f) scale_scores(args, tile);
}

/// s <- scale q kᵀ in double, where float32 is not enough
void refine_large_scores(const AttentionArgs& args, const QueryBlock& block, ScoreTile& tile) noexcept {
  if (!may_have_large_scores(tile)) return;
  for (std::size_t r = 0; r < tile.queries; ++r) {
    const float* const query = args.q.row(block.batch, block.head, tile.query + r);
    for (std::uint64_t large = large_scores(tile, r); large != 0; large &= large - 1) {
      const auto j = static_cast<std::size_t>(std::countr_zero(large));
      const float* const key = args.k.row(block.batch, block.kv_head, tile.key + j);
      tile.s[r][j] = static_cast<float>(dot_in_double(query, key, args.width) * static_cast<double>(args.scale));
    }
  }
  find_highest(tile);
}

bool has_biases(const AttentionArgs& args) noexcept { return args.alibi_slopes != nullptr || args.float_mask.data != nullptr; }

void add_biases(const AttentionArgs& args, ScoreTile& tile) noexcept {
  if (args.alibi_slopes != nullptr) add_alibi(args, tile);
  if (args.float_mask.data != nullptr) add_float_mask(args, tile);
}

/// The scores of one strip and the packed keys as they stand after `stage`.
ScoreTile score_tile(const AttentionArgs& args, const QueryBlock& block, const Scratch& scratch, std::size_t strip,
                     const KeyTile& keys, LogitStage stage) noexcept {
  ScoreTile tile = place_tile(block, strip, keys);
  if (keys.all_allowed)
    mark_all_allowed(tile);
  else
    mark_allowed(args, tile);
  multiply(args, scratch, strip, tile);
  find_highest(tile);
  refine_large_scores(args, block, tile);
  if (stage == LogitStage::Raw) return tile;
  if (args.softcap > 0.0f) cap(args, tile);
  if (stage == LogitStage::Capped) return tile;
  add_biases(args, tile);
  if (!tile.all_allowed) forbid(tile);
  if (args.softcap > 0.0f || has_biases(args)) find_highest(tile);
  return tile;
}

/// rows[r][key ...] <- s[r], in rows of all keys
void keep_scores(const AttentionArgs& args, const ScoreTile& tile, float* rows) noexcept {
  for (std::size_t r = 0; r < tile.queries; ++r) std::copy_n(tile.s[r], tile.keys, rows + r * args.keys + tile.key);
}

RunningRows running_rows(const Scratch& scratch, std::size_t strip) noexcept {
  const std::size_t row = strip * kPanelRows;
  return {scratch.m + row, scratch.l + 4 * row, scratch.o + row * scratch.out_stride, scratch.out_stride};
}

/// The block's running sums over one tile of keys, scores kept in `weights` where they are asked for.
void attend_tile(const AttentionArgs& args, const QueryBlock& block, const Scratch& scratch, KeyRange range, std::size_t key,
                 float* weights) noexcept {
  const KeyTile keys = key_tile(args, block, key);
  pack_columns_of_transpose(args.k.row(block.batch, block.kv_head, key), args.k.token, keys.count, args.width, scratch.k);

  // Values that no query of the block may see are packed as zeros: what they hold cannot matter.
  const std::size_t from = std::max(range.from, key) - key, to = std::min(range.to, key + keys.count) - key;
  const bool finite = pack_columns(args.v.row(block.batch, block.kv_head, key), args.v.token, keys.count, args.value_width,
                                   from, to, scratch.v);

  for (std::size_t strip = 0; strip < block.strips(); ++strip) {
    ScoreTile tile = score_tile(args, block, scratch, strip, keys, LogitStage::Biased);
    const RunningRows rows = running_rows(scratch, strip);
    if (weights != nullptr) keep_scores(args, tile, weights + strip * kPanelRows * args.keys);

    raise_and_exponentiate(tile, rows);
    if (finite || tile.all_allowed) {
      accumulate_rows(tile.s[0], scratch.v, keys.count, scratch.out_stride / kPanelColumns, rows.o, scratch.out_stride);
    } else {
      accumulate_allowed(tile, scratch.v, rows);
    }
  }
}

void attend_block(const AttentionArgs& args, const QueryBlock& block, const Scratch& scratch) noexcept {
  const std::size_t first_row = (block.batch * args.heads + block.head) * args.queries + block.first;
  float* const weights = args.weights != nullptr ? args.weights + first_row * args.keys : nullptr;
  if (weights != nullptr) std::fill_n(weights, block.count * args.keys, kMinusInfinity);

  for (std::size_t strip = 0; strip < block.strips(); ++strip) start(running_rows(scratch, strip));
  pack_queries(args, block, scratch.q);
  const KeyRange range = block_keys(args, block);
  for (std::size_t key = range.from / kKeyTile * kKeyTile; key < range.to; key += kKeyTile) {
    attend_tile(args, block, scratch, range, key, weights);
  }

  const float sink = args.sinks != nullptr ? args.sinks[block.head] : kMinusInfinity;
  for (std::size_t i = 0; i < block.count; ++i) {
    const RowNormalizer row = finish(scratch.m[i], scratch.l + 4 * i, sink);
    normalize_output(row, scratch.o + i * scratch.out_stride, args.value_width,
                     args.output.row(block.batch, block.head, block.first + i));
    if (args.lse != nullptr) args.lse[first_row + i] = row.lse;
    if (weights != nullptr) normalize_weights(row, args.keys, weights + i * args.keys);
  }
}

void write_logits(const AttentionArgs& args, const QueryBlock& block, const Scratch& scratch, LogitStage stage,
                  float* logits) noexcept {
  const std::size_t first_row = (block.batch * args.heads + block.head) * args.queries + block.first;
  pack_queries(args, block, scratch.q);
  for (std::size_t key = 0; key < args.keys; key += kKeyTile) {
    const KeyTile keys = key_tile(args, block, key);
    pack_columns_of_transpose(args.k.row(block.batch, block.kv_head, key), args.k.token, keys.count, args.width, scratch.k);
    for (std::size_t strip = 0; strip < block.strips(); ++strip) {
      const ScoreTile tile = score_tile(args, block, scratch, strip, keys, stage);
      keep_scores(args, tile, logits + (first_row + strip * kPanelRows) * args.keys);
    }
  }
}

}  // namespace

std::size_t attention_workspace_floats(const AttentionArgs& args) noexcept {
  const std::size_t rows = block_rows(args), out_stride = round_up(args.value_width, kPanelColumns);
  return workspace_round(rows * args.width) + workspace_round(kKeyTile * args.width) + workspace_round(kKeyTile * out_stride) +
         workspace_round(rows * out_stride) + workspace_round(rows) + workspace_round(4 * rows);
}

Status attention(const AttentionArgs& args, Workspace workspace) noexcept {
  if (const Status status = check(args); status != Status::Ok) return status;
  Scratch scratch;
  if (!Scratch::take(args, workspace, scratch)) return Status::Memory;
  for_each_block(args, [&](const QueryBlock& block) { attend_block(args, block, scratch); });
  return Status::Ok;
}

Status attention_logits(const AttentionArgs& args, LogitStage stage, float* logits, Workspace workspace) noexcept {
  if (const Status status = check(args); status != Status::Ok) return status;
  Scratch scratch;
  if (!Scratch::take(args, workspace, scratch)) return Status::Memory;
  for_each_block(args, [&](const QueryBlock& block) { write_logits(args, block, scratch, stage, logits); });
  return Status::Ok;
}

}  // namespace fovea

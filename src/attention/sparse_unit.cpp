#include "attention/sparse_unit.hpp"

#include <algorithm>

#include "attention/kept_scores.hpp"
#include "attention/key_rows.hpp"
#include "attention/online_softmax.hpp"
#include "attention/pattern/plan.hpp"
#include "attention/query_block.hpp"
#include "attention/row_results.hpp"
#include "attention/score_tile.hpp"
#include "core/infinity.hpp"
#include "ops/listed_rows.hpp"
#include "ops/panels.hpp"

namespace fovea {
namespace {

constexpr std::size_t kLanes = 4;

std::size_t out_stride_of(const AttentionArgs& args) noexcept { return round_up(args.value_width, kPanelColumns); }

/// What is done to a unit's tiles and edges: the rows, their panels, and where the sums run.
struct Block {
  const AttentionArgs& args;
  const SparseUnit& unit;
  StoredRows stored_keys, stored_values;
  PlanReader plan;
  std::size_t stride;  // of o
  float* q;            // row panels
  float* k;            // column panels of a tile
  float* v;
  float* o;
  float* m;
  float* l;
  float* query;     // one, scaled
  float* gathered;  // rows of a tile or of edges

  Block(const AttentionArgs& given, const SparseUnit& which, Workspace& workspace) noexcept
      : args(given), unit(which), plan(which.words), stride(out_stride_of(given)) {
    stored_keys = StoredRows::keys(args, unit.batch, unit.kv_head);
    stored_values = StoredRows::values(args, unit.batch, unit.kv_head);
    q = workspace.take(kQueryBlock * args.width);
    k = workspace.take(kKeyTile * args.width);
    v = workspace.take(kKeyTile * stride);
    o = workspace.take(kQueryBlock * stride);
    m = workspace.take(kQueryBlock);
    l = workspace.take(kLanes * kQueryBlock);
    query = workspace.take(args.width);
    gathered = workspace.take(key_rows_floats(args));
  }

  [[nodiscard]] std::size_t strips() const noexcept { return (plan.rows.count + kPanelRows - 1) / kPanelRows; }

  [[nodiscard]] RunningRows rows_from(std::size_t row) const noexcept {
    return {m + row, l + kLanes * row, o + row * stride, stride};
  }

  [[nodiscard]] SourceRows source(const StoredRows& stored, const PlanIndices& keys) const noexcept {
    return key_rows(args.store, stored, {keys.first, keys.count, keys.list}, gathered);
  }

  /// A tile of rows from `row` on and of these keys, nothing allowed yet.
  [[nodiscard]] ScoreTile place_tile(std::size_t row, std::size_t rows, const PlanIndices& keys) const noexcept {
    ScoreTile tile;
    tile.batch = unit.batch;
    tile.head = unit.head;
    tile.kv_head = unit.kv_head;
    tile.rows = rows;
    tile.query = plan.rows.first + row;
    tile.queries = std::min(rows, plan.rows.count - row);
    tile.query_list = plan.rows.list == nullptr ? nullptr : plan.rows.list + row;
    tile.key = keys.first;
    tile.keys = keys.count;
    tile.key_list = keys.list;
    tile.planned = true;
    return tile;
  }

  void pack_queries() const noexcept {
    const auto& [count, first, list] = plan.rows;
    const SourceRows from = {args.q.row(unit.batch, unit.head, list == nullptr ? first : 0), args.q.token, list};
    for (std::size_t row = 0; row < count; row += kPanelRows) {
      pack_row_panel(from.from(row), std::min(kPanelRows, count - row), args.width, query_scale(args), q + row * args.width);
    }
  }

  /// Masks count unless the logits before them are asked for.
  void mark(ScoreTile& tile, LogitStage stage) const noexcept {
    if (stage == LogitStage::Biased) {
      mark_allowed(args, tile);
    } else {
      tile.all_allowed = false;
    }
  }

  [[nodiscard]] ScoreTile score_tile(const PlanIndices& keys, const PlanEntry& entry, LogitStage stage) const noexcept {
    ScoreTile tile = place_tile(entry.strip * kPanelRows, kPanelRows, keys);
    tile.from = entry.from;
    tile.to = entry.to;
    const bool masked = args.bool_mask.data != nullptr || args.float_mask.data != nullptr;
    if (entry.masks == nullptr && !masked) {
      mark_all_allowed(tile);
    } else {
      for (std::size_t r = 0; r < kPanelRows; ++r) tile.allowed[r] = entry.masks != nullptr ? entry.mask(r) : ~std::uint64_t{0};
      mark(tile, stage);
    }
    multiply_panels(q + entry.strip * kPanelRows * args.width, k + entry.from * args.width, args.width,
                    (std::min(entry.to, tile.keys) - entry.from + kPanelColumns - 1) / kPanelColumns, tile.s[0] + entry.from,
                    kKeyTile);
    finish_scores(args, tile, stage);
    return tile;
  }

  /// `keys` <= kKeyTile of the edges of a row, whose scaled query is there.
  [[nodiscard]] ScoreTile edge_tile(std::size_t row, const PlanIndices& keys, LogitStage stage) const noexcept {
    ScoreTile tile = place_tile(row, 1, keys);
    tile.to = round_up(keys.count, kLanes);
    tile.allowed[0] = ~std::uint64_t{0} >> (kKeyTile - keys.count);
    mark(tile, stage);
    multiply_listed(query, source(stored_keys, keys), keys.count, args.width, tile.s[0]);
    finish_scores(args, tile, stage);
    return tile;
  }

  void scale_query(std::size_t row) const noexcept {
    const float* const from = args.q.row(unit.batch, unit.head, plan.rows.at(row));
    const float scale = query_scale(args);
    std::transform(from, from + args.width, query, [scale](float x) { return x * scale; });
  }

  /// Calls visit(row, keys) for every run of edges of a row that fits a tile.
  template <class Visit>
  void for_each_edges(Visit visit) noexcept {
    for (std::size_t n = 0; n < plan.edge_rows; ++n) {
      std::size_t row = 0;
      PlanIndices keys = plan.edges(row);
      scale_query(row);
      while (keys.count > 0) {
        const auto here = std::min<std::uint32_t>(keys.count, kKeyTile);
        visit(row, PlanIndices{here, 0, keys.list});
        keys = {keys.count - here, 0, keys.list + here};
      }
    }
  }

  void attend_tile() noexcept {
    std::size_t entries = 0;
    const PlanIndices keys = plan.tile(entries);
    pack_columns_of_transpose(source(stored_keys, keys), keys.count, args.width, k);
    pack_columns(source(stored_values, keys), keys.count, args.value_width, 0, keys.count, v);
    const bool plain = all_finite(v, keys.count, args.value_width);
    for (; entries > 0; --entries) {
      const PlanEntry entry = plan.entry();
      ScoreTile tile = score_tile(keys, entry, LogitStage::Biased);
      const RunningRows rows = rows_from(entry.strip * kPanelRows);
      keep_for_weights(args, tile);
      raise(tile, rows);
      exponentiate(tile, rows);
      if (plain || tile.all_allowed) {
        accumulate_rows(tile.s[0] + entry.from, v + entry.from * kPanelColumns,
                        std::min<std::size_t>(entry.to, keys.count) - entry.from, keys.count, stride / kPanelColumns, rows.o,
                        stride);
      } else {
        accumulate_allowed(tile, v, rows);
      }
    }
  }

  void attend_edges(std::size_t row, const PlanIndices& keys) const noexcept {
    ScoreTile tile = edge_tile(row, keys, LogitStage::Biased);
    const RunningRows rows = rows_from(row);
    keep_for_weights(args, tile);
    raise(tile, rows);
    exponentiate(tile, rows);
    accumulate_listed(tile.s[0], tile.allowed[0], source(stored_values, keys), keys.count, args.value_width, rows.o);
  }

  /// The state of one row, in args.state: o, l, m.
  [[nodiscard]] float* state_of(std::size_t row) const noexcept {
    return args.state + args.row_index(unit.batch, unit.head, plan.rows.at(row)) * sparse_row_floats(args);
  }

  void begin_rows() const noexcept {
    for (std::size_t row = 0; row < plan.rows.count; ++row) {
      const RunningRows running = rows_from(row);
      if ((plan.flags & kStarts) == 0) {
        const float* const state = state_of(row);
        std::copy_n(state, stride, running.o);
        std::copy_n(state + stride, kLanes, running.l);
        *running.m = state[stride + kLanes];
      } else if (float* const weights = weights_row(args, unit.batch, unit.head, plan.rows.at(row)); weights != nullptr) {
        std::fill_n(weights, args.keys, kMinusInfinity);
      }
    }
    // The rows of the last strip that do not exist are computed, too.
    const std::size_t started = (plan.flags & kStarts) != 0 ? 0 : plan.rows.count;
    start(rows_from(started), strips() * kPanelRows - started);
  }

  void end_rows() const noexcept {
    for (std::size_t row = 0; row < plan.rows.count; ++row) {
      const RunningRows running = rows_from(row);
      if ((plan.flags & kEnds) != 0) {
        write_row(args, unit.batch, unit.head, plan.rows.at(row), *running.m, running.l, running.o);
      } else {
        float* const state = state_of(row);
        std::copy_n(running.o, stride, state);
        std::copy_n(running.l, kLanes, state + stride);
        state[stride + kLanes] = *running.m;
      }
    }
  }
};

}  // namespace

std::size_t sparse_unit_workspace_floats(const AttentionArgs& args) noexcept {
  const std::size_t stride = out_stride_of(args);
  return workspace_round(kQueryBlock * args.width) + workspace_round(kKeyTile * args.width) +
         workspace_round(kKeyTile * stride) + workspace_round(kQueryBlock * stride) + workspace_round(kQueryBlock) +
         workspace_round(kLanes * kQueryBlock) + workspace_round(args.width) + workspace_round(key_rows_floats(args));
}

std::size_t sparse_row_floats(const AttentionArgs& args) noexcept { return out_stride_of(args) + kLanes + 1; }

void attend_unit(const AttentionArgs& args, const SparseUnit& unit, Workspace workspace) noexcept {
  Block block(args, unit, workspace);
  block.begin_rows();
  if (block.plan.tiles > 0) block.pack_queries();
  for (std::size_t tile = 0; tile < block.plan.tiles; ++tile) block.attend_tile();
  block.for_each_edges([&](std::size_t row, const PlanIndices& keys) { block.attend_edges(row, keys); });
  block.end_rows();
}

void write_unit_logits(const AttentionArgs& args, const SparseUnit& unit, LogitStage stage, float* logits,
                       Workspace workspace) noexcept {
  Block block(args, unit, workspace);
  block.pack_queries();
  for (std::size_t n = 0; n < block.plan.tiles; ++n) {
    std::size_t entries = 0;
    const PlanIndices keys = block.plan.tile(entries);
    pack_columns_of_transpose(block.source(block.stored_keys, keys), keys.count, args.width, block.k);
    for (; entries > 0; --entries) keep_scores(args, block.score_tile(keys, block.plan.entry(), stage), logits);
  }
  block.for_each_edges(
      [&](std::size_t row, const PlanIndices& keys) { keep_scores(args, block.edge_tile(row, keys, stage), logits); });
}

}  // namespace fovea

#pragma once
/// The rows of one unit of a plan, and the scores of its tiles and edges.

#include <algorithm>

#include "attention/key_rows.hpp"
#include "attention/online_softmax.hpp"
#include "attention/pattern/plan.hpp"
#include "attention/query_block.hpp"
#include "attention/relative_positions.hpp"
#include "attention/score_products.hpp"
#include "attention/score_tile.hpp"
#include "attention/sparse_rows.hpp"
#include "attention/sparse_unit.hpp"
#include "ops/listed_rows.hpp"
#include "ops/panels.hpp"

namespace fovea {

/// What is done to a unit's tiles and edges: the rows, their panels, and where the sums run.
struct SparseBlock {
  const AttentionArgs& args;
  const SparseUnit& unit;
  StoredRows stored_keys, stored_values;
  PlanReader plan;
  SparseRows sums;
  RelativeProducts relative;
  float* q;  // row panels
  float* k;  // column panels of a tile
  float* v;
  float* query;     // one, scaled
  float* gathered;  // rows of a tile or of edges

  static std::size_t workspace_floats(const AttentionArgs& args) noexcept {
    return SparseRows::workspace_floats(args) + RelativeProducts::workspace_floats(args, kQueryBlock) +
           workspace_round(kQueryBlock * args.width) + workspace_round(kKeyTile * args.width) +
           workspace_round(kKeyTile * round_up(args.value_width, kPanelColumns)) + workspace_round(args.width) +
           workspace_round(key_rows_floats(args));
  }

  SparseBlock(const AttentionArgs& given, const SparseUnit& which, Workspace& workspace) noexcept
      : args(given),
        unit(which),
        stored_keys(StoredRows::keys(given, which.batch, which.kv_head)),
        stored_values(StoredRows::values(given, which.batch, which.kv_head)),
        plan(which.words),
        sums(given, which, workspace),
        relative(RelativeProducts::take(given, kQueryBlock, workspace)),
        q(workspace.take(kQueryBlock * given.width)),
        k(workspace.take(kKeyTile * given.width)),
        v(workspace.take(kKeyTile * sums.value_floats())),
        query(workspace.take(given.width)),
        gathered(workspace.take(key_rows_floats(given))) {}

  [[nodiscard]] std::size_t strips() const noexcept { return (plan.rows.count + kPanelRows - 1) / kPanelRows; }

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
    const SourceRows rows = {args.q.row(unit.batch, unit.head, list == nullptr ? first : 0), args.q.token, list};
    for (std::size_t row = 0; row < plan.rows.count; row += kPanelRows) {
      pack_query_panel(args, rows.from(row), std::min(kPanelRows, plan.rows.count - row), q + row * args.width);
    }
    relative.multiply(args, unit.head, q, strips());
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
    relative.set(tile, entry.strip * kPanelRows);
    tile.from = entry.from;
    tile.to = entry.to;
    const bool masked = args.bool_mask.data != nullptr || args.float_mask.data != nullptr;
    if (entry.masks == nullptr && !masked) {
      mark_all_allowed(tile);
    } else {
      for (std::size_t r = 0; r < kPanelRows; ++r) tile.allowed[r] = entry.masks != nullptr ? entry.mask(r) : ~std::uint64_t{0};
      mark(tile, stage);
    }
    multiply_packed(args, unit.head, q + entry.strip * kPanelRows * args.width, k + entry.from * args.width,
                    (std::min(entry.to, tile.keys) - entry.from + kPanelColumns - 1) / kPanelColumns, tile.s[0] + entry.from);
    finish_scores(args, tile, stage);
    return tile;
  }

  /// `keys` <= kKeyTile of the edges of a row, whose scaled query is there.
  [[nodiscard]] ScoreTile edge_tile(std::size_t row, const PlanIndices& keys, LogitStage stage) const noexcept {
    ScoreTile tile = place_tile(row, 1, keys);
    tile.to = round_up(keys.count, kTileLanes);
    tile.allowed[0] = ~std::uint64_t{0} >> (kKeyTile - keys.count);
    mark(tile, stage);
    multiply_edges(args, unit.head, query, source(stored_keys, keys), keys.count, tile.s[0]);
    if (args.axes.relative_keys.data != nullptr) add_listed_relative_keys(args, tile, query);
    finish_scores(args, tile, stage);
    return tile;
  }

  /// Calls visit(row, keys) for every run of edges of a row that fits a tile.
  template <class Visit>
  void for_each_edges(Visit visit) noexcept {
    for (std::size_t n = 0; n < plan.edge_rows; ++n) {
      std::size_t row = 0;
      PlanIndices keys = plan.edges(row);
      scale_query(args, args.q.row(unit.batch, unit.head, plan.rows.at(row)), query);
      while (keys.count > 0) {
        const auto here = std::min<std::uint32_t>(keys.count, kKeyTile);
        visit(row, PlanIndices{here, 0, keys.list});
        keys = {keys.count - here, 0, keys.list + here};
      }
    }
  }

  void pack_keys(const PlanIndices& keys) const noexcept { pack_key_panels(args, source(stored_keys, keys), keys.count, k); }

  /// Returns whether all of them are finite.
  [[nodiscard]] bool pack_values(const PlanIndices& keys) const noexcept {
    pack_columns(source(stored_values, keys), keys.count, args.value_width, 0, keys.count, v);
    return all_finite(v, keys.count, args.value_width);
  }

  /// Calls visit(tile) for all scores of the unit, after `stage`.
  template <class Visit>
  void for_each_scores(LogitStage stage, Visit visit) noexcept {
    pack_queries();
    for (std::size_t n = 0; n < plan.tiles; ++n) {
      std::size_t entries = 0;
      const PlanIndices keys = plan.tile(entries);
      pack_keys(keys);
      for (; entries > 0; --entries) visit(score_tile(keys, plan.entry(), stage));
    }
    for_each_edges([&](std::size_t row, const PlanIndices& keys) { visit(edge_tile(row, keys, stage)); });
  }
};

}  // namespace fovea

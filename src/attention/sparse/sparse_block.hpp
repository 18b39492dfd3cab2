#pragma once
/// The rows of one unit of a plan, and the scores of its tiles and edges.

#include <algorithm>

#include "attention/pattern/plan.hpp"
#include "attention/problem/query_block.hpp"
#include "attention/score/key_rows.hpp"
#include "attention/score/relative_keys.hpp"
#include "attention/score/score_mods.hpp"
#include "attention/score/score_products.hpp"
#include "attention/score/score_tile.hpp"
#include "attention/score/tile_masks.hpp"
#include "attention/softmax/relative_values.hpp"
#include "attention/softmax/row_states.hpp"
#include "attention/sparse/sparse_rows.hpp"
#include "attention/sparse/sparse_unit.hpp"
#include "core/workspace.hpp"
#include "gemm/gathered_rows.hpp"
#include "gemm/panels.hpp"

namespace fovea {

/// The scratch of one thread for a unit: one block of dense attention, and one query.
struct SparseScratch {
  RowStates states;
  RelativeProducts relative;
  float* q;  // row panels
  float* k;  // column panels of a tile
  float* v;
  float* query;     // one, scaled
  float* gathered;  // rows of a tile or of edges

  SparseScratch(const AttentionArgs& args, Workspace& workspace) noexcept
      : states(args, kQueryBlock, workspace),
        relative(args, kQueryBlock, workspace),
        q(workspace.take<float>(kQueryBlock, args.width)),
        k(workspace.take<float>(kKeyTile, args.width)),
        v(workspace.take<float>(kKeyTile, states.value_floats())),
        query(workspace.take<float>(args.width)),
        gathered(take_key_rows(args, workspace)) {}
};

/// The state of a unit's tiles and edges: the rows, their panels, and where the sums run.
struct SparseBlock : SparseScratch {
  const AttentionArgs& args;
  const PlanUnit& unit;
  StoredRows stored_keys, stored_values;
  PlanReader plan;
  SparseRows row_states;

  SparseBlock(const AttentionArgs& given, const PlanUnit& which, Workspace& workspace) noexcept
      : SparseScratch(given, workspace),
        args(given),
        unit(which),
        stored_keys(StoredRows::keys(given, which.batch, which.kv_head)),
        stored_values(StoredRows::values(given, which.batch, which.kv_head)),
        plan(which.words),
        row_states(given, which, states) {}

  [[nodiscard]] std::size_t strips() const noexcept { return (plan.rows.count + kMr - 1) / kMr; }

  [[nodiscard]] SourceRows source(const StoredRows& stored, const TokenList& keys) const noexcept {
    return key_rows(args.kv_layout, stored, keys, gathered);
  }

  /// A tile of rows from `row` on and of these keys, scores and masks not written.
  [[nodiscard]] ScoreTile planned_tile(std::size_t row, std::size_t rows, const TokenList& keys) const noexcept {
    ScoreTile tile(unit, plan.rows.part(row, std::min(rows, plan.rows.count - row)), rows, keys);
    tile.planned = true;
    return tile;
  }

  void pack_queries() const noexcept {
    const auto& [first, count, list] = plan.rows;
    const SourceRows rows = {args.q.row(unit.batch, unit.head, list == nullptr ? first : 0), args.q.token, list};
    for (std::size_t row = 0; row < count; row += kMr) {
      pack_query_panel(args, rows.from(row), std::min(kMr, count - row), q + row * args.width);
    }
    relative.multiply(args, unit.head, q, strips());
  }

  /// Masks count unless the logits before them are asked for.
  void mark(ScoreTile& tile, LogitStage stage) const noexcept {
    if (stage == LogitStage::Biased) {
      mark_allowed(args, args.position_rules(tile.batch), tile);
    } else {
      tile.all_allowed = false;
    }
  }

  [[nodiscard]] ScoreTile score_tile(const TokenList& keys, const PlanBlock& entry, LogitStage stage) const noexcept {
    ScoreTile tile = planned_tile(entry.strip * kMr, kMr, keys);
    relative.set(tile, entry.strip * kMr);
    tile.from = entry.from;
    tile.to = entry.to;
    if (entry.masks == nullptr && !args.has_mask()) {
      mark_all_allowed(tile);
    } else {
      for (std::size_t r = 0; r < kMr; ++r) tile.allowed[r] = entry.masks != nullptr ? entry.mask(r) : ~std::uint64_t{0};
      mark(tile, stage);
    }
    multiply_packed(args, unit.head, q + entry.strip * kMr * args.width, k + entry.from * args.width,
                    (std::min(entry.to, tile.keys) - entry.from + kNr - 1) / kNr, tile.s[0] + entry.from);
    apply_score_mods(args, tile, stage);
    return tile;
  }

  /// `keys` <= kKeyTile of the edges of a row, whose scaled query is there.
  [[nodiscard]] ScoreTile leftover_tile(std::size_t row, const TokenList& keys, LogitStage stage) const noexcept {
    ScoreTile tile = planned_tile(row, 1, keys);
    tile.to = round_up(keys.count, kTileLanes);
    tile.allowed[0] = ~std::uint64_t{0} >> (kKeyTile - keys.count);
    mark(tile, stage);
    multiply_gathered(args, unit.head, query, source(stored_keys, keys), keys.count, tile.s[0]);
    if (args.variant.relative_keys.data != nullptr) add_gathered_relative_keys(args, tile, query);
    apply_score_mods(args, tile, stage);
    return tile;
  }

  /// Calls visit(row, keys) for every run of edges of a row that fits a tile.
  template <class Visit>
  void for_each_leftover_pairs(Visit visit) noexcept {
    for (std::size_t n = 0; n < plan.leftover_rows; ++n) {
      std::size_t row = 0;
      const TokenList keys = plan.leftover_pairs(row);
      scale_query(args, args.q.row(unit.batch, unit.head, plan.rows.at(row)), query);
      for (std::size_t first = 0; first < keys.count; first += kKeyTile) {
        visit(row, keys.part(first, std::min(kKeyTile, keys.count - first)));
      }
    }
  }

  void pack_keys(const TokenList& keys) const noexcept { pack_key_panels(args, source(stored_keys, keys), keys.count, k); }

  /// Returns whether all of them are finite.
  [[nodiscard]] bool pack_values(const TokenList& keys) const noexcept {
    pack_columns(source(stored_values, keys), keys.count, args.value_width, 0, keys.count, v);
    return all_finite(v, keys.count, args.value_width);
  }

  /// Calls visit(tile) for all scores of the unit, after `stage`.
  template <class Visit>
  void for_each_scores(LogitStage stage, Visit visit) noexcept {
    pack_queries();
    for (std::size_t n = 0; n < plan.tiles; ++n) {
      std::size_t entries = 0;
      const TokenList keys = plan.tile(entries);
      pack_keys(keys);
      for (; entries > 0; --entries) visit(score_tile(keys, plan.entry(), stage));
    }
    for_each_leftover_pairs([&](std::size_t row, const TokenList& keys) { visit(leftover_tile(row, keys, stage)); });
  }
};

}  // namespace fovea

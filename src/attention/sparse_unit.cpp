#include "attention/sparse_unit.hpp"

#include <algorithm>

#include "attention/kept_scores.hpp"
#include "attention/normalized_rows.hpp"
#include "attention/normalizer.hpp"
#include "attention/row_results.hpp"
#include "attention/sparse_block.hpp"
#include "core/infinity.hpp"

namespace fovea {
namespace {

/// A unit on its way to results.
struct AttendedBlock : SparseBlock {
  using SparseBlock::SparseBlock;

  void attend_tile() noexcept {
    std::size_t entries = 0;
    const PlanIndices keys = plan.tile(entries);
    pack_keys(keys);
    const bool sums = sums_values(args), plain = sums && pack_values(keys);
    for (; entries > 0; --entries) {
      const PlanEntry entry = plan.entry();
      ScoreTile tile = score_tile(keys, entry, LogitStage::Biased);
      const RunningRows rows = rows_from(entry.strip * kPanelRows);
      if (sums) keep_for_weights(args, tile);
      take_scores(args, tile, rows);
      if (!sums) continue;
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
    const bool sums = sums_values(args);
    if (sums) keep_for_weights(args, tile);
    take_scores(args, tile, rows);
    if (!sums) return;
    accumulate_listed(tile.s[0], tile.allowed[0], source(args.v, unit.kv_head, keys), keys.count, args.value_width, rows.o);
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
        std::copy_n(state + stride, kTileLanes, running.l);
        *running.m = state[stride + kTileLanes];
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
        finish_row(args, unit.batch, unit.head, plan.rows.at(row), running);
      } else {
        float* const state = state_of(row);
        std::copy_n(running.o, stride, state);
        std::copy_n(running.l, kTileLanes, state + stride);
        state[stride + kTileLanes] = *running.m;
      }
    }
  }
};

}  // namespace

std::size_t sparse_unit_workspace_floats(const AttentionArgs& args) noexcept {
  const std::size_t stride = out_stride_of(args);
  return workspace_round(kQueryBlock * args.width) + workspace_round(kKeyTile * args.width) +
         workspace_round(kKeyTile * stride) + workspace_round(kQueryBlock * stride) + workspace_round(kQueryBlock) +
         workspace_round(kTileLanes * kQueryBlock) + workspace_round(args.width);
}

std::size_t sparse_row_floats(const AttentionArgs& args) noexcept { return out_stride_of(args) + kTileLanes + 1; }

void attend_unit(const AttentionArgs& args, const SparseUnit& unit, Workspace workspace) noexcept {
  AttendedBlock block(args, unit, workspace);
  block.begin_rows();
  if (block.plan.tiles > 0) block.pack_queries();
  for (std::size_t tile = 0; tile < block.plan.tiles; ++tile) block.attend_tile();
  block.for_each_edges([&](std::size_t row, const PlanIndices& keys) { block.attend_edges(row, keys); });
  block.end_rows();
}

void write_unit_logits(const AttentionArgs& args, const SparseUnit& unit, LogitStage stage, float* logits,
                       Workspace workspace) noexcept {
  SparseBlock(args, unit, workspace).for_each_scores(stage, [&](const ScoreTile& tile) { keep_scores(args, tile, logits); });
}

void list_unit_scores(const AttentionArgs& args, const SparseUnit& unit, Workspace workspace) noexcept {
  SparseBlock(args, unit, workspace).for_each_scores(LogitStage::Biased, [&](const ScoreTile& tile) {
    keep_sparse(args, tile);
  });
}

}  // namespace fovea

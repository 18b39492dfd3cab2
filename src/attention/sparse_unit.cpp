#include "attention/sparse_unit.hpp"

#include "attention/kept_scores.hpp"
#include "attention/normalizer.hpp"
#include "attention/sparse_block.hpp"

namespace fovea {
namespace {

/// A unit on its way to results.
struct AttendedBlock : SparseBlock {
  using SparseBlock::SparseBlock;

  void attend_tile() noexcept {
    std::size_t entries = 0;
    const PlanIndices keys = plan.tile(entries);
    pack_keys(keys);
    const bool summed = sums_values(args), plain = summed && pack_values(keys);
    const std::size_t panels = sums.value_floats() / kPanelColumns;
    for (; entries > 0; --entries) {
      const PlanEntry entry = plan.entry();
      ScoreTile tile = score_tile(keys, entry, LogitStage::Biased);
      const RunningRows rows = sums.from(entry.strip * kPanelRows);
      if (summed) keep_for_weights(args, tile);
      take_scores(args, tile, rows);
      if (!summed) continue;
      if (plain || tile.all_allowed) {
        accumulate_rows(tile.s[0] + entry.from, v + entry.from * kPanelColumns,
                        std::min<std::size_t>(entry.to, keys.count) - entry.from, keys.count, panels, rows.o, rows.stride);
      } else {
        accumulate_allowed(tile, v, panels, rows);
      }
      if (args.axes.relative_values.data != nullptr) sum_by_distance(args, tile, rows, sums.value_floats());
    }
  }

  void attend_edges(std::size_t row, const PlanIndices& keys) const noexcept {
    ScoreTile tile = edge_tile(row, keys, LogitStage::Biased);
    const RunningRows rows = sums.from(row);
    const bool summed = sums_values(args);
    if (summed) keep_for_weights(args, tile);
    take_scores(args, tile, rows);
    if (!summed) return;
    accumulate_listed(tile.s[0], tile.allowed[0], source(stored_values, keys), keys.count, args.value_width, rows.o);
    if (args.axes.relative_values.data != nullptr) accumulate_listed_relative_values(args, tile, rows.o);
  }
};

}  // namespace

std::size_t sparse_unit_workspace_floats(const AttentionArgs& args) noexcept { return SparseBlock::workspace_floats(args); }

void attend_unit(const AttentionArgs& args, const SparseUnit& unit, Workspace workspace) noexcept {
  AttendedBlock block(args, unit, workspace);
  block.sums.begin(block.plan);
  if (block.plan.tiles > 0) block.pack_queries();
  for (std::size_t tile = 0; tile < block.plan.tiles; ++tile) block.attend_tile();
  block.for_each_edges([&](std::size_t row, const PlanIndices& keys) { block.attend_edges(row, keys); });
  block.sums.end(block.plan);
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

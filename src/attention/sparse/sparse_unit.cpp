#include "attention/sparse/sparse_unit.hpp"

#include "attention/score/store_scores.hpp"
#include "attention/softmax/normalizer.hpp"
#include "attention/sparse/sparse_block.hpp"

namespace fovea {
namespace {

/// A unit on its way to results.
struct AttendedBlock : SparseBlock {
  using SparseBlock::SparseBlock;

  void attend_tile() noexcept {
    std::size_t entries = 0;
    const TokenList keys = plan.tile(entries);
    pack_keys(keys);
    const bool summed = sums_values(args), values_finite = summed && pack_values(keys);
    const std::size_t panels = states.value_floats() / kNr;
    for (; entries > 0; --entries) {
      const PlanBlock entry = plan.entry();
      ScoreTile tile = score_tile(keys, entry, LogitStage::Biased);
      const std::size_t row = entry.strip * kMr;
      if (summed) store_scores_for_weights(args, tile);
      states.update(args, tile, row);
      if (!summed) continue;
      const ValueSums sums = states.sums(row);
      if (values_finite || tile.all_allowed) {
        accumulate_rows(tile.s[0] + entry.from, v + entry.from * kNr, std::min(entry.to, keys.count) - entry.from, keys.count,
                        panels, sums.o, sums.stride);
      } else {
        accumulate_allowed(tile, v, panels, sums);
      }
      if (args.variant.relative_values.data != nullptr) sum_by_distance(args, tile, sums, states.value_floats());
    }
  }

  void attend_leftover_pairs(std::size_t row, const TokenList& keys) const noexcept {
    ScoreTile tile = leftover_tile(row, keys, LogitStage::Biased);
    const bool summed = sums_values(args);
    if (summed) store_scores_for_weights(args, tile);
    states.update(args, tile, row);
    if (!summed) return;
    float* const o = states.sums(row).o;
    gathered_axpy(tile.s[0], tile.allowed[0], source(stored_values, keys), keys.count, args.value_width, o);
    if (args.variant.relative_values.data != nullptr) add_gathered_relative_values(args, tile, o);
  }
};

}  // namespace

std::uint64_t sparse_unit_workspace_bytes(const AttentionArgs& args) noexcept {
  return count_bytes([&](Workspace& workspace) { SparseScratch(args, workspace); });
}

void attend_unit(const AttentionArgs& args, const PlanUnit& unit, Workspace workspace) noexcept {
  AttendedBlock block(args, unit, workspace);
  block.row_states.begin(block.plan);
  if (block.plan.tiles > 0) block.pack_queries();
  for (std::size_t tile = 0; tile < block.plan.tiles; ++tile) block.attend_tile();
  block.for_each_leftover_pairs([&](std::size_t row, const TokenList& keys) { block.attend_leftover_pairs(row, keys); });
  block.row_states.end(block.plan);
}

void write_unit_logits(const AttentionArgs& args, const PlanUnit& unit, LogitStage stage, float* logits,
                       Workspace workspace) noexcept {
  SparseBlock(args, unit, workspace).for_each_scores(stage, [&](const ScoreTile& tile) { store_scores(args, tile, logits); });
}

void list_unit_scores(const AttentionArgs& args, const PlanUnit& unit, Workspace workspace) noexcept {
  SparseBlock(args, unit, workspace).for_each_scores(LogitStage::Biased, [&](const ScoreTile& tile) {
    store_sparse_scores(args, tile);
  });
}

}  // namespace fovea

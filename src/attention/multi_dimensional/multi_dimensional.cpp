#include "attention/multi_dimensional/multi_dimensional.hpp"

#include <algorithm>
#include <cmath>

#include "attention/multi_dimensional/feature_rows.hpp"
#include "attention/problem/query_block.hpp"
#include "attention/score/tile_masks.hpp"
#include "core/bits.hpp"

namespace fovea {
namespace {

/// The scratch of a call.
struct CallScratch {
  float* w_panels;
  float* states;        // [B, H, Tq][feature_sums_size]: the sums of rows that plans come back to
  std::uint32_t* ends;  // PassUnits
  ThreadWorkspaces blocks;

  CallScratch(const MultiDimensionalArgs& args, std::size_t threads, Workspace& workspace) noexcept
      : w_panels(take_feature_weights(args, workspace)),
        states(workspace.take<float>(state_rows(args), feature_sums_size(args))),
        ends(workspace.take<std::uint32_t>(args.plans != nullptr ? heads_of(args.inputs) : 0)),
        blocks(workspace, threads, [&](Workspace& own) { FeatureScratch(args, own); }) {}

 private:
  static std::size_t state_rows(const MultiDimensionalArgs& args) noexcept {
    const bool comes_back = args.plans != nullptr && passes_of(args.inputs, args.plans) > 1;
    return comes_back ? clamped_count(saturated_product(heads_of(args.inputs), args.inputs.queries)) : 0;
  }
};

/// The queries of a block and one tile of keys at a time, by the positional mask or by a plan.
class FeatureBlock {
 public:
  FeatureBlock(const MultiDimensionalArgs& args, const CallScratch& call, const HeadIndex& head, Workspace workspace) noexcept
      : args_(args), call_(call), head_(head), scratch_(args, workspace) {
    // Zero the padding: no uninitialized value is loaded.
    std::fill_n(scratch_.tile.s, kKeyTile * scratch_.tile.feature_stride, 0.0f);
  }

  void attend(const QueryBlock& block) const noexcept {
    const AttentionInputs& inputs = args_.inputs;
    const auto for_each_row = [&](auto visit) {
      for (std::size_t i = 0; i < block.count; ++i) visit(row(i, block.first + i));
    };
    for_each_row([](const FeatureRow& one) { one.init(); });
    const KeyRange range = inputs.positional_mask(head_.batch).keys_of(block.first, block.count);
    for (std::size_t key = range.from / kKeyTile * kKeyTile; key < range.to; key += kKeyTile) {
      const TokenList keys = {key, std::min(kKeyTile, inputs.keys - key)};
      load_feature_tile(args_, head_, keys, scratch_);
      for_each_row([&](const FeatureRow& one) { add_tile(one, keys); });
    }
    for_each_row([](const FeatureRow& one) { one.finish(); });
  }

  void attend(const PlanUnit& unit) const noexcept {
    PlanReader plan(unit.words);
    for (std::size_t i = 0; i < plan.rows.count; ++i) {
      const FeatureRow one = row(i, plan.rows.at(i));
      if ((plan.flags & kFirstPass) != 0) {
        one.init();
      } else {
        std::copy_n(state_of(one), feature_sums_size(args_), one.sums());
      }
    }
    for (std::size_t n = 0; n < plan.tiles; ++n) add_planned_tile(plan);
    for (std::size_t n = 0; n < plan.leftover_rows; ++n) {
      std::size_t i = 0;
      const TokenList all = plan.leftover_pairs(i);
      for (std::size_t first = 0; first < all.count; first += kKeyTile) {
        const TokenList keys = all.part(first, std::min(kKeyTile, all.count - first));
        load_feature_tile(args_, head_, keys, scratch_);
        add_planned(row(i, plan.rows.at(i)), keys, ~std::uint64_t{0} >> (kKeyTile - keys.count));
      }
    }
    for (std::size_t i = 0; i < plan.rows.count; ++i) {
      const FeatureRow one = row(i, plan.rows.at(i));
      if ((plan.flags & kLastPass) != 0) {
        one.finish();
      } else {
        std::copy_n(one.sums(), feature_sums_size(args_), state_of(one));
      }
    }
  }

 private:
  [[nodiscard]] FeatureRow row(std::size_t i, std::size_t query) const noexcept { return {args_, head_, scratch_, query, i}; }

  [[nodiscard]] float* state_of(const FeatureRow& one) const noexcept {
    return call_.states + args_.inputs.row_index(head_.batch, head_.head, one.query) * feature_sums_size(args_);
  }

  /// The pairs of a query and a tile that the positional mask and the mask arrays allow.
  void add_tile(const FeatureRow& one, const TokenList& keys) const noexcept {
    ScoreTile tile(head_, {one.query, 1}, 1, keys);
    mark_allowed(args_.inputs, args_.inputs.positional_mask(head_.batch), tile);
    one.add_pairs(keys, tile.allowed[0], call_.w_panels);
  }

  /// The pairs of a query and a tile that its plan and the mask arrays allow.
  void add_planned(const FeatureRow& one, const TokenList& keys, std::uint64_t planned) const noexcept {
    ScoreTile tile(head_, {one.query, 1}, 1, keys);
    tile.planned = true;
    tile.allowed[0] = planned;
    mark_allowed(args_.inputs, args_.inputs.positional_mask(head_.batch), tile);
    one.add_pairs(keys, tile.allowed[0], call_.w_panels);
  }

  void add_planned_tile(PlanReader& plan) const noexcept {
    std::size_t entries = 0;
    const TokenList keys = plan.tile(entries);
    load_feature_tile(args_, head_, keys, scratch_);
    for (; entries > 0; --entries) {
      const PlanBlock entry = plan.entry();
      const std::size_t first = entry.strip * kMr, rows = std::min(kMr, plan.rows.count - first);
      const std::uint64_t columns = bit_range(entry.from, std::min(entry.to, keys.count));
      for (std::size_t r = 0; r < rows; ++r) {
        const std::uint64_t planned = entry.masks == nullptr ? columns : entry.mask(r) & columns;
        add_planned(row(first + r, plan.rows.at(first + r)), keys, planned);
      }
    }
  }

  const MultiDimensionalArgs& args_;
  const CallScratch& call_;
  const HeadIndex& head_;
  const FeatureScratch scratch_;
};

Status check(const MultiDimensionalArgs& args) noexcept {
  const AttentionInputs& inputs = args.inputs;
  if (const Status status = check_inputs(inputs); status != Status::Ok) return status;
  if (inputs.appended_keys > 0) return Status::Option;
  if (args.score == FeatureScore::Bounded) {
    if (inputs.width != inputs.value_width) return Status::Shape;
    return args.bound > 0.0f && std::isfinite(args.bound) ? Status::Ok : Status::Value;
  }
  const MatrixView<const float>& w = args.w;
  const bool fits = w.rows == inputs.width && w.columns == inputs.value_width && (w.row_stride == 1 || w.column_stride == 1);
  return fits ? Status::Ok : Status::Shape;
}

/// Then there is nothing to do, however many rows there are.
bool has_no_results(const AttentionInputs& inputs) noexcept {
  return inputs.batch == 0 || inputs.heads == 0 || inputs.queries == 0 || inputs.value_width == 0;
}

/// The cost of a pair in multiply-adds, about: a tanh and an exponential cost sixteen.
double pair_cost(const MultiDimensionalArgs& args) noexcept {
  const std::size_t each_feature = 16 + (args.score == FeatureScore::Bounded ? 0 : args.inputs.width);
  return static_cast<double>(each_feature) * static_cast<double>(args.inputs.value_width);
}

void attend_plans(const MultiDimensionalArgs& args, const CallScratch& scratch, ThreadPool* pool) noexcept {
  const bool is_short = planned_pairs(args.inputs, args.plans) * pair_cost(args) < kMinParallelWork;
  for (std::size_t pass = 0; pass < passes_of(args.inputs, args.plans); ++pass) {
    const PassUnits units(args.inputs, args.plans, pass, scratch.ends);
    parallel_for(is_short ? nullptr : pool, units.count(), [&](std::size_t index, std::size_t thread) {
      const PlanUnit unit = units.at(index);
      FeatureBlock(args, scratch, unit, scratch.blocks.of(thread)).attend(unit);
    });
  }
}

void attend_all(const MultiDimensionalArgs& args, const CallScratch& scratch, ThreadPool* pool) noexcept {
  const AttentionInputs& inputs = args.inputs;
  const std::size_t rows = feature_block_rows(args), per_head = (inputs.queries + rows - 1) / rows, heads = heads_of(inputs);
  const double pairs = static_cast<double>(heads) * static_cast<double>(inputs.queries) * static_cast<double>(inputs.keys);
  const bool is_short = pairs * pair_cost(args) < kMinParallelWork;
  parallel_for(is_short ? nullptr : pool, heads * per_head, [&](std::size_t index, std::size_t thread) {
    const std::size_t first = index % per_head * rows;
    const QueryBlock block = {inputs.head_at(index / per_head), first, std::min(rows, inputs.queries - first)};
    FeatureBlock(args, scratch, block, scratch.blocks.of(thread)).attend(block);
  });
}

}  // namespace

std::uint64_t multi_dimensional_workspace_bytes(const MultiDimensionalArgs& args, std::size_t threads) noexcept {
  if (check(args) != Status::Ok || has_no_results(args.inputs)) return 0;
  return count_bytes([&](Workspace& workspace) { CallScratch(args, threads, workspace); });
}

Status multi_dimensional_attention(const MultiDimensionalArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  if (const Status status = check(args); status != Status::Ok || has_no_results(args.inputs)) return status;
  const CallScratch scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  pack_feature_weights(args, scratch.w_panels);
  if (args.plans != nullptr) {
    attend_plans(args, scratch, pool);
  } else {
    attend_all(args, scratch, pool);
  }
  return Status::Ok;
}

}  // namespace fovea

#include "attention/sparse_rows.hpp"

#include <algorithm>

#include "attention/normalized_rows.hpp"
#include "attention/query_block.hpp"
#include "attention/relative_positions.hpp"
#include "attention/row_results.hpp"
#include "core/infinity.hpp"
#include "ops/panels.hpp"

namespace fovea {
namespace {

constexpr std::size_t kLanes = 4;

std::size_t value_floats_of(const AttentionArgs& args) noexcept { return round_up(args.value_width, kPanelColumns); }

std::size_t stride_of(const AttentionArgs& args) noexcept { return value_floats_of(args) + distance_floats(args); }

}  // namespace

std::size_t SparseRows::workspace_floats(const AttentionArgs& args) noexcept {
  return workspace_round(kQueryBlock * stride_of(args)) + workspace_round(kQueryBlock) + workspace_round(kLanes * kQueryBlock);
}

std::size_t SparseRows::state_floats(const AttentionArgs& args) noexcept { return stride_of(args) + kLanes + 1; }

SparseRows::SparseRows(const AttentionArgs& args, const SparseUnit& unit, Workspace& workspace) noexcept
    : args_(args),
      unit_(unit),
      value_floats_(value_floats_of(args)),
      stride_(stride_of(args)),
      o_(workspace.take(kQueryBlock * stride_)),
      m_(workspace.take(kQueryBlock)),
      l_(workspace.take(kLanes * kQueryBlock)) {}

RunningRows SparseRows::from(std::size_t row) const noexcept {
  return {m_ + row, l_ + kLanes * row, o_ + row * stride_, stride_};
}

float* SparseRows::state_of(std::size_t query) const noexcept {
  return args_.state + args_.row_index(unit_.batch, unit_.head, query) * state_floats(args_);
}

void SparseRows::begin(const PlanReader& plan) const noexcept {
  for (std::size_t row = 0; row < plan.rows.count; ++row) {
    const RunningRows running = from(row);
    const std::size_t query = plan.rows.at(row);
    if ((plan.flags & kStarts) == 0) {
      const float* const state = state_of(query);
      std::copy_n(state, stride_, running.o);
      std::copy_n(state + stride_, kLanes, running.l);
      *running.m = state[stride_ + kLanes];
    } else if (float* const weights = weights_row(args_, unit_.batch, unit_.head, query); weights != nullptr) {
      std::fill_n(weights, args_.keys, kMinusInfinity);
    }
  }
  const std::size_t started = (plan.flags & kStarts) != 0 ? 0 : plan.rows.count;
  start(from(started), round_up(plan.rows.count, kPanelRows) - started);
}

void SparseRows::end(const PlanReader& plan) const noexcept {
  for (std::size_t row = 0; row < plan.rows.count; ++row) {
    const RunningRows running = from(row);
    const std::size_t query = plan.rows.at(row);
    if ((plan.flags & kEnds) != 0) {
      finish_row(args_, unit_.batch, unit_.head, query, running);
    } else {
      float* const state = state_of(query);
      std::copy_n(running.o, stride_, state);
      std::copy_n(running.l, kLanes, state + stride_);
      state[stride_ + kLanes] = *running.m;
    }
  }
}

}  // namespace fovea

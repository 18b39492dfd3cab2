#pragma once
/// One unit of a plan.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/plan_units.hpp"
#include "attention/problem/attention_args.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// The scratch of one thread.
[[nodiscard]] std::uint64_t sparse_unit_workspace_bytes(const AttentionArgs& args) noexcept;

/// The unit's rows are taken from args.state unless they start here, and left there unless they end here.
void attend_unit(const AttentionArgs& args, const PlanUnit& unit, Workspace workspace) noexcept;

void write_unit_logits(const AttentionArgs& args, const PlanUnit& unit, LogitStage stage, float* logits,
                       Workspace workspace) noexcept;

/// args.sparse_weights <- the unit's logits after the temperature
void list_unit_scores(const AttentionArgs& args, const PlanUnit& unit, Workspace workspace) noexcept;

}  // namespace fovea

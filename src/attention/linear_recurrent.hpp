#pragma once
/// Linear attention token by token: every update rule, in time and room that are constant for each token.

#include <cstddef>

#include "attention/linear.hpp"
#include "core/workspace.hpp"

namespace fovea {

[[nodiscard]] std::size_t recurrent_workspace_floats(const LinearArgs& args) noexcept;

/// All tokens of one key/value head, causal.
void attend_recurrent(const LinearArgs& args, std::size_t batch, std::size_t kv_head, Workspace workspace) noexcept;

}  // namespace fovea

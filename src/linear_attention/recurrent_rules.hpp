#pragma once
/// Linear attention token by token: every update rule, in time and room that are constant for each token.

#include <cstddef>

#include "core/workspace.hpp"
#include "linear_attention/linear_attention.hpp"

namespace fovea {

/// The scratch of one head.
void take_recurrent_scratch(const LinearArgs& args, Workspace& workspace) noexcept;

/// All tokens of one key/value head, causal.
void attend_recurrent(const LinearArgs& args, std::size_t batch, std::size_t kv_head, Workspace workspace) noexcept;

}  // namespace fovea

#pragma once
/// Gradient of ops/rotary.hpp: each pair of dOut turns back by its angle.
///   dX += dOut, its pairs turned by -a_i, the row beyond R as it is
/// Shapes: d_out at the strides of out, d_x at those of x. In place, d_x = d_out: dOut is replaced.
/// Errors: as rotary.   Workspace: rotary_backward_workspace_bytes().   Accuracy: as rotary, then a sum.

#include "ops/rotary.hpp"

namespace fovea {

struct RotaryBackwardArgs {
  RotaryArgs forward;
  const float* d_out = nullptr;
  float* d_x = nullptr;
};

[[nodiscard]] std::uint64_t rotary_backward_workspace_bytes(const RotaryBackwardArgs& args, std::size_t threads = 1) noexcept;

[[nodiscard]] Status rotary_backward(const RotaryBackwardArgs& args, Workspace workspace, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

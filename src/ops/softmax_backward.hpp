#pragma once
/// Gradients of ops/softmax.hpp.
///   softmax      dX += y (dY - Σ dY y)            by the result
///   logSoftmax   dX += dY - exp(y) Σ dY           by the result
///   logSumExp    dX += dY exp(x - y)
/// An entry of -inf, and so a line of nothing else, receives exactly 0, and its dY, whatever it is, reaches no other.
/// Shapes: as in the call: `x` is read for logSumExp alone. In place, d_x = d_y: dY is replaced; of the first two.
/// Errors: Status::Memory.   Workspace: softmax_backward_workspace_bytes(n, inner, threads).
/// Accuracy: 8 eps of the sum of the terms' sizes.   Determinism: a line's bits depend on itself alone; threads share out lines.

#include "ops/softmax.hpp"

namespace fovea {

struct SoftmaxBackwardArgs {
  SoftmaxKind kind = SoftmaxKind::Softmax;
  std::size_t outer = 0, n = 0, inner = 1;
  const float* x = nullptr;
  const float* y = nullptr;
  const float* d_y = nullptr;
  float* d_x = nullptr;
};

[[nodiscard]] std::uint64_t softmax_backward_workspace_bytes(std::size_t n, std::size_t inner,
                                                             std::size_t threads = 1) noexcept;

[[nodiscard]] Status softmax_backward(const SoftmaxBackwardArgs& args, Workspace workspace,
                                      ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

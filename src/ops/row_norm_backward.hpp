#pragma once
/// Gradients of ops/row_norm.hpp. With z = (s - mean s) r, s = x + residual, r = 1 / √(variance + eps), g = dY weight (rms: no mean,
/// the mean of the squares):
///   layer  dS = r (g - mean g - z mean(g z))          rms  dS = r (g - z mean(g z))
///   dX += dS,  dResidual += dS,  dWeight[i] += Σ dY z,  dBias[i] += Σ dY
/// Shapes: as in the call; d_x at the strides of x, d_residual contiguous, d_weight, d_bias [n]; null: not wanted. Where d_x and
///   d_residual are one array, both are added.
/// Statistics are computed again from s, as in the call: numbers whose squares leave float32's range are scaled.
/// Errors: Status::Memory.   Workspace: row_norm_backward_workspace_bytes().
/// Accuracy: 8 eps of the sum of the terms' sizes. Sums over lines in order over chunks of a constant number of lines, the chunks
///   added in order.
/// Determinism: bits depend on the call alone; threads share out chunks.

#include "ops/row_norm.hpp"

namespace fovea {

struct RowNormBackwardArgs {
  RowNormArgs forward;
  const float* d_y = nullptr;
  float* d_x = nullptr;
  float* d_residual = nullptr;
  float* d_weight = nullptr;
  float* d_bias = nullptr;
};

[[nodiscard]] std::uint64_t row_norm_backward_workspace_bytes(const RowNormBackwardArgs& args,
                                                              std::size_t threads = 1) noexcept;

[[nodiscard]] Status row_norm_backward(const RowNormBackwardArgs& args, Workspace workspace,
                                       ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

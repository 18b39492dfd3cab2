#pragma once
/// Gradients of ops/conv1d.hpp.
///   dX[b, c, p] += Σ weight[o, c, k] dY[b, o, t],   dWeight[o, c, k] += Σ dY[b, o, t] x[b, c, p],   dBias[o] += Σ dY[b, o, t],
///   over all t and k with p = t stride + k dilation - padding
/// Shapes: as in the call; null: not wanted. No two of them are one array.
/// Products of matrices: windows are laid side by side in blocks of tokens.
/// Errors: Status::Shape, Status::Memory.   Workspace: conv1d_backward_workspace_bytes().
/// Accuracy: as gemm/matmul_backward.hpp, blocks added in order.   Determinism: bits depend on the call alone.

#include "ops/conv1d.hpp"

namespace fovea {

struct Conv1dBackwardArgs {
  Conv1dArgs forward;  // without y
  const float* d_y = nullptr;
  float* d_x = nullptr;
  float* d_weight = nullptr;
  float* d_bias = nullptr;
};

[[nodiscard]] std::uint64_t conv1d_backward_workspace_bytes(const Conv1dBackwardArgs& args, std::size_t threads = 1) noexcept;

[[nodiscard]] Status conv1d_backward(const Conv1dBackwardArgs& args, Workspace workspace, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

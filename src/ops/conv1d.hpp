#pragma once
/// Convolution along the tokens, as cross-correlation.
///   y[b, o, t] = bias[o] + Σ_{c, k} weight[o, c, k] x[b, g C + c, t stride + k dilation - padding],   C = Ci / groups,
///   g the group of o; positions outside of [0, T) count as zeros.
/// Shapes: x [B, Ci, T], y [B, Co, To], or with channels_last x [B, T, Ci], y [B, To, Co]; weight [Co, Ci / groups, K] in both;
///   bias [Co] or null; all contiguous. Groups divide Ci and Co.
/// Products of matrices: windows are laid side by side in blocks of tokens, or read where they lie where they do so already;
///   a convolution that is one of each channel by itself is summed directly.
/// Errors: Status::Shape, Status::Memory.   Workspace: conv1d_workspace_bytes().
/// Accuracy: as gemm/matmul.hpp.   Determinism: an element's bits depend on its window and its channel's weights; threads share out
///   blocks.

#include <cstddef>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct Conv1dArgs {
  std::size_t batch = 0, in_channels = 0, out_channels = 0, groups = 1;
  std::size_t tokens = 0, out_tokens = 0;
  std::size_t kernel = 1, stride = 1, dilation = 1, padding = 0;  // padding before the first token
  bool channels_last = false;
  const float* x = nullptr;
  const float* weight = nullptr;
  const float* bias = nullptr;
  float* y = nullptr;

  [[nodiscard]] std::size_t group_in() const noexcept { return in_channels / groups; }
  [[nodiscard]] std::size_t group_out() const noexcept { return out_channels / groups; }
  [[nodiscard]] std::size_t depth() const noexcept { return group_in() * kernel; }
};

[[nodiscard]] std::uint64_t conv1d_workspace_bytes(const Conv1dArgs& args, std::size_t threads = 1) noexcept;

[[nodiscard]] Status conv1d(const Conv1dArgs& args, Workspace workspace, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

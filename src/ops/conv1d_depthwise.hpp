#pragma once
/// Convolution of each channel by itself (ops/conv1d.hpp with one channel in each group): no product of matrices, but sums of
/// shifted rows, tokens or channels side by side.

#include "ops/conv1d.hpp"

namespace fovea {

/// Whether conv1d_depthwise does this one.
[[nodiscard]] inline bool is_depthwise(const Conv1dArgs& args) noexcept {
  return args.group_in() == 1 && (!args.channels_last || args.group_out() == 1);
}

/// `weight` is [K, C] with channels_last.
void conv1d_depthwise(const Conv1dArgs& args, const float* weight, ThreadPool* pool) noexcept;

}  // namespace fovea

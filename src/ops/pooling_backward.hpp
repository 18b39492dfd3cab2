#pragma once
/// Gradients of ops/pooling.hpp.
///   max   the first entry of a window that is its maximum, or its first NaN, receives dY
///   mean  every entry that exists receives dY divided by what the mean was divided by        sum   dY
/// Shapes: as in the call.   Accuracy: float32 sums over the windows of an entry, in their order.
/// Determinism: an entry's bits depend on its line alone; threads share out lines.

#include "ops/pooling.hpp"

namespace fovea {

/// `forward` without y.
struct PoolingBackwardArgs {
  PoolingArgs forward;
  const float* d_y = nullptr;
  float* d_x = nullptr;
};

void pool_windows_backward(const PoolingBackwardArgs& args, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

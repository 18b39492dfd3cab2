#pragma once
/// Gradients of ops/blend.hpp, summed over the axes that were broadcast.
///   y = g a + (1 - g) b:   dA += dY g,   dB += dY (1 - g),   dG += dY (a - b)
/// Shapes: d_y as y; the gradients at the strides of a, b and the gate, null: not wanted. Where some are one array, they are added
///   in this order.
/// Accuracy: a term in float32, rounded; sums as ops/broadcast_sums.hpp.
/// Determinism: bits depend on the call alone; threads share out elements of the gradients.

#include "ops/blend.hpp"

namespace fovea {

struct BlendBackwardArgs {
  BlendArgs forward;
  const float* d_y = nullptr;
  float* d_a = nullptr;
  float* d_b = nullptr;
  float* d_gate = nullptr;
};

void blend_backward(const BlendBackwardArgs& args, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

#pragma once
/// Gradients of ops/arithmetic.hpp, summed over the axes that were broadcast.
///   y = s (a ± b)      dA += s dY               dB += ± s dY
///   y = s a b          dA += s dY b             dB += s dY a
///   y = a / b          dA += dY / b             dB -= dY (a / b) / b
///   y = min, max       dY to the one that was taken, half each where a = b, both where one is NaN
/// Shapes: d_y as y; d_a and d_b at the strides of a and b, null: not wanted. Where both are one array, d_a is added first.
/// In place, d_a = d_y or d_b = d_y, where y was written over an array that is not broadcast: dY is replaced by its gradient, after
/// the other's was added. The gradient must not need what was overwritten: add, subtract, multiply.
/// Accuracy: a term in float32, rounded; sums as ops/broadcast_sums.hpp.
/// Determinism: bits depend on the call alone; threads share out elements of d_a and d_b.

#include "core/thread_pool.hpp"
#include "ops/arithmetic.hpp"

namespace fovea {

struct ArithmeticBackwardArgs {
  ArithmeticArgs forward;
  const float* d_y = nullptr;
  float* d_a = nullptr;
  float* d_b = nullptr;
};

void arithmetic_backward(const ArithmeticBackwardArgs& args, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

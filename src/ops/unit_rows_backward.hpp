#pragma once
/// Gradient of ops/unit_rows.hpp.
///   dX += (dY - y (y · dY)) / |x|;  a row of zeros receives nothing
/// Shapes: x as in the call and d_x at its strides; y, d_y contiguous.
/// Accuracy: a term in float64, rounded once.   Determinism: a row's bits depend on itself alone; threads share out rows.

#include "ops/unit_rows.hpp"

namespace fovea {

struct UnitRowsBackwardArgs {
  UnitRowsArgs forward;
  const float* d_y = nullptr;
  float* d_x = nullptr;
};

void unit_rows_backward(const UnitRowsBackwardArgs& args, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

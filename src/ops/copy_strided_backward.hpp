#pragma once
/// Gradient of ops/copy_strided.hpp: dX += dY, element by element.
///   dX[Σ index[axis] x_strides[axis]] += dY[Σ index[axis] y_strides[axis]]  for every index
/// Shapes: as in the call. Where strides of x repeat or overlap, the terms of an element are added in a constant order.
/// Determinism: bits depend on the call alone; on one thread.

#include "ops/copy_strided.hpp"

namespace fovea {

/// `axes` of d_x and d_y.
void copy_strided_backward(const SharedAxes<2>& axes, const float* d_y, float* d_x) noexcept;

}  // namespace fovea

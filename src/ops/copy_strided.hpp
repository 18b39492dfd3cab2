#pragma once
/// Moves the numbers of an array to other strides: transposes, windows, parts of a longer axis.
///   y[Σ index[axis] y_strides[axis]] <- x[Σ index[axis] x_strides[axis]]  for every index
/// Shapes: both have the lengths of the axes; strides are counted in floats, those of x may repeat or overlap, those of y not.
/// Accuracy: exact.   Determinism: threads share out elements.

#include "core/thread_pool.hpp"
#include "ops/row_walk.hpp"

namespace fovea {

struct CopyArgs {
  SharedAxes<2> axes;  // of x and y
  const float* x = nullptr;
  float* y = nullptr;
};

void copy_strided(const CopyArgs& args, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

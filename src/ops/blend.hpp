#pragma once
/// Two arrays joined by a gate, element by element, broadcast by NumPy's rule (the fusion gate of Shen et al. 2018, DiSAN,
/// arXiv:1709.04696 eq. 20).
///   y = g a + (1 - g) b
/// Shapes: y is row-major and has the lengths of the axes; a, b and g are walked by strides.
/// Accuracy: two products and a sum, rounded each. In place is not allowed.
/// Determinism: an element's bits depend on nothing else; threads share out chunks of constant size.

#include "core/thread_pool.hpp"
#include "ops/row_walk.hpp"

namespace fovea {

struct BlendArgs {
  SharedAxes<3> axes;  // of a, b and the gate
  const float* a = nullptr;
  const float* b = nullptr;
  const float* gate = nullptr;
  float* y = nullptr;
};

void blend(const BlendArgs& args, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

#pragma once
/// Gradients of ops/elementary.hpp.
///   |x|   dX += dY sign(x), 0 at 0        exp   dX += dY y, by the result        ln   dX += dY / x
/// In place, d_x = d_y: dY is replaced; exp alone, as the others need the x that the call has overwritten.
/// Accuracy: a product or quotient, rounded, then a sum.   Determinism: an element's bits depend on nothing else.

#include "ops/elementary.hpp"

namespace fovea {

struct ElementaryBackwardArgs {
  Elementary kind = Elementary::Abs;
  const float* x = nullptr;
  const float* y = nullptr;
  std::size_t count = 0;
  const float* d_y = nullptr;
  float* d_x = nullptr;
};

void elementary_backward(const ElementaryBackwardArgs& args) noexcept;

}  // namespace fovea

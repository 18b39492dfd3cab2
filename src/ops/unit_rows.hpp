#pragma once
/// Rows divided by their Euclidean length.
///   y[b, h, t] = x[b, h, t] / |x[b, h, t]|;  a row of zeros stays
/// Shapes: x [batch, heads, tokens, width], rows of unit stride; y the same, contiguous.
/// The length is computed in float64, so that no square overflows. NaN in a row makes it NaN; infinity gives NaN, other entries 0.
/// Accuracy: within 1 ULP of the exact quotient.   Determinism: a row's bits depend on itself alone; threads share out rows.

#include <cstddef>

#include "core/thread_pool.hpp"
#include "core/view.hpp"

namespace fovea {

struct UnitRowsArgs {
  std::size_t batch = 0, heads = 0, tokens = 0, width = 0;
  HeadsView<const float> x;
  float* y = nullptr;
};

void unit_rows(const UnitRowsArgs& args, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

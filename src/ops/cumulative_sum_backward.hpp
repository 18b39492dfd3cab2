#pragma once
/// Gradient of ops/cumulative_sum.hpp: sums of the entries from the last one on.
///   dX[o, l, i] += Σ_{l' >= l} dY[o, l', i]
/// Shapes: [outer, length, inner], contiguous. In place, d_x = d_y: dY is replaced.
/// Accuracy: summed in double, each sum rounded once.   Determinism: a line's bits depend on the line alone.

#include <cstddef>

namespace fovea {

void cumulative_sum_backward(const float* d_y, std::size_t outer, std::size_t length, std::size_t inner, float* d_x) noexcept;

}  // namespace fovea

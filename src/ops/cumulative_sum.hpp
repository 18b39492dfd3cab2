#pragma once
/// Sums of the entries so far along one axis.
///   y[o, l, i] = Σ_{l' <= l} x[o, l', i]
/// Shapes: x, y [outer, length, inner], contiguous; y may be x.
/// Accuracy: summed in double, each sum rounded once. NaN and infinities pass on from where they stand.
/// Determinism: a line's bits depend on the line alone.

#include <cstddef>

namespace fovea {

void cumulative_sum(const float* x, std::size_t outer, std::size_t length, std::size_t inner, float* y) noexcept;

}  // namespace fovea

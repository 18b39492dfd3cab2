#pragma once
/// y[i] <- ln x[i]: -inf of 0, NaN of less. In place allowed.
/// Accuracy: computed in double, then rounded.

#include <cstddef>

namespace fovea {

void logarithm(const float* x, std::size_t count, float* y) noexcept;

}  // namespace fovea

#pragma once
/// The dot product of two float vectors, in double.
///   Σ_d a[d] b[d]: each product is exact, the sum is off by at most n 2^-53 Σ |a[d] b[d]|.

#include <cstddef>

namespace fovea {

[[nodiscard]] double dot_in_double(const float* a, const float* b, std::size_t n) noexcept;

}  // namespace fovea

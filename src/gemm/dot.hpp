#pragma once
/// Dot products of float32 rows, summed in float64: those of even d and those of odd d, then both. Each product is exact, so that
/// the bits are the same with and without relaxed SIMD.

#include <cstddef>

#include "gemm/panels.hpp"

namespace fovea {

[[nodiscard]] double dot_in_double(const float* a, const float* b, std::size_t n) noexcept;

/// out[c] <- a · b[c], in the bits of dot_in_double. Four chains of sums take a third of the time of one.
inline constexpr std::size_t kDotsTogether = 4;
void dots_in_double(const float* a, const float* const (&b)[kDotsTogether], std::size_t n,
                    double (&out)[kDotsTogether]) noexcept;

/// Rows of A and B in one step of scaled_dots: their sums stay in registers. 8 × 512 × 512 at width 64, all
/// scores large, ms: one by one 52, 3 × 2 in four chains each, which V8 spills, 33, 3 × 3 26, of 12 without (2026-11).
inline constexpr std::size_t kDotRows = kMr / 2, kDotColumns = kMr == 6 ? 3 : 4;

/// out[r][c] <- float(scale (a[r] · b[c])) for c < kDotColumns, in the bits of dot_in_double. A may be converted already.
template <class A>
void scaled_dots(const A* const (&a)[kDotRows], const float* const (&b)[kDotColumns], std::size_t n, double scale,
                 float (&out)[kDotRows][4]) noexcept;

extern template void scaled_dots(const float* const (&)[kDotRows], const float* const (&)[kDotColumns], std::size_t, double,
                                 float (&)[kDotRows][4]) noexcept;
extern template void scaled_dots(const double* const (&)[kDotRows], const float* const (&)[kDotColumns], std::size_t, double,
                                 float (&)[kDotRows][4]) noexcept;

}  // namespace fovea

#include "gemm/dot.hpp"

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f64;

/// sums[r][c] <- Σ a[r][d] b[c][d] of even and of odd d. Returns how many d that were: all, or all but the last.
template <std::size_t kRows, std::size_t kColumns, class A>
std::size_t sum_pairs(const A* const (&a)[kRows], const float* const (&b)[kColumns], std::size_t n,
                      f64 (&sums)[kRows][kColumns]) noexcept {
  for (auto& row : sums) {
    for (f64& sum : row) sum = f64(0.0);
  }
  std::size_t d = 0;
  for (; d + f64::size <= n; d += f64::size) {
    f64 x[kRows];
    for (std::size_t r = 0; r < kRows; ++r) x[r] = simd::load_double(a[r] + d);
    for (std::size_t c = 0; c < kColumns; ++c) {
      const f64 y = simd::load_double(b[c] + d);
      for (std::size_t r = 0; r < kRows; ++r) sums[r][c] = simd::madd(x[r], y, sums[r][c]);
    }
  }
  return d;
}

}  // namespace

double dot_in_double(const float* a, const float* b, std::size_t n) noexcept {
  const float* const row[1] = {a};
  const float* const column[1] = {b};
  f64 sums[1][1];
  const std::size_t d = sum_pairs(row, column, n, sums);
  const double sum = sums[0][0].get(0) + sums[0][0].get(1);
  return d < n ? sum + static_cast<double>(a[d]) * static_cast<double>(b[d]) : sum;
}

void dots_in_double(const float* a, const float* const (&b)[kDotsTogether], std::size_t n,
                    double (&out)[kDotsTogether]) noexcept {
  const float* const row[1] = {a};
  f64 sums[1][kDotsTogether];
  const std::size_t d = sum_pairs(row, b, n, sums);
  for (std::size_t c = 0; c < kDotsTogether; ++c) {
    out[c] = sums[0][c].get(0) + sums[0][c].get(1);
    if (d < n) out[c] += static_cast<double>(a[d]) * static_cast<double>(b[c][d]);
  }
}

template <class A>
void scaled_dots(const A* const (&a)[kDotRows], const float* const (&b)[kDotColumns], std::size_t n, double scale,
                 float (&out)[kDotRows][4]) noexcept {
  f64 sums[kDotRows][kDotColumns];
  const std::size_t d = sum_pairs(a, b, n, sums);
  for (std::size_t r = 0; r < kDotRows; ++r) {
    for (std::size_t c = 0; c < kDotColumns; c += f64::size) {
      const std::size_t next = c + 1 < kDotColumns ? c + 1 : c;
      f64 both = simd::add_pairs(sums[r][c], sums[r][next]);
      if (d < n) {
        const f64 last(static_cast<double>(b[c][d]), static_cast<double>(b[next][d]));
        both = both + f64(static_cast<double>(a[r][d])) * last;
      }
      simd::store_float(out[r] + c, both * f64(scale));
    }
  }
}

template void scaled_dots(const float* const (&)[kDotRows], const float* const (&)[kDotColumns], std::size_t, double,
                          float (&)[kDotRows][4]) noexcept;
template void scaled_dots(const double* const (&)[kDotRows], const float* const (&)[kDotColumns], std::size_t, double,
                          float (&)[kDotRows][4]) noexcept;

}  // namespace fovea

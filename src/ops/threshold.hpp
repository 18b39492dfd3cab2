#pragma once
/// Shared by sparsemax and entmax: a threshold τ below which a score has no weight, found among the few scores near the
/// highest one.

#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/infinity.hpp"

namespace fovea {

/// FullyMasked: no score is above -inf. NonFinite: one is NaN or +inf. Finite: neither.
enum class RowKind { FullyMasked, NonFinite, Finite };

inline RowKind kind_of(const float* s, std::size_t n, float& row_max) noexcept {
  float zeros = 0.0f;  // stays 0 unless something times 0 is NaN
  row_max = kMinusInfinity;
  for (std::size_t j = 0; j < n; ++j) {
    if (s[j] == kMinusInfinity) continue;
    zeros += s[j] * 0.0f;
    row_max = s[j] > row_max ? s[j] : row_max;
  }
  if (zeros != 0.0f) return RowKind::NonFinite;  // true for a NaN
  return row_max == kMinusInfinity ? RowKind::FullyMasked : RowKind::Finite;
}

/// near <- the scores less than `reach` below the row maximum, the largest first; returns how many.
inline std::size_t sort_near(const float* s, std::size_t n, float row_max, double reach, float* near) noexcept {
  float* const end =
      std::copy_if(s, s + n, near, [=](float x) { return static_cast<double>(row_max) - static_cast<double>(x) < reach; });
  std::sort(near, end, [](float a, float b) { return a > b; });
  return static_cast<std::size_t>(end - near);
}

/// p <- weight(s - row_max), which is in double; 0 for -inf
template <class Weight>
void weigh(float* s, std::size_t n, float row_max, Weight weight) noexcept {
  for (std::size_t j = 0; j < n; ++j) {
    s[j] = s[j] == kMinusInfinity ? 0.0f : static_cast<float>(weight(static_cast<double>(s[j]) - static_cast<double>(row_max)));
  }
}

/// p of a row that is not live
inline void fill_degenerate(RowKind kind, float* p, std::size_t n) noexcept {
  std::fill_n(p, n, kind == RowKind::FullyMasked ? 0.0f : std::numeric_limits<float>::quiet_NaN());
}

}  // namespace fovea

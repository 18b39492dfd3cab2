#pragma once
/// What sparsemax and entmax share: a threshold τ below which a score has no weight, found among the few scores near the
/// highest one.

#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/infinity.hpp"

namespace fovea {

/// Of scores: nothing above -inf, a NaN or +inf among them, or neither.
enum class RowKind { FullyMasked, NonFinite, Finite };

inline RowKind kind_of(const float* s, std::size_t n, float& highest) noexcept {
  float zeros = 0.0f;  // stays 0 unless something times 0 is NaN
  highest = kMinusInfinity;
  for (std::size_t j = 0; j < n; ++j) {
    if (s[j] == kMinusInfinity) continue;
    zeros += s[j] * 0.0f;
    highest = s[j] > highest ? s[j] : highest;
  }
  if (zeros != 0.0f) return RowKind::NonFinite;  // true for a NaN
  return highest == kMinusInfinity ? RowKind::FullyMasked : RowKind::Finite;
}

/// near <- the scores less than `reach` below the highest, the highest first; returns how many.
inline std::size_t sort_near(const float* s, std::size_t n, float highest, double reach, float* near) noexcept {
  float* const end =
      std::copy_if(s, s + n, near, [=](float x) { return static_cast<double>(highest) - static_cast<double>(x) < reach; });
  std::sort(near, end, [](float a, float b) { return a > b; });
  return static_cast<std::size_t>(end - near);
}

/// p <- weight(s - highest), which is in double; 0 for -inf
template <class Weight>
void weigh(float* s, std::size_t n, float highest, Weight weight) noexcept {
  for (std::size_t j = 0; j < n; ++j) {
    s[j] = s[j] == kMinusInfinity ? 0.0f : static_cast<float>(weight(static_cast<double>(s[j]) - static_cast<double>(highest)));
  }
}

/// p of a row that is not live
inline void fill_degenerate(RowKind kind, float* p, std::size_t n) noexcept {
  std::fill_n(p, n, kind == RowKind::FullyMasked ? 0.0f : std::numeric_limits<float>::quiet_NaN());
}

}  // namespace fovea

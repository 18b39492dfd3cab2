#pragma once
/// Shared by sparsemax and entmax: a threshold τ below which a score has no weight, found among the few scores near the
/// highest one.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {

/// FullyMasked: no score is above -inf. NonFinite: one is NaN or +inf. Finite: neither.
enum class RowKind { FullyMasked, NonFinite, Finite };

inline RowKind kind_of(const float* s, std::size_t n, float& row_max) noexcept {
  using simd::f32;
  const f32 lowest = simd::splat(kMinusInfinity), zero = simd::splat(0.0f);
  f32 zeros = zero, highest = lowest;  // zeros stay 0 unless something times 0 is NaN
  const auto look = [&](f32 x) {
    zeros = zeros + simd::select(x == lowest, zero, x * zero);
    highest = simd::max(highest, x);
  };
  std::size_t j = 0;
  for (; j + f32::size <= n; j += f32::size) look(simd::load(s + j));
  for (; j < n; ++j) look(simd::splat(s[j]));
  row_max = simd::reduce_max(highest);
  if (simd::reduce_add(zeros) != 0.0f) return RowKind::NonFinite;  // true for a NaN
  return row_max == kMinusInfinity ? RowKind::FullyMasked : RowKind::Finite;
}

/// Calls visit(j), ascending, for every score that may be less than `reach` below the row maximum: those of which that can be told
/// in float32 are left out, four at a time.
template <class Visit>
void for_each_near(const float* s, std::size_t n, float row_max, double reach, Visit visit) noexcept {
  // A number above the exact bound is not below the rounded one.
  const auto bound = static_cast<float>(static_cast<double>(row_max) - reach);
  std::size_t j = 0;
  for (; j + simd::f32::size <= n; j += simd::f32::size) {
    for (auto near = (simd::load(s + j) >= simd::splat(bound)).mask(); near != 0; near &= near - 1) {
      visit(j + static_cast<std::size_t>(std::countr_zero(near)));
    }
  }
  for (; j < n; ++j) {
    if (s[j] >= bound) visit(j);
  }
}

/// near <- the scores less than `reach` below the row maximum, the largest first; returns how many.
inline std::size_t sort_near(const float* s, std::size_t n, float row_max, double reach, float* near) noexcept {
  float* end = near;
  for_each_near(s, n, row_max, reach, [&](std::size_t j) {
    if (static_cast<double>(row_max) - static_cast<double>(s[j]) < reach) *end++ = s[j];
  });
  std::sort(near, end, [](float a, float b) { return a > b; });
  return static_cast<std::size_t>(end - near);
}

/// p <- weight(s - row_max), which is in double, and 0 for scores that are `reach` or more below the row maximum; `near` has n floats
template <class Weight>
void weigh_near(float* s, std::size_t n, float row_max, double reach, float* near, Weight weight) noexcept {
  std::fill_n(near, n, 0.0f);
  for_each_near(s, n, row_max, reach, [&](std::size_t j) {
    near[j] = static_cast<float>(weight(static_cast<double>(s[j]) - static_cast<double>(row_max)));
  });
  std::copy_n(near, n, s);
}

/// p of a row that is not live
inline void fill_degenerate(RowKind kind, float* p, std::size_t n) noexcept {
  std::fill_n(p, n, kind == RowKind::FullyMasked ? 0.0f : std::numeric_limits<float>::quiet_NaN());
}

}  // namespace fovea

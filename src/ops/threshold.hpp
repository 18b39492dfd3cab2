#pragma once
/// Shared by sparsemax and entmax: a threshold τ below which a score has no weight, found among the scores near the highest one
/// by Newton's method from below. Each step is one pass over these scores, whatever their number and order.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
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

/// near <- the scores that may be less than `reach` below the row maximum, in their order; returns how many. Others are left out
/// where float32 can tell, four at a time.
inline std::size_t collect_near(const float* s, std::size_t n, float row_max, double reach, float* near) noexcept {
  // A number above the exact bound is not below the rounded one.
  const auto bound = static_cast<float>(static_cast<double>(row_max) - reach);
  std::size_t count = 0, j = 0;
  for (; j + simd::f32::size <= n; j += simd::f32::size) {
    const simd::f32 x = simd::load(s + j);
    auto bits = (x >= simd::splat(bound)).mask();
    if (bits == 0xF) {
      simd::store(near + count, x);
      count += simd::f32::size;
      continue;
    }
    for (; bits != 0; bits &= bits - 1) near[count++] = s[j + static_cast<std::size_t>(std::countr_zero(bits))];
  }
  for (; j < n; ++j) {
    if (s[j] >= bound) near[count++] = s[j];
  }
  return count;
}

/// A sum of numbers of (-1, 1], each rounded to a multiple of 2^-50, and exact beyond that: the same in any order.
class OrderlessSum {
 public:
  /// The most numbers that may be added between two calls of fold().
  static constexpr std::size_t kFold = 4096;

  void add(simd::f64 x) noexcept { bits_ = bits_ + (simd::bits_of(x + simd::f64(kRound)) - simd::bits_of(simd::f64(kRound))); }

  void fold() noexcept {
    const std::int64_t sum = bits_.get(0) + bits_.get(1);
    high_ += sum >> 32;
    low_ += sum & 0xFFFFFFFF;
    high_ += low_ >> 32;
    low_ &= 0xFFFFFFFF;
    bits_ = simd::i64(0);
  }

  [[nodiscard]] double value() const noexcept {
    return (static_cast<double>(high_) * 0x1p32 + static_cast<double>(low_)) * 0x1p-50;
  }

 private:
  static constexpr double kRound = 0x1.8p2;  // the last bit of numbers near it is 2^-50

  simd::i64 bits_ = simd::i64(0);
  std::int64_t high_ = 0, low_ = 0;
};

/// Scores z = scale (s - row_max) that are above a threshold.
struct SumsAbove {
  std::size_t count;
  double sum, squares, least;  // squares: 0 unless they are asked for
};

/// `threshold` is in [-1, 0). The sums are the same in any order of the scores.
template <bool kSquares>
SumsAbove sums_above(const float* near, std::size_t n, float row_max, double scale, double threshold) noexcept {
  using simd::f64;
  const f64 top(static_cast<double>(row_max)), factor(scale), bound(threshold), zero(0.0), one(1.0);
  OrderlessSum sum, squares;
  f64 count = zero, least = zero;
  const auto take = [&](const float* two) {
    const f64 z = (simd::load_double(two) - top) * factor;
    const auto is_above = z > bound;
    const f64 above = simd::select(is_above, z, zero);
    sum.add(above);
    if constexpr (kSquares) squares.add(above * above);
    count = count + simd::select(is_above, one, zero);
    least = simd::min(least, above);
  };
  for (std::size_t first = 0; first < n; first += OrderlessSum::kFold) {
    const std::size_t end = std::min(n, first + OrderlessSum::kFold);
    std::size_t i = first;
    for (; i + f64::size <= end; i += f64::size) take(near + i);
    if (i < end) {
      const float last[f64::size] = {near[i], kMinusInfinity};
      take(last);
    }
    sum.fold();
    squares.fold();
  }
  return {static_cast<std::size_t>(count.get(0) + count.get(1)), sum.value(), squares.value(),
          std::min(least.get(0), least.get(1))};
}

/// p <- weight(s - row_max) in double, rounded; weight gives 0 for scores that are `reach` or more below the row maximum.
template <class Weight>
void weigh_near(float* s, std::size_t n, float row_max, double reach, Weight weight) noexcept {
  using simd::f32;
  using simd::f64;
  const f32 bound = simd::splat(static_cast<float>(static_cast<double>(row_max) - reach));
  const f64 top(static_cast<double>(row_max));
  const auto weigh = [&](float* four) {
    if ((simd::load(four) >= bound).mask() == 0) return simd::store(four, simd::splat(0.0f));
    for (std::size_t i = 0; i < f32::size; i += f64::size) {
      simd::store_float(four + i, weight(simd::load_double(four + i) - top));
    }
  };
  std::size_t j = 0;
  for (; j + f32::size <= n; j += f32::size) weigh(s + j);
  if (j == n) return;
  float last[f32::size];
  std::fill(std::copy(s + j, s + n, last), last + f32::size, kMinusInfinity);
  weigh(last);
  std::copy_n(last, n - j, s + j);
}

/// p of a row that is not live
inline void fill_degenerate(RowKind kind, float* p, std::size_t n) noexcept {
  std::fill_n(p, n, kind == RowKind::FullyMasked ? 0.0f : std::numeric_limits<float>::quiet_NaN());
}

}  // namespace fovea

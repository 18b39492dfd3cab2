#include "attention/softmax/online_softmax.hpp"

#include <algorithm>

#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

/// A row that has seen no allowed key has m = -inf; subtracting 0 instead keeps exp(-inf - m) at 0.
float finite_shift(float m) noexcept { return m == kMinusInfinity ? 0.0f : m; }

/// Whether no score exceeds its row's m by more than kRescaleThreshold; a NaN does.
bool max_unchanged(const ScoreTile& tile, SoftmaxRows rows) noexcept {
  auto within = load(tile.row_max[0]) <= splat(rows.m[0] + kRescaleThreshold);
  for (std::size_t r = 1; r < tile.rows; ++r) within = within && load(tile.row_max[r]) <= splat(rows.m[r] + kRescaleThreshold);
  return simd::all(within);
}

/// m <- max(m, t), where t = max_j s[r][j] is beyond what l and o can take; both are scaled by exp(m - t).
void rescale_rows(const ScoreTile& tile, SoftmaxRows rows) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const float t = simd::reduce_max(load(tile.row_max[r]));
    if (t <= rows.m[r] + kRescaleThreshold) continue;  // false for a NaN
    if (rows.m[r] == kMinusInfinity) {                 // l and o are 0, or NaN
      rows.m[r] = t;
      continue;
    }
    const f32 correction = simd::exp(splat(rows.m[r] - t));
    float* const o = rows.o + r * rows.stride;
    for (std::size_t c = 0; c < rows.stride; c += f32::size) store(o + c, load(o + c) * correction);
    store(rows.l + r * f32::size, load(rows.l + r * f32::size) * correction);
    rows.m[r] = t;
  }
}

}  // namespace

void init(SoftmaxRows rows, std::size_t count) noexcept {
  std::fill_n(rows.m, count, kMinusInfinity);
  std::fill_n(rows.l, count * f32::size, 0.0f);
  std::fill_n(rows.o, count * rows.stride, 0.0f);
}

void rescale(const ScoreTile& tile, SoftmaxRows rows) noexcept {
  if (!max_unchanged(tile, rows)) rescale_rows(tile, rows);
}

void exponentiate(ScoreTile& tile, SoftmaxRows rows) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const f32 shift = splat(finite_shift(rows.m[r]));
    float* const s = tile.s[r];
    f32 l = load(rows.l + r * f32::size);
    over_columns(tile, [&](std::size_t j) {
      const f32 p = simd::exp(load(s + j) - shift);
      store(s + j, p);
      l = l + p;
    });
    store(rows.l + r * f32::size, l);
  }
}

}  // namespace fovea

#include "attention/online_softmax.hpp"

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

/// Whether no score exceeds its row's m by more than kLazy; a NaN does.
bool within_reach(const ScoreTile& tile, RunningRows rows) noexcept {
  auto within = load(tile.highest[0]) <= splat(rows.m[0] + kLazy);
  for (std::size_t r = 1; r < tile.rows; ++r) within = within && load(tile.highest[r]) <= splat(rows.m[r] + kLazy);
  return simd::all(within);
}

/// m <- max(m, t), where t = max_j s[r][j] is beyond what l and o can take; they shrink by exp(m - t).
void raise_rows(const ScoreTile& tile, RunningRows rows) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const float t = simd::reduce_max(load(tile.highest[r]));
    if (t <= rows.m[r] + kLazy) continue;  // false for a NaN
    const f32 shrink = simd::exp(splat(rows.m[r] - t));
    float* const o = rows.o + r * rows.stride;
    for (std::size_t c = 0; c < rows.stride; c += f32::size) store(o + c, load(o + c) * shrink);
    store(rows.l + r * f32::size, load(rows.l + r * f32::size) * shrink);
    rows.m[r] = t;
  }
}

}  // namespace

void start(RunningRows rows, std::size_t count) noexcept {
  std::fill_n(rows.m, count, kMinusInfinity);
  std::fill_n(rows.l, count * f32::size, 0.0f);
  std::fill_n(rows.o, count * rows.stride, 0.0f);
}

void raise(const ScoreTile& tile, RunningRows rows) noexcept {
  if (!within_reach(tile, rows)) raise_rows(tile, rows);
}

void exponentiate(ScoreTile& tile, RunningRows rows) noexcept {
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

void accumulate_allowed(const ScoreTile& tile, const float* v, std::size_t panels, RunningRows rows) noexcept {
  for (std::size_t c = 0; c < panels * kPanelColumns; c += kPanelColumns, v += tile.keys * kPanelColumns) {
    for (std::size_t r = 0; r < tile.rows; ++r) {
      float* const o = rows.o + r * rows.stride + c;
      f32 left = load(o), right = load(o + 4);
      for (std::size_t j = 0; j < tile.keys; ++j) {
        if ((tile.allowed[r] >> j & 1) == 0) continue;
        const f32 weight = splat(tile.s[r][j]);
        left = simd::madd(weight, load(v + j * kPanelColumns), left);
        right = simd::madd(weight, load(v + j * kPanelColumns + 4), right);
      }
      store(o, left);
      store(o + 4, right);
    }
  }
}

}  // namespace fovea

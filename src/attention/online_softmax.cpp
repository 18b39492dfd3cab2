#include "attention/online_softmax.hpp"

#include <algorithm>
#include <cmath>

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
  for (std::size_t r = 1; r < kPanelRows; ++r) within = within && load(tile.highest[r]) <= splat(rows.m[r] + kLazy);
  return simd::all(within);
}

/// m <- max(m, t), where t = max_j s[r][j] is beyond what l and o can take; they shrink by exp(m - t).
void raise(const ScoreTile& tile, RunningRows rows) noexcept {
  for (std::size_t r = 0; r < kPanelRows; ++r) {
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

void start(RunningRows rows) noexcept {
  std::fill_n(rows.m, kPanelRows, kMinusInfinity);
  std::fill_n(rows.l, kPanelRows * f32::size, 0.0f);
  std::fill_n(rows.o, kPanelRows * rows.stride, 0.0f);
}

void raise_and_exponentiate(ScoreTile& tile, RunningRows rows) noexcept {
  if (!within_reach(tile, rows)) raise(tile, rows);

  // s <- exp(s - m);  l <- l + Σ_j s
  for (std::size_t r = 0; r < kPanelRows; ++r) {
    const f32 shift = splat(finite_shift(rows.m[r]));
    float* const s = tile.s[r];
    f32 l = load(rows.l + r * f32::size);
    for (std::size_t j = 0; j < kKeyTile; j += f32::size) {
      const f32 p = simd::exp(load(s + j) - shift);
      store(s + j, p);
      l = l + p;
    }
    store(rows.l + r * f32::size, l);
  }
}

void accumulate_allowed(const ScoreTile& tile, const float* v, RunningRows rows) noexcept {
  for (std::size_t c = 0; c < rows.stride; c += kPanelColumns, v += tile.keys * kPanelColumns) {
    for (std::size_t r = 0; r < kPanelRows; ++r) {
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

RowNormalizer finish(float m, const float* lanes, float sink) noexcept {
  const float l = simd::reduce_add(load(lanes));
  // Each row's highest score adds at least exp(-kLazy) to l, so a sum of 0 means that no key was allowed. (m alone does not
  // tell: a NaN may hide from the maximum, never from the sum.)
  if (l == 0.0f) return {0.0f, 1.0f, 0.0f, kMinusInfinity};
  const float shift = sink > m ? sink : m;
  const float factor = simd::exp(m - shift);
  const float total = l * factor + simd::exp(sink - shift);
  return {m, factor, total, m + std::log(l)};
}

void normalize_output(const RowNormalizer& row, const float* o, std::size_t width, float* out) noexcept {
  if (row.total == 0.0f) {
    std::fill_n(out, width, 0.0f);
    return;
  }
  std::size_t c = 0;
  for (; c + f32::size <= width; c += f32::size) store(out + c, load(o + c) * splat(row.factor) / splat(row.total));
  for (; c < width; ++c) out[c] = o[c] * row.factor / row.total;
}

void normalize_weights(const RowNormalizer& row, std::size_t keys, float* weights) noexcept {
  if (row.total == 0.0f) {
    std::fill_n(weights, keys, 0.0f);
    return;
  }
  const f32 m = splat(row.m), factor = splat(row.factor), total = splat(row.total);
  const auto normalize = [&](f32 s) { return simd::exp(s - m) * factor / total; };
  std::size_t j = 0;
  for (; j + f32::size <= keys; j += f32::size) store(weights + j, normalize(load(weights + j)));
  for (; j < keys; ++j) weights[j] = normalize(splat(weights[j])).get(0);
}

}  // namespace fovea

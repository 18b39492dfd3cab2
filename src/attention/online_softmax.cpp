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

}  // namespace

void start(RunningRows rows) noexcept {
  for (std::size_t r = 0; r < kPanelRows; ++r) {
    rows.m[r] = kMinusInfinity;
    rows.l[r] = 0.0f;
    std::fill_n(rows.o + r * rows.stride, rows.stride, 0.0f);
  }
}

void raise_and_exponentiate(const ScoreTile& tile, RunningRows rows, float* p) noexcept {
  for (std::size_t r = 0; r < kPanelRows; ++r) {
    // t <- max_j s[r][j]
    f32 highest = load(tile.s[r]);
    for (std::size_t j = f32::size; j < kKeyTile; j += f32::size) highest = simd::max(highest, load(tile.s[r] + j));
    const float t = simd::reduce_max(highest);

    // m <- max(m, t), when t is beyond what l and o can take; the negated test lets a NaN through
    if (!(t <= rows.m[r] + kLazy)) {
      const float shrink = simd::exp(rows.m[r] - t);
      float* const o = rows.o + r * rows.stride;
      for (std::size_t c = 0; c < rows.stride; c += f32::size) store(o + c, load(o + c) * splat(shrink));
      rows.l[r] *= shrink;
      rows.m[r] = t;
    }
  }

  // p <- exp(s - m);  l <- l + Σ_j p
  f32 shift[kPanelRows], sum[kPanelRows];
  for (std::size_t r = 0; r < kPanelRows; ++r) {
    shift[r] = splat(finite_shift(rows.m[r]));
    sum[r] = splat(0.0f);
  }
  for (std::size_t j = 0; j < kKeyTile; j += f32::size) {
    f32 block[kPanelRows];
    for (std::size_t r = 0; r < kPanelRows; ++r) {
      block[r] = simd::exp(load(tile.s[r] + j) - shift[r]);
      sum[r] = sum[r] + block[r];
    }
    simd::transpose(block);
    for (std::size_t i = 0; i < f32::size; ++i) store(p + (j + i) * kPanelRows, block[i]);
  }
  for (std::size_t r = 0; r < kPanelRows; ++r) rows.l[r] += simd::reduce_add(sum[r]);
}

void accumulate_allowed(const ScoreTile& tile, const float* p, const float* v, RunningRows rows) noexcept {
  for (std::size_t c = 0; c < rows.stride; c += kPanelColumns, v += tile.keys * kPanelColumns) {
    for (std::size_t r = 0; r < kPanelRows; ++r) {
      float* const o = rows.o + r * rows.stride + c;
      f32 left = load(o), right = load(o + 4);
      for (std::size_t j = 0; j < tile.keys; ++j) {
        if ((tile.allowed[r] >> j & 1) == 0) continue;
        const f32 weight = splat(p[j * kPanelRows + r]);
        left = simd::madd(weight, load(v + j * kPanelColumns), left);
        right = simd::madd(weight, load(v + j * kPanelColumns + 4), right);
      }
      store(o, left);
      store(o + 4, right);
    }
  }
}

RowNormalizer finish(float m, float l, float sink) noexcept {
  // Each row's highest score adds at least exp(-kLazy) to l, so a sum of 0 means that no key was allowed. (m alone does not
  // tell: a NaN may hide from the maximum, never from the sum.)
  if (l == 0.0f) return {0.0f, 1.0f, 0.0f, kMinusInfinity};
  const float shift = sink > m ? sink : m;
  const float factor = simd::exp(m - shift);
  const float total = l * factor + simd::exp(sink - shift);
  return {m, factor, total, m + std::log(l)};
}

void normalize_output(const RowNormalizer& row, const float* o, std::size_t width, float* out) noexcept {
  for (std::size_t c = 0; c < width; ++c) out[c] = row.total == 0.0f ? 0.0f : o[c] * row.factor / row.total;
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

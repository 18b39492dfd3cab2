#include "ops/rows.hpp"

#include <algorithm>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

constexpr std::size_t kStreams = 4;
constexpr std::size_t kUnroll = 4;
constexpr std::size_t kStep = kMostRows / kStreams;

/// o[0 .. 4 kVectors) += Σ_j p[j] rows[j][...] over the chosen rows
template <std::size_t kVectors>
void accumulate_columns(const float* p, std::uint64_t chosen, const float* rows, std::ptrdiff_t stride, float* o) noexcept {
  f32 sums[kVectors];
  for (std::size_t c = 0; c < kVectors; ++c) sums[c] = load(o + c * f32::size);
  const auto add = [&](std::size_t j) {
    const f32 weight = splat(p[j]);
    const float* const row = rows + static_cast<std::ptrdiff_t>(j) * stride;
    for (std::size_t c = 0; c < kVectors; ++c) sums[c] = madd(weight, load(row + c * f32::size), sums[c]);
  };
  const bool all = chosen == ~std::uint64_t{0};
  for (std::size_t i = 0; i < kStep; ++i) {
    for (std::size_t j = i; j < kMostRows; j += kStep) {
      if (all || (chosen >> j & 1) != 0) add(j);
    }
  }
  for (std::size_t c = 0; c < kVectors; ++c) store(o + c * f32::size, sums[c]);
}

}  // namespace

void multiply_rows(const float* x, const float* rows, std::ptrdiff_t stride, std::size_t count, std::size_t width,
                   float* out) noexcept {
  const std::size_t whole = width / f32::size * f32::size;
  for (std::size_t i = 0; i < std::min(kStep, count); ++i) {
    const float* row[kStreams];
    f32 sums[kStreams];
    for (std::size_t s = 0; s < kStreams; ++s) {
      row[s] = rows + static_cast<std::ptrdiff_t>(std::min(s * kStep + i, count - 1)) * stride;
      sums[s] = splat(0.0f);
    }
    std::size_t d = 0;
    for (; d + kUnroll * f32::size <= whole; d += kUnroll * f32::size) {
      f32 a[kUnroll];
      for (std::size_t u = 0; u < kUnroll; ++u) a[u] = load(x + d + u * f32::size);
      for (std::size_t s = 0; s < kStreams; ++s) {
        for (std::size_t u = 0; u < kUnroll; ++u) sums[s] = madd(a[u], load(row[s] + d + u * f32::size), sums[s]);
      }
    }
    for (; d < whole; d += f32::size) {
      const f32 a = load(x + d);
      for (std::size_t s = 0; s < kStreams; ++s) sums[s] = madd(a, load(row[s] + d), sums[s]);
    }
    simd::transpose(sums);
    alignas(16) float total[kStreams];
    store(total, (sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (std::size_t s = 0; s < kStreams; ++s) {
      float rest = 0.0f;
      for (std::size_t e = whole; e < width; ++e) rest += x[e] * row[s][e];
      out[s * kStep + i] = total[s] + rest;
    }
  }
}

void accumulate_chosen_rows(const float* p, std::uint64_t chosen, const float* rows, std::ptrdiff_t stride, std::size_t width,
                            float* o) noexcept {
  std::size_t c = 0;
  for (; c + 64 <= width; c += 64) accumulate_columns<16>(p, chosen, rows + c, stride, o + c);
  for (; c + 16 <= width; c += 16) accumulate_columns<4>(p, chosen, rows + c, stride, o + c);
  for (; c + 4 <= width; c += 4) accumulate_columns<1>(p, chosen, rows + c, stride, o + c);
  for (; c < width; ++c) {
    for (std::size_t i = 0; i < kStep; ++i) {
      for (std::size_t j = i; j < kMostRows; j += kStep) {
        if ((chosen >> j & 1) != 0)
          o[c] += p[j] * rows[static_cast<std::ptrdiff_t>(j) * stride + static_cast<std::ptrdiff_t>(c)];
      }
    }
  }
}

}  // namespace fovea

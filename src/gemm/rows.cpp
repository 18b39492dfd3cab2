#include "gemm/rows.hpp"

#include <algorithm>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

static_assert(kStreams == f32::size, "the sums of the streams are transposed into one vector");

constexpr std::size_t kUnroll = 4;

const float* row_of(const RowStream& stream, std::size_t j, std::ptrdiff_t stride) noexcept {
  return stream.rows + static_cast<std::ptrdiff_t>(j) * stride;
}

/// Σ_d x[d] row[s][d] of the four rows
f32 multiply_four(const float* x, const std::array<const float*, kStreams>& row, std::size_t width) noexcept {
  f32 sums[kStreams];
  for (f32& sum : sums) sum = splat(0.0f);
  std::size_t d = 0;
  for (; d + kUnroll * f32::size <= width; d += kUnroll * f32::size) {
    f32 a[kUnroll];
    for (std::size_t u = 0; u < kUnroll; ++u) a[u] = load(x + d + u * f32::size);
    for (std::size_t s = 0; s < kStreams; ++s) {
      for (std::size_t u = 0; u < kUnroll; ++u) sums[s] = madd(a[u], load(row[s] + d + u * f32::size), sums[s]);
    }
  }
  for (; d + f32::size <= width; d += f32::size) {
    const f32 a = load(x + d);
    for (std::size_t s = 0; s < kStreams; ++s) sums[s] = madd(a, load(row[s] + d), sums[s]);
  }
  simd::transpose(sums);
  f32 total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (; d < width; ++d) {
    const float last[kStreams] = {row[0][d], row[1][d], row[2][d], row[3][d]};
    total = madd(splat(x[d]), load(last), total);
  }
  return total;
}

/// o[0 .. 4 kVectors) += Σ p[s][j] row[...]
template <std::size_t kVectors>
void accumulate_columns(const RowStreams& streams, const std::array<RowWeights, kStreams>& weights, std::ptrdiff_t stride,
                        std::size_t column, float* o) noexcept {
  f32 sums[kVectors];
  for (std::size_t c = 0; c < kVectors; ++c) sums[c] = load(o + c * f32::size);
  bool all = true;
  for (const RowWeights& one : weights) all = all && one.chosen == ~std::uint64_t{0};
  for (std::size_t j = 0; j < kStreamRows; ++j) {
    for (std::size_t s = 0; s < kStreams; ++s) {
      if (!all && (weights[s].chosen >> j & 1) == 0) continue;
      const f32 p = splat(weights[s].p[j]);
      const float* const row = row_of(streams[s], j, stride) + column;
      for (std::size_t c = 0; c < kVectors; ++c) sums[c] = madd(p, load(row + c * f32::size), sums[c]);
    }
  }
  for (std::size_t c = 0; c < kVectors; ++c) store(o + c * f32::size, sums[c]);
}

}  // namespace

void gemv(const float* x, const RowStreams& streams, std::ptrdiff_t stride, std::size_t width,
          const std::array<float*, kStreams>& out) noexcept {
  // A stream without rows is read as the longest, to no end: the loop has no branches.
  const auto shorter = [](const RowStream& a, const RowStream& b) { return a.count < b.count; };
  const RowStream longest = *std::max_element(streams.begin(), streams.end(), shorter);
  RowStreams from = streams;
  for (RowStream& stream : from) {
    if (stream.count == 0) stream = longest;
  }
  for (std::size_t j = 0; j < longest.count; ++j) {
    std::array<const float*, kStreams> row;
    for (std::size_t s = 0; s < kStreams; ++s) row[s] = row_of(from[s], std::min(j, from[s].count - 1), stride);
    alignas(16) float products[kStreams];
    store(products, multiply_four(x, row, width));
    for (std::size_t s = 0; s < kStreams; ++s) {
      if (out[s] != nullptr) out[s][j] = products[s];
    }
  }
}

void weighted_row_sum(const RowStreams& streams, const std::array<RowWeights, kStreams>& weights, std::ptrdiff_t stride,
                      std::size_t width, float* o) noexcept {
  std::size_t c = 0;
  for (; c + 64 <= width; c += 64) accumulate_columns<16>(streams, weights, stride, c, o + c);
  for (; c + 16 <= width; c += 16) accumulate_columns<4>(streams, weights, stride, c, o + c);
  for (; c + 4 <= width; c += 4) accumulate_columns<1>(streams, weights, stride, c, o + c);
  for (; c < width; ++c) {
    for (std::size_t j = 0; j < kStreamRows; ++j) {
      for (std::size_t s = 0; s < kStreams; ++s) {
        if ((weights[s].chosen >> j & 1) != 0) o[c] += weights[s].p[j] * row_of(streams[s], j, stride)[c];
      }
    }
  }
}

}  // namespace fovea

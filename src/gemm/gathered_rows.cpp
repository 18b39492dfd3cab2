#include "gemm/gathered_rows.hpp"

#include <algorithm>
#include <bit>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

/// o[0 .. 4 kVectors) += Σ p[n] rows[n][column ...]
template <std::size_t kVectors>
void accumulate_columns(const float* p, std::uint64_t chosen, SourceRows rows, std::size_t column, float* o) noexcept {
  f32 sums[kVectors];
  for (std::size_t c = 0; c < kVectors; ++c) sums[c] = load(o + c * f32::size);
  for (; chosen != 0; chosen &= chosen - 1) {
    const auto n = static_cast<std::size_t>(std::countr_zero(chosen));
    const f32 weight = splat(p[n]);
    const float* const row = rows.at(n) + column;
    for (std::size_t c = 0; c < kVectors; ++c) sums[c] = madd(weight, load(row + c * f32::size), sums[c]);
  }
  for (std::size_t c = 0; c < kVectors; ++c) store(o + c * f32::size, sums[c]);
}

}  // namespace

void gathered_dots(const float* x, SourceRows rows, std::size_t count, std::size_t width, float* out) noexcept {
  for (std::size_t n = 0; n < count; n += f32::size) {
    const float* row[f32::size];
    for (std::size_t r = 0; r < f32::size; ++r) row[r] = rows.at(std::min(n + r, count - 1));
    f32 sums[f32::size];
    for (f32& sum : sums) sum = splat(0.0f);
    std::size_t d = 0;
    for (; d + f32::size <= width; d += f32::size) {
      const f32 a = load(x + d);
      for (std::size_t r = 0; r < f32::size; ++r) sums[r] = madd(a, load(row[r] + d), sums[r]);
    }
    simd::transpose(sums);
    f32 total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; d < width; ++d) {
      const float last[f32::size] = {row[0][d], row[1][d], row[2][d], row[3][d]};
      total = madd(splat(x[d]), load(last), total);
    }
    store(out + n, total);
  }
}

void gathered_axpy(const float* p, std::uint64_t chosen, SourceRows rows, std::size_t count, std::size_t width,
                   float* o) noexcept {
  if (count < 64) chosen &= (std::uint64_t{1} << count) - 1;
  std::size_t c = 0;
  for (; c + 32 <= width; c += 32) accumulate_columns<8>(p, chosen, rows, c, o + c);
  for (; c + 16 <= width; c += 16) accumulate_columns<4>(p, chosen, rows, c, o + c);
  for (; c + 4 <= width; c += 4) accumulate_columns<1>(p, chosen, rows, c, o + c);
  for (; c < width; ++c) {
    for (std::uint64_t left = chosen; left != 0; left &= left - 1) {
      const auto n = static_cast<std::size_t>(std::countr_zero(left));
      o[c] += p[n] * rows.at(n)[c];
    }
  }
}

}  // namespace fovea

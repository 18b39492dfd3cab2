#include "gemm/few_rows.hpp"

#include <algorithm>

#include "gemm/panel_rows.hpp"
#include "gemm/panels.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

/// Floats of a row of c that stay in L1 while the rows of B pass by.
constexpr std::size_t kResident = 1024;

/// c[r][j] += Σ_d a[r][d] b[d][j], r < kRows, d < kDepth, j < columns: kDepth rows of B, each read from front to back.
template <std::size_t kRows, std::size_t kDepth>
void accumulate_strip(const float* a, std::ptrdiff_t a_stride, const float* b, std::ptrdiff_t b_stride, std::size_t columns,
                      float* c, std::ptrdiff_t c_stride) noexcept {
  f32 x[kRows][kDepth];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t d = 0; d < kDepth; ++d)
      x[r][d] = splat(a[static_cast<std::ptrdiff_t>(r) * a_stride + static_cast<std::ptrdiff_t>(d)]);
  }
  const auto add = [&](const float* from, std::ptrdiff_t stride, float* to, std::ptrdiff_t to_stride) noexcept {
    f32 sums[kRows];
    for (std::size_t r = 0; r < kRows; ++r) sums[r] = load(to + static_cast<std::ptrdiff_t>(r) * to_stride);
    for (std::size_t d = 0; d < kDepth; ++d) {
      const f32 row = load(from + static_cast<std::ptrdiff_t>(d) * stride);
      for (std::size_t r = 0; r < kRows; ++r) sums[r] = madd(x[r][d], row, sums[r]);
    }
    for (std::size_t r = 0; r < kRows; ++r) store(to + static_cast<std::ptrdiff_t>(r) * to_stride, sums[r]);
  };
  const std::size_t rest = columns % f32::size, whole = columns - rest;
  for (std::size_t j = 0; j < whole; j += f32::size) add(b + j, b_stride, c + j, c_stride);
  if (rest == 0) return;
  float from[kDepth * f32::size] = {}, to[kRows * f32::size] = {};
  for (std::size_t d = 0; d < kDepth; ++d)
    std::copy_n(b + static_cast<std::ptrdiff_t>(d) * b_stride + whole, rest, from + d * f32::size);
  for (std::size_t r = 0; r < kRows; ++r)
    std::copy_n(c + static_cast<std::ptrdiff_t>(r) * c_stride + whole, rest, to + r * f32::size);
  add(from, f32::size, to, f32::size);
  for (std::size_t r = 0; r < kRows; ++r)
    std::copy_n(to + r * f32::size, rest, c + static_cast<std::ptrdiff_t>(r) * c_stride + whole);
}

/// kDepth rows of B from `d` on, for all rows of A: the second pass finds them in L1.
template <std::size_t kDepth>
void accumulate_depth(const MatrixView<const float>& a, const float* b, std::ptrdiff_t b_stride, std::size_t d,
                      std::size_t columns, float* c, std::ptrdiff_t c_stride) noexcept {
  std::size_t r = 0;
  for (; r + 2 <= a.rows; r += 2) {
    accumulate_strip<2, kDepth>(a.at(r, d), a.row_stride, b, b_stride, columns, c + static_cast<std::ptrdiff_t>(r) * c_stride,
                                c_stride);
  }
  if (r < a.rows) {
    accumulate_strip<1, kDepth>(a.at(r, d), a.row_stride, b, b_stride, columns, c + static_cast<std::ptrdiff_t>(r) * c_stride,
                                c_stride);
  }
}

/// B with rows of unit stride.
void multiply_by_rows(const MatrixView<const float>& a, const MatrixView<const float>& b, float* c,
                      std::ptrdiff_t c_stride) noexcept {
  for (std::size_t j = 0; j < b.columns; j += kResident) {
    const std::size_t columns = std::min(kResident, b.columns - j);
    for (std::size_t r = 0; r < a.rows; ++r) std::fill_n(c + static_cast<std::ptrdiff_t>(r) * c_stride + j, columns, 0.0f);
    std::size_t d = 0;
    if (a.rows == 1) {
      for (; d + 8 <= b.rows; d += 8) accumulate_strip<1, 8>(a.at(0, d), 0, b.at(d, j), b.row_stride, columns, c + j, 0);
    }
    for (; d + 4 <= b.rows; d += 4) accumulate_depth<4>(a, b.at(d, j), b.row_stride, d, columns, c + j, c_stride);
    for (; d < b.rows; ++d) accumulate_depth<1>(a, b.at(d, j), b.row_stride, d, columns, c + j, c_stride);
  }
}

/// 4·kGroups columns of B, each of unit stride and `apart` from the next, times kRows rows of A: c[r][apart · s].
template <std::size_t kRows, std::size_t kGroups>
void multiply_streams(const MatrixView<const float>& a, const float* b, std::ptrdiff_t b_stride, std::size_t apart, float* c,
                      std::ptrdiff_t c_stride) noexcept {
  constexpr std::size_t kColumns = 4 * kGroups;
  const float* x[kRows];
  for (std::size_t r = 0; r < kRows; ++r) x[r] = a.at(r, 0);
  const float* columns[kColumns];
  for (std::size_t s = 0; s < kColumns; ++s) columns[s] = b + static_cast<std::ptrdiff_t>(s * apart) * b_stride;
  f32 sums[kRows][kGroups];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t g = 0; g < kGroups; ++g) sums[r][g] = splat(0.0f);
  }
  std::size_t d = 0;
  for (; d + 4 <= a.columns; d += 4) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      const float* const* const four = columns + 4 * g;
      f32 block[4] = {load(four[0] + d), load(four[1] + d), load(four[2] + d), load(four[3] + d)};
      simd::transpose(block);
      for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t r = 0; r < kRows; ++r) sums[r][g] = madd(splat(x[r][d + i]), block[i], sums[r][g]);
      }
    }
  }
  for (; d < a.columns; ++d) {
    for (std::size_t g = 0; g < kGroups; ++g) {
      const float* const* const four = columns + 4 * g;
      const float last[4] = {four[0][d], four[1][d], four[2][d], four[3][d]};
      for (std::size_t r = 0; r < kRows; ++r) sums[r][g] = madd(splat(x[r][d]), load(last), sums[r][g]);
    }
  }
  float out[kColumns];
  for (std::size_t r = 0; r < kRows; ++r) {
    float* const to = c + static_cast<std::ptrdiff_t>(r) * c_stride;
    for (std::size_t g = 0; g < kGroups; ++g) store(out + 4 * g, sums[r][g]);
    for (std::size_t s = 0; s < kColumns; ++s) to[s * apart] = out[s];
  }
}

/// B with columns of unit stride, read as twelve streams, each from front to back over many columns: a processor fetches such
/// streams ahead of time, and short ones at half the speed. Their distance is odd, as streams a power of two apart would share
/// a few sets of the cache. The columns that are left over go four at a time, then one by one.
template <std::size_t kRows>
void multiply_by_columns(const MatrixView<const float>& a, const MatrixView<const float>& b, float* c,
                         std::ptrdiff_t c_stride) noexcept {
  constexpr std::size_t kStreams = 12;
  const std::size_t most = b.columns / kStreams, apart = most - (most > 0 && most % 2 == 0 ? 1 : 0);
  for (std::size_t j = 0; j < apart; ++j) {
    multiply_streams<kRows, kStreams / 4>(a, b.at(0, j), b.column_stride, apart, c + j, c_stride);
  }
  std::size_t j = apart * kStreams;
  if (apart < most) {
    multiply_streams<kRows, kStreams / 4>(a, b.at(0, j), b.column_stride, 1, c + j, c_stride);
    j += kStreams;
  }
  for (; j + 4 <= b.columns; j += 4) multiply_streams<kRows, 1>(a, b.at(0, j), b.column_stride, 1, c + j, c_stride);
  for (; j < b.columns; ++j) {
    // One column takes the kernel of four streams: all four write its sum.
    multiply_streams<kRows, 1>(a, b.at(0, j), b.column_stride, 0, c + j, c_stride);
  }
}

}  // namespace

void multiply_few_rows(const MatrixView<const float>& a, const MatrixView<const float>& b, float* c,
                       std::ptrdiff_t c_stride) noexcept {
  if (b.row_stride != 1) return multiply_by_rows(a, b, c, c_stride);
  a.rows == 1 ? multiply_by_columns<1>(a, b, c, c_stride) : multiply_by_columns<2>(a, b, c, c_stride);
}

void multiply_few_rows_by_panels(const MatrixView<const float>& a, const float* panels, std::size_t columns, float* c,
                                 std::ptrdiff_t c_stride) noexcept {
  const std::size_t whole = columns / kNr, rest = columns % kNr, depth = a.columns;
  const auto stride = static_cast<std::size_t>(a.row_stride);
  multiply_rows_by_panels(a.data, stride, a.rows, panels, depth, whole, nullptr, c, static_cast<std::size_t>(c_stride));
  if (rest == 0) return;
  float last[kMostFewPackedRows * kNr];
  multiply_rows_by_panels(a.data, stride, a.rows, panels + whole * kNr * depth, depth, 1, nullptr, last, kNr);
  for (std::size_t r = 0; r < a.rows; ++r) {
    std::copy_n(last + r * kNr, rest, c + static_cast<std::ptrdiff_t>(r) * c_stride + whole * kNr);
  }
}

}  // namespace fovea

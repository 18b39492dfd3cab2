#pragma once
/// Products with rows as they lie, of few rows: to pack them would cost more than it saves. As in panels.hpp, 6 or 4 rows × 8
/// columns of the result stay in registers while the depth is walked in order. A strip is kMr rows, kStripStride
/// apart, and what goes beyond follows as a further block: [blocks][rows][kStripStride].

#include <cstddef>

#include "gemm/panels.hpp"

namespace fovea {

inline constexpr std::size_t kStripStride = 128;

/// The rows of B: `row` floats apart, and `panel` from eight columns to the next eight.
struct PackedBView {
  const float* data;
  std::size_t row, panel;
};

/// c[r][0..8·panels) = Σ_d strip[r][d] b[d][·]; rows of c are `c_stride` apart.
void multiply_strip(const float* strip, const PackedBView& b, std::size_t depth, std::size_t panels, float* c,
                    std::size_t c_stride) noexcept;

/// A strip times a B, after one of scores with another: of rows kRowStride apart, `few_depth` <= kRowStride.
struct FusedProducts {
  const float* few;
  PackedBView few_b;
  std::size_t few_depth;
  const float* strip;
  PackedBView b;
  std::size_t depth;
};

/// Where the rows of a result go, and what they are multiplied and divided by on their way.
struct ScaledRows {
  float* data;
  std::ptrdiff_t stride;
  float scale = 1.0f;
  const float* divisor = nullptr;  // null: 1
};

/// out[r] = scale (Σ_j few[r][j] few_b[j] + Σ_d strip[r][d] b[d]) / divisor[r], each sum in that order. Only a strip of one
/// block may be scaled or divided.
void multiply_fused(const FusedProducts& products, std::size_t panels, const ScaledRows& out) noexcept;

/// multiply_fused of row r alone, unscaled, in the same bits: out[0..8·panels).
void multiply_fused_row(const FusedProducts& products, std::size_t r, std::size_t panels, float* out) noexcept;

/// Sums in column panels of as many rows in whole strips; total <- start + sum, unless it is null.
struct TransposedSums {
  float* sum;
  const float* start;
  float* total;
};

/// sum += aᵀ b for an A of `columns` in rows `a_stride` apart: a[d][r]. Up to 5 floats behind a row of A are read too, and what
/// comes of them means nothing.
void accumulate_transpose(const float* a, std::size_t a_stride, std::size_t columns, const PackedBView& b, std::size_t depth,
                          std::size_t panels, const TransposedSums& sums) noexcept;

}  // namespace fovea

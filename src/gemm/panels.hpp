#pragma once
/// Panels: matrices laid out as the register tile reads them, and the tile itself. What multiplies matrices in this library
/// does it here, or in row_tiles.hpp where rows are too few to be packed: 6 or 4 rows × 8 columns of the result stay in
/// registers while the depth is walked in order.
///   row panel      [depth][rows]   the rows of A, side by side
///   column panel   [depth][8]      eight columns of B, side by side; several follow each other
/// Rows and columns that a panel has and the matrix has not are zeros.
/// 6×8 keeps 12 sums, 2 vectors of B and a splat live: the 15 registers that V8 has on x86-64, and enough sums in flight to
/// hide the latency of a multiply-add. Where that is a product and a sum, the product wants a register too, and 6×8 spills:
/// half the speed. 4×8 does not.

#include <cstddef>
#include <cstdint>

#include "simd/madd.hpp"

namespace fovea {

inline constexpr std::size_t kMr = simd::kMaddIsOne ? 6 : 4;
inline constexpr std::size_t kNr = 8;

/// Floats between the rows of an A that is not packed.
inline constexpr std::size_t kRowStride = 64;

[[nodiscard]] constexpr std::size_t round_up(std::size_t n, std::size_t multiple) noexcept {
  return (n + multiple - 1) / multiple * multiple;
}

/// c[r][0..8·panels) = Σ_d a[d][r] b[panel][d][·], r < kMr; rows of c are `c_stride` apart.
void multiply_panels(const float* a, const float* b, std::size_t depth, std::size_t panels, float* c,
                     std::size_t c_stride) noexcept;

/// c += the same product; each sum starts from c and runs in the order of d.
void accumulate_panels(const float* a, const float* b, std::size_t depth, std::size_t panels, float* c,
                       std::size_t c_stride) noexcept;

/// accumulate_panels for the first kFewRows rows of a panel, in the same bits.
inline constexpr std::size_t kFewRows = 4;
void accumulate_few_rows(const float* a, const float* b, std::size_t depth, std::size_t panels, float* c,
                         std::size_t c_stride) noexcept;

/// Multiplies an A of rows, kRowStride apart: a[r][d], and `depth` rows of panels that have `panel_depth`.
void accumulate_rows(const float* a, const float* b, std::size_t depth, std::size_t panel_depth, std::size_t panels, float* c,
                     std::size_t c_stride) noexcept;

/// Rows that are contiguous along their width: `stride` apart, or of those the ones in `list`.
struct SourceRows {
  const float* data;
  std::ptrdiff_t stride;
  const std::uint32_t* list = nullptr;

  [[nodiscard]] const float* at(std::size_t i) const noexcept {
    return data + static_cast<std::ptrdiff_t>(list != nullptr ? list[i] : i) * stride;
  }
  [[nodiscard]] SourceRows from(std::size_t i) const noexcept {
    if (list != nullptr) return {data, stride, list + i};
    return {at(i), stride};
  }
};

/// Lays `count` <= kMr rows as one row panel, each element times `scale`.
void pack_row_panel(SourceRows rows, std::size_t count, std::size_t depth, float scale, float* panel) noexcept;

/// Lays `count` rows as column panels: they are the columns of B = rowsᵀ.
void pack_columns_of_transpose(SourceRows rows, std::size_t count, std::size_t depth, float* panels) noexcept;

/// Lays `depth` rows of `width` floats as column panels; rows outside [from, to) are not read and count as zeros.
void pack_columns(SourceRows rows, std::size_t depth, std::size_t width, std::size_t from, std::size_t to,
                  float* panels) noexcept;

/// Whether what pack_columns packed holds no NaN and no infinity.
[[nodiscard]] bool all_finite(const float* panels, std::size_t depth, std::size_t width) noexcept;

}  // namespace fovea

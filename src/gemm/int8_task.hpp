#pragma once
/// Parts of an int8 product that all roundings of the activations share: a row's scale, memory, the walk over the panels, the
/// scaling of the sums.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/workspace.hpp"
#include "gemm/int8_product.hpp"
#include "gemm/panels.hpp"
#include "gemm/task_grid.hpp"
#include "simd/dot8.hpp"
#include "simd/simd.hpp"

namespace fovea {

struct Int8Operands {
  const Int8Weights& weights;
  const MatrixView<const float>& a;
  const MatrixView<float>& c;
  Int8Inputs inputs;
};

/// Groups of four along the depth, the last of them filled with zeros.
[[nodiscard]] constexpr std::size_t quads(std::size_t depth) noexcept { return (depth + 3) / 4; }

/// Rounded rows of a task, at most two words for four numbers, and the scale of each row.
struct Activations {
  std::uint32_t* words;
  float* scales;

  Activations(std::size_t rows, std::size_t depth, Workspace& workspace) noexcept
      : words(workspace.take<std::uint32_t>(rows, quads(depth), std::size_t{2})), scales(workspace.take<float>(rows)) {}
};

/// Integers of -levels … levels for a row; `least` is the least maximum whose quotient by `levels` is a normal number.
struct RowLevels {
  float levels, least;
};
inline constexpr RowLevels kSevenBits = {63.0f, 0x1p-119f}, kFourteenBits = {8191.0f, 0x1p-113f},
                           kFifteenBits = {16383.0f, 0x1p-112f};

/// Rounds a row: store(q, levels x / max |x|) for four numbers at a time, zeros for a row that counts as zeros and for one that is
/// not finite. Returns the scale max |x| / levels: 0 and NaN for these.
template <class Store>
float scale_row(const float* x, std::size_t depth, RowLevels to, const Store& store) noexcept {
  const std::size_t whole = depth / 4 * 4;
  alignas(16) float last[4] = {};
  std::copy_n(x + whole, depth - whole, last);
  simd::i32 most = simd::abs_bits(simd::load(last));
  for (std::size_t k = 0; k < whole; k += 4) most = simd::max(most, simd::abs_bits(simd::load(x + k)));
  const float top = simd::as_largest_float(most);
  const bool is_zero = top < to.least, is_finite = top < std::numeric_limits<float>::infinity();
  const simd::f32 factor = simd::splat(is_zero || !is_finite ? 0.0f : to.levels / top);
  for (std::size_t q = 0; q < quads(depth); ++q) {
    const simd::f32 four = q * 4 < whole ? simd::load(x + q * 4) : simd::load(last);
    store(q, is_finite ? four * factor : simd::splat(0.0f));
  }
  return is_finite ? (is_zero ? 0.0f : top / to.levels) : std::numeric_limits<float>::quiet_NaN();
}

/// multiply(count, panel, distance, first) for all panels of a task, `count` a constant of at most kPanels: panels first,
/// first + distance, … of the task. Each comes from a part of its own of the columns: far apart, and each read from front to back,
/// they come from memory at twice the speed of adjacent ones.
template <std::size_t kPanels, class Multiply>
void walk_panels(const Int8Operands& operands, const GridTask& task, const Multiply& multiply) noexcept {
  const std::size_t bytes = int8_panel_bytes(operands.a.columns);
  const std::int8_t* const panels = operands.weights.panels + task.column / kNr * bytes;
  const std::size_t count = round_up(task.columns, kNr) / kNr, part = count / kPanels;
  for (std::size_t j = 0; j < part; ++j) multiply(std::integral_constant<std::size_t, kPanels>{}, panels + j * bytes, part, j);
  for (std::size_t j = kPanels * part; j < count; ++j)
    multiply(std::integral_constant<std::size_t, 1>{}, panels + j * bytes, std::size_t{0}, j);
}

/// c[row + r][column …] <- sums(r, v) scale[column + v] row_scales[r] for a panel, four outputs v at a time; each operation is rounded,
/// so that every way to add gives these bits. The lesser scale comes first: the product of both may leave float32's range where the
/// result does not. Scales are 0 or normal, so that an integer times one is 0 or normal, too.
template <class Sums>
void write_panel(const Int8Operands& operands, const float* row_scales, std::size_t row, std::size_t rows, std::size_t column,
                 std::size_t columns, const Sums& sums) noexcept {
  const float* const scales = operands.weights.scales + column;
  for (std::size_t r = 0; r < rows; ++r) {
    alignas(16) float last[kNr];
    float* const to = operands.c.at(row + r, column);
    float* const out = columns == kNr ? to : last;
    for (std::size_t v = 0; v < kNr; v += simd::f32::size) {
      // Neither is lost where the other is NaN.
      const simd::f32 own = simd::splat(row_scales[r]), other = simd::load(scales + v);
      const auto is_greater = own > other;
      const simd::f32 lesser = simd::select(is_greater, other, own), greater = simd::select(is_greater, own, other);
      simd::store(out + v, sums(r, v) * lesser * greater);
    }
    if (columns < kNr) std::copy_n(last, columns, to);
  }
}

}  // namespace fovea

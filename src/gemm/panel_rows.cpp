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

struct Product {
  const float* rows;
  std::size_t stride;
  const float* b;
  std::size_t depth;
  const float* start;
  float* out;
  std::size_t out_stride;
};

/// kRows rows from `row` on, kPanels panels from `panel` on, `apart` from each other: eight sums or fewer stay in registers.
template <std::size_t kRows, std::size_t kPanels>
void tile(const Product& product, std::size_t row, std::size_t panel, std::size_t apart) noexcept {
  constexpr std::size_t kVectors = kNr / f32::size;  // of a panel
  f32 sums[kRows][kPanels][kVectors];
  for (std::size_t p = 0; p < kPanels; ++p) {
    const float* const start = product.start == nullptr ? nullptr : product.start + (panel + p * apart) * kNr;
    for (std::size_t r = 0; r < kRows; ++r) {
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][p][v] = start == nullptr ? splat(0.0f) : load(start + v * f32::size);
    }
  }
  const float* const a = product.rows + row * product.stride;
  const float* const b = product.b + panel * product.depth * kNr;
  for (std::size_t d = 0; d < product.depth; ++d) {
    f32 x[kRows];
    for (std::size_t r = 0; r < kRows; ++r) x[r] = splat(a[r * product.stride + d]);
    for (std::size_t p = 0; p < kPanels; ++p) {
      const float* const columns = b + (p * apart * product.depth + d) * kNr;
      const f32 left = load(columns), right = load(columns + f32::size);
      for (std::size_t r = 0; r < kRows; ++r) {
        sums[r][p][0] = madd(x[r], left, sums[r][p][0]);
        sums[r][p][1] = madd(x[r], right, sums[r][p][1]);
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    float* const to = product.out + (row + r) * product.out_stride + panel * kNr;
    for (std::size_t p = 0; p < kPanels; ++p) {
      for (std::size_t v = 0; v < kVectors; ++v) store(to + p * apart * kNr + v * f32::size, sums[r][p][v]);
    }
  }
}

/// All panels for kRows rows from `row` on. kPanels at once, each from a part of its own of the panels: far apart, and each read from
/// front to back, they come from memory faster than adjacent ones.
template <std::size_t kRows, std::size_t kPanels>
void strip(const Product& product, std::size_t row, std::size_t panels) noexcept {
  const std::size_t part = panels / kPanels;
  for (std::size_t panel = 0; panel < part; ++panel) tile<kRows, kPanels>(product, row, panel, part);
  for (std::size_t panel = kPanels * part; panel < panels; ++panel) tile<kRows, 1>(product, row, panel, 0);
}

}  // namespace

void multiply_rows_by_panels(const float* rows, std::size_t stride, std::size_t count, const float* b, std::size_t depth,
                             std::size_t panels, const float* start, float* out, std::size_t out_stride) noexcept {
  const Product product = {rows, stride, b, depth, start, out, out_stride};
  // A panel stays in cache while all rows pass by.
  const std::size_t whole = count / 4 * 4;
  for (std::size_t panel = 0; panel < panels && whole > 0; ++panel) {
    for (std::size_t row = 0; row < whole; row += 4) tile<4, 1>(product, row, panel, 0);
  }
  switch (count - whole) {
    case 1: return strip<1, 4>(product, whole, panels);
    case 2: return strip<2, 2>(product, whole, panels);
    case 3: return strip<3, 1>(product, whole, panels);
    default: return;
  }
}

}  // namespace fovea

#include "gemm/row_tiles.hpp"

#include <algorithm>
#include <type_traits>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

using One = std::integral_constant<std::size_t, 1>;

/// The sums of kRows x 8. In a loop that adds to them V8 has no register for anything else, as for a factor that is needed
/// afterwards; nor in one that is unrolled.
template <std::size_t kRows>
struct Tile {
  f32 left[kRows], right[kRows];

  void clear() noexcept {
    for (std::size_t r = 0; r < kRows; ++r) left[r] = right[r] = splat(0.0f);
  }

  void read(const float* c, std::size_t stride) noexcept {
    for (std::size_t r = 0; r < kRows; ++r) {
      left[r] = load(c + r * stride);
      right[r] = load(c + r * stride + 4);
    }
  }

  /// a[r, d] is found at a[r * kRow + d * a_step], b[d] at b + d * b_step.
  template <std::size_t kRow, class Step>
  void add(const float* a, Step a_step, const float* b, std::size_t b_step, std::size_t depth) noexcept {
    for (std::size_t d = 0; d < depth; ++d, a += a_step, b += b_step) {
      const f32 b_left = load(b), b_right = load(b + 4);
      for (std::size_t r = 0; r < kRows; ++r) {
        const f32 x = splat(a[r * kRow]);
        left[r] = madd(x, b_left, left[r]);
        right[r] = madd(x, b_right, right[r]);
      }
    }
  }

  void write(float* c, std::size_t stride) const noexcept {
    for (std::size_t r = 0; r < kRows; ++r) {
      store(c + r * stride, left[r]);
      store(c + r * stride + 4, right[r]);
    }
  }
};

using StripTile = Tile<kMr>;

/// One block of a strip, first or added to what is there.
template <bool kFirst>
void multiply_block(const float* block, const float* b, std::size_t b_row, std::size_t depth, float* c,
                    std::size_t c_stride) noexcept {
  StripTile tile;
  kFirst ? tile.clear() : tile.read(c, c_stride);
  tile.add<kStripStride>(block, One{}, b, b_row, depth);
  tile.write(c, c_stride);
}

/// Blocks of a strip from feature `d` on.
void multiply_blocks(const float* strip, const PackedBView& b, std::size_t d, std::size_t depth, std::size_t panels, float* c,
                     std::size_t c_stride) noexcept {
  for (; d < depth; d += kStripStride) {
    const float* const block = strip + d * kMr;
    const float* from = b.data + d * b.row;
    const std::size_t here = std::min(depth - d, kStripStride);
    for (std::size_t p = 0; p < panels; ++p, from += b.panel) {
      float* const to = c + p * kNr;
      d == 0 ? multiply_block<true>(block, from, b.row, here, to, c_stride)
             : multiply_block<false>(block, from, b.row, here, to, c_stride);
    }
  }
}

template <bool kDivide>
void begin_both(const FusedProducts& of, std::size_t panels, const ScaledRows& out) noexcept {
  const std::size_t depth = std::min(of.depth, kStripStride);
  for (std::size_t p = 0; p < panels; ++p) {
    StripTile tile;
    tile.clear();
    tile.add<kRowStride>(of.few, One{}, of.few_b.data + p * of.few_b.panel, of.few_b.row, of.few_depth);
    tile.add<kStripStride>(of.strip, One{}, of.b.data + p * of.b.panel, of.b.row, depth);
    for (std::size_t r = 0; r < kMr; ++r) {
      float* const to = out.data + static_cast<std::ptrdiff_t>(r) * out.stride + p * kNr;
      f32 left = tile.left[r], right = tile.right[r];
      if constexpr (kDivide) {
        left = left / splat(out.divisor[r]);
        right = right / splat(out.divisor[r]);
      }
      store(to, splat(out.scale) * left);
      store(to + 4, splat(out.scale) * right);
    }
  }
}

template <std::size_t kRows, bool kTotal>
inline void add_tile(const float* a, std::size_t a_stride, const float* b, std::size_t b_row, std::size_t depth,
                     const TransposedSums& sums, std::size_t at) noexcept {
  Tile<kRows> tile;
  tile.read(sums.sum + at, kNr);
  tile.template add<1>(a, a_stride, b, b_row, depth);
  tile.write(sums.sum + at, kNr);
  if constexpr (!kTotal) return;
  const float* const start = sums.start + at;
  float* const total = sums.total + at;
  for (std::size_t r = 0; r < kRows; ++r) {
    store(total + r * kNr, load(start + r * kNr) + tile.left[r]);
    store(total + r * kNr + 4, load(start + r * kNr + 4) + tile.right[r]);
  }
}

template <bool kTotal>
void add_transpose(const float* a, std::size_t a_stride, std::size_t columns, const PackedBView& b, std::size_t depth,
                   std::size_t panels, const TransposedSums& sums) noexcept {
  const std::size_t rows = round_up(columns, kMr);
  for (std::size_t row = 0; row < columns; row += kMr, a += kMr) {
    for (std::size_t p = 0; p < panels; ++p) {
      const std::size_t at = (p * rows + row) * kNr;
      const float* const panel = b.data + p * b.panel;
      row + 4 < columns ? add_tile<kMr, kTotal>(a, a_stride, panel, b.row, depth, sums, at)
                        : add_tile<4, kTotal>(a, a_stride, panel, b.row, depth, sums, at);
    }
  }
}

}  // namespace

void multiply_strip(const float* strip, const PackedBView& b, std::size_t depth, std::size_t panels, float* c,
                    std::size_t c_stride) noexcept {
  multiply_blocks(strip, b, 0, depth, panels, c, c_stride);
}

void multiply_fused(const FusedProducts& products, std::size_t panels, const ScaledRows& out) noexcept {
  out.divisor != nullptr ? begin_both<true>(products, panels, out) : begin_both<false>(products, panels, out);
  multiply_blocks(products.strip, products.b, kStripStride, products.depth, panels, out.data,
                  static_cast<std::size_t>(out.stride));
}

void multiply_fused_row(const FusedProducts& products, std::size_t r, std::size_t panels, float* out) noexcept {
  constexpr std::size_t kMost = 4;  // panels at once: sums of their own, that multiply-adds need not wait for each other
  const auto add = [&]<std::size_t kPanels>(std::integral_constant<std::size_t, kPanels>, std::size_t p) {
    f32 sums[2 * kPanels];
    for (f32& sum : sums) sum = splat(0.0f);
    const auto walk = [&](const float* a, const PackedBView& b, std::size_t from, std::size_t depth) {
      const float* row = b.data + p * b.panel + from * b.row;
      for (std::size_t d = 0; d < depth; ++d, row += b.row) {
        const f32 x = splat(a[d]);
        for (std::size_t i = 0; i < kPanels; ++i) {
          sums[2 * i] = madd(x, load(row + i * b.panel), sums[2 * i]);
          sums[2 * i + 1] = madd(x, load(row + i * b.panel + 4), sums[2 * i + 1]);
        }
      }
    };
    walk(products.few + r * kRowStride, products.few_b, 0, products.few_depth);
    for (std::size_t d = 0; d < products.depth; d += kStripStride) {
      walk(products.strip + d * kMr + r * kStripStride, products.b, d, std::min(products.depth - d, kStripStride));
    }
    for (std::size_t i = 0; i < 2 * kPanels; ++i) store(out + p * kNr + i * f32::size, sums[i]);
  };
  std::size_t p = 0;
  for (; p + kMost <= panels; p += kMost) add(std::integral_constant<std::size_t, kMost>{}, p);
  for (; p < panels; ++p) add(One{}, p);
}

void accumulate_transpose(const float* a, std::size_t a_stride, std::size_t columns, const PackedBView& b, std::size_t depth,
                          std::size_t panels, const TransposedSums& sums) noexcept {
  sums.total != nullptr ? add_transpose<true>(a, a_stride, columns, b, depth, panels, sums)
                        : add_transpose<false>(a, a_stride, columns, b, depth, panels, sums);
}

}  // namespace fovea

#include "gemm/panels.hpp"

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

/// a[r, d] is found at a[r * kRow + d * step]; a step that is known is an integral_constant.
template <bool kAccumulate, std::size_t kRow, std::size_t kRows = kMr, class Step>
inline void register_tile(const float* a, Step step, const float* b, std::size_t depth, float* c,
                          std::size_t c_stride) noexcept {
  f32 left[kRows], right[kRows];
  for (std::size_t r = 0; r < kRows; ++r) {
    left[r] = kAccumulate ? load(c + r * c_stride) : splat(0.0f);
    right[r] = kAccumulate ? load(c + r * c_stride + 4) : splat(0.0f);
  }
  for (std::size_t d = 0; d < depth; ++d, a += step, b += kNr) {
    const f32 b_left = load(b), b_right = load(b + 4);
    for (std::size_t r = 0; r < kRows; ++r) {
      const f32 x = splat(a[r * kRow]);
      left[r] = madd(x, b_left, left[r]);
      right[r] = madd(x, b_right, right[r]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    store(c + r * c_stride, left[r]);
    store(c + r * c_stride + 4, right[r]);
  }
}

template <std::size_t kStep>
using Constant = std::integral_constant<std::size_t, kStep>;

/// Four rows from d on, side by side: dst[i * kLanes + r] <- rows[r][d + i] * scale, for i < 4.
template <std::size_t kLanes>
inline void pack_four(const float* const (&rows)[4], std::size_t d, f32 scale, float* dst) noexcept {
  f32 block[4] = {load(rows[0] + d) * scale, load(rows[1] + d) * scale, load(rows[2] + d) * scale, load(rows[3] + d) * scale};
  simd::transpose(block);
  for (std::size_t i = 0; i < 4; ++i) store(dst + i * kLanes, block[i]);
}

/// `kCount` <= 4 of the `kLanes` columns of a panel; `count` of them exist.
template <std::size_t kLanes, std::size_t kCount = 4>
void pack_lanes(SourceRows rows, std::size_t count, std::size_t depth, float scale, float* panel) noexcept {
  std::size_t d = 0;
  if (kCount == 4 && count >= 4) {
    const float* const four[4] = {rows.at(0), rows.at(1), rows.at(2), rows.at(3)};
    for (; d + 4 <= depth; d += 4) pack_four<kLanes>(four, d, splat(scale), panel + d * kLanes);
  }
  for (; d < depth; ++d) {
    for (std::size_t r = 0; r < kCount; ++r) {
      panel[d * kLanes + r] = r < count ? rows.at(r)[d] * scale : 0.0f;
    }
  }
}

}  // namespace

void multiply_panels(const float* a, const float* b, std::size_t depth, std::size_t panels, float* c,
                     std::size_t c_stride) noexcept {
  for (std::size_t p = 0; p < panels; ++p) {
    register_tile<false, 1>(a, Constant<kMr>{}, b + p * depth * kNr, depth, c + p * kNr, c_stride);
  }
}

void accumulate_panels(const float* a, const float* b, std::size_t depth, std::size_t panels, float* c,
                       std::size_t c_stride) noexcept {
  for (std::size_t p = 0; p < panels; ++p) {
    register_tile<true, 1>(a, Constant<kMr>{}, b + p * depth * kNr, depth, c + p * kNr, c_stride);
  }
}

void accumulate_few_rows(const float* a, const float* b, std::size_t depth, std::size_t panels, float* c,
                         std::size_t c_stride) noexcept {
  for (std::size_t p = 0; p < panels; ++p) {
    register_tile<true, 1, kFewRows>(a, Constant<kMr>{}, b + p * depth * kNr, depth, c + p * kNr, c_stride);
  }
}

void accumulate_rows(const float* a, const float* b, std::size_t depth, std::size_t panel_depth, std::size_t panels, float* c,
                     std::size_t c_stride) noexcept {
  for (std::size_t p = 0; p < panels; ++p) {
    register_tile<true, kRowStride>(a, Constant<1>{}, b + p * panel_depth * kNr, depth, c + p * kNr, c_stride);
  }
}

void pack_row_panel(SourceRows rows, std::size_t count, std::size_t depth, float scale, float* panel) noexcept {
  pack_lanes<kMr>(rows, count, depth, scale, panel);
  if constexpr (constexpr std::size_t kRest = kMr - 4; kRest > 0) {
    const std::size_t first = std::min<std::size_t>(count, 4);
    pack_lanes<kMr, kRest>(rows.from(first), count - first, depth, scale, panel + 4);
  }
}

void pack_columns_of_transpose(SourceRows rows, std::size_t count, std::size_t depth, float* panels) noexcept {
  if (depth == 0) return;  // no address is counted from panels, which may be null then
  for (std::size_t c = 0; c < count; c += kNr, panels += depth * kNr) {
    const std::size_t here = std::min(count - c, kNr), first = std::min<std::size_t>(here, 4);
    pack_lanes<kNr>(rows.from(c), here, depth, 1.0f, panels);
    pack_lanes<kNr>(rows.from(c).from(first), here - first, depth, 1.0f, panels + 4);
  }
}

void pack_columns(SourceRows rows, std::size_t depth, std::size_t width, std::size_t from, std::size_t to,
                  float* panels) noexcept {
  for (std::size_t c = 0; c < width; c += kNr, panels += depth * kNr) {
    const std::size_t here = std::min(width - c, kNr);
    std::fill_n(panels, from * kNr, 0.0f);
    for (std::size_t d = from; d < to; ++d) {
      const float* const row = rows.at(d) + c;
      float* const to_row = panels + d * kNr;
      if (here == kNr) {
        store(to_row, load(row));
        store(to_row + 4, load(row + 4));
      } else {
        for (std::size_t i = 0; i < kNr; ++i) to_row[i] = i < here ? row[i] : 0.0f;
      }
    }
    std::fill_n(panels + to * kNr, (depth - to) * kNr, 0.0f);
  }
}

bool all_finite(const float* panels, std::size_t depth, std::size_t width) noexcept {
  f32 zeros = splat(0.0f);  // stays 0 unless something times 0 is NaN
  const std::size_t floats = depth * round_up(width, kNr);
  for (std::size_t i = 0; i < floats; i += f32::size) zeros = madd(load(panels + i), splat(0.0f), zeros);
  return simd::reduce_add(zeros) == 0.0f;
}

}  // namespace fovea

#pragma once
/// Neighboring lines of an axis that is not the last one, copied to scratch where each is contiguous, and back: a function of a
/// contiguous line serves every axis, in the same bits.
/// Scratch: [lines][line_stride(n)] floats.

#include <algorithm>
#include <cstddef>

#include "core/workspace.hpp"
#include "simd/simd.hpp"

namespace fovea {

/// Lines of a block: neighboring entries share cache lines and pages, and the block stays in L2. Axis 0 of 1024 × 1024 on one
/// thread, softmax and layer norm, ms, with 16; 32; 64; 128 lines: 2.8, 2.0; 1.8, 1.05; 1.18, 0.62; 1.16, 0.62 (2026-11).
[[nodiscard]] constexpr std::size_t block_lines(std::size_t n, std::size_t inner) noexcept {
  constexpr std::size_t kEntries = 131072, kFewest = 8, kMost = 128;
  return std::min(inner, std::clamp(kEntries / std::max<std::size_t>(n, 1), kFewest, kMost));
}

/// Entries from a line of scratch to the next: not a multiple of 256, so that the lines do not share the sets of the L1 cache.
[[nodiscard]] constexpr std::size_t line_stride(std::size_t n) noexcept {
  const std::size_t rounded = (n + 15) / 16 * 16;
  return rounded % 32 == 0 ? rounded + 16 : rounded;
}

/// Scratch of one block; nothing where lines are contiguous already.
inline float* take_line_block(std::size_t n, std::size_t inner, Workspace& workspace) noexcept {
  return workspace.take<float>(inner == 1 ? std::size_t{0} : block_lines(n, inner), line_stride(n));
}

/// lines[l][i] <- x[i * inner + l], or with kAdd += that, for l < count <= block_lines(n, inner), i < n
template <bool kAdd = false>
void gather_lines(const float* x, std::size_t n, std::size_t inner, std::size_t count, float* lines) noexcept {
  const std::size_t stride = line_stride(n);
  const auto put = [](float* to, simd::f32 value) { simd::store(to, kAdd ? simd::load(to) + value : value); };
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const float* const from = x + i * inner;
    std::size_t l = 0;
    for (; l + 4 <= count; l += 4) {
      simd::f32 block[4] = {simd::load(from + l), simd::load(from + inner + l), simd::load(from + 2 * inner + l),
                            simd::load(from + 3 * inner + l)};
      simd::transpose(block);
      for (std::size_t r = 0; r < 4; ++r) put(lines + (l + r) * stride + i, block[r]);
    }
    for (; l < count; ++l) {
      const float four[4] = {from[l], from[inner + l], from[2 * inner + l], from[3 * inner + l]};
      put(lines + l * stride + i, simd::load(four));
    }
  }
  for (; i < n; ++i) {
    for (std::size_t l = 0; l < count; ++l) {
      float& to = lines[l * stride + i];
      const float value = x[i * inner + l];
      to = kAdd ? to + value : value;
    }
  }
}

/// y[i * inner + l] <- lines[l][i]
inline void scatter_lines(const float* lines, std::size_t n, std::size_t inner, std::size_t count, float* y) noexcept {
  const std::size_t stride = line_stride(n);
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    float* const to = y + i * inner;
    std::size_t l = 0;
    for (; l + 4 <= count; l += 4) {
      simd::f32 block[4];
      for (std::size_t r = 0; r < 4; ++r) block[r] = simd::load(lines + (l + r) * stride + i);
      simd::transpose(block);
      for (std::size_t r = 0; r < 4; ++r) simd::store(to + r * inner + l, block[r]);
    }
    for (; l < count; ++l) {
      for (std::size_t r = 0; r < 4; ++r) to[r * inner + l] = lines[l * stride + i + r];
    }
  }
  for (; i < n; ++i) {
    for (std::size_t l = 0; l < count; ++l) y[i * inner + l] = lines[l * stride + i];
  }
}

}  // namespace fovea

#pragma once
/// Prefetch: one load per cache line of `count` rows, so that misses overlap.
/// The result means nothing; the caller keeps it, or the compiler removes the loads.

#include <bit>
#include <cstddef>
#include <cstdint>

namespace fovea {

[[nodiscard]] inline std::uint32_t prefetch(const float* rows, std::ptrdiff_t stride, std::size_t count,
                                            std::size_t width) noexcept {
  constexpr std::size_t kLine = 16;  // floats
  std::uint32_t sum = 0;
  for (std::size_t j = 0; j < count; ++j, rows += stride) {
    for (std::size_t d = 0; d < width; d += kLine) sum += std::bit_cast<std::uint32_t>(rows[d]);
  }
  return sum;
}

}  // namespace fovea

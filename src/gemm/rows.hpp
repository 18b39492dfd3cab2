#pragma once
/// Products of one vector with rows as they lie in memory: nothing is packed, as each row is used once or a few times, and
/// reading them is what they cost. They are read in several streams at once, far apart from each other and each from front to
/// back: a processor fetches such streams ahead of time, and one alone, or short ones, at half the speed.

#include <array>
#include <cstddef>
#include <cstdint>

namespace fovea {

inline constexpr std::size_t kStreams = 4;
inline constexpr std::size_t kStreamRows = 64;

/// Up to 64 rows that follow each other in memory; without any where the stream has come to its end.
struct RowStream {
  const float* rows = nullptr;
  std::size_t count = 0;
};
using RowStreams = std::array<RowStream, kStreams>;

/// out[s][j] = x · row j of stream s, j < count; rows are `stride` apart, and contiguous along `width`. Later entries of
/// out[s], up to 64, may be overwritten. At least one stream has rows; where there are none, out[s] may be null.
void gemv(const float* x, const RowStreams& streams, std::ptrdiff_t stride, std::size_t width,
          const std::array<float*, kStreams>& out) noexcept;

/// The weight of each row of a stream: p[j] where bit j of `chosen` is set. Other rows are not read.
struct RowWeights {
  const float* p = nullptr;
  std::uint64_t chosen = 0;
};

/// o <- o + Σ p[s][j] (row j of stream s), the first rows of all streams first.
void weighted_row_sum(const RowStreams& streams, const std::array<RowWeights, kStreams>& weights, std::ptrdiff_t stride,
                      std::size_t width, float* o) noexcept;

}  // namespace fovea

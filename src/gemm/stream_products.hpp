#pragma once
/// Products of a few vectors with rows as they lie in memory: nothing is packed, as each row is used once or a few times, and
/// reading them is what they cost. All vectors are multiplied with one load of each row; the products of each have the
/// bits that they have alone.

#include <array>
#include <cstddef>
#include <span>

#include "gemm/row_streams.hpp"

namespace fovea {

/// One vector, and where its products with the rows of each stream go: all have room for 64.
struct StreamProducts {
  const float* x;
  std::array<float*, kStreams> out;
};

/// out[s][j] = x · row j of stream s, j < count, for each of the vectors; rows are `stride` apart, and contiguous along `width`.
/// Later entries of out[s] may be overwritten. At least one stream has rows; at most kMostVectors vectors.
void multiply_streams(std::span<const StreamProducts> vectors, const RowStreams& streams, std::ptrdiff_t stride,
                      std::size_t width) noexcept;

/// Products of one vector and rows of float16.
void multiply_streams(const StreamProducts& vector, const Streams<ScaledFloat16Stream>& streams, std::ptrdiff_t stride,
                      std::size_t width) noexcept;
void multiply_streams(const StreamProducts& vector, const Streams<AnyFloat16Stream>& streams, std::ptrdiff_t stride,
                      std::size_t width) noexcept;

}  // namespace fovea

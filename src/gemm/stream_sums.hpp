#pragma once
/// Sums of weighted rows as they lie in memory (row_streams.hpp). Each row is loaded once for all sums, which have the bits that
/// they have alone.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "gemm/row_streams.hpp"

namespace fovea {

/// The weight of each row of a stream: p[j] where bit j of `chosen` is set. Other rows are not read. p has 64 entries.
struct RowWeights {
  const float* p;
  std::uint64_t chosen;
};

struct StreamSum {
  std::array<RowWeights, kStreams> weights;
  float* o;
};

/// o <- o + Σ p[s][j] (row j of stream s), for each of the sums, the first rows of all streams first; rows are `stride` apart, and
/// contiguous along `width`. At most kMostVectors sums.
void accumulate_streams(std::span<const StreamSum> sums, const RowStreams& streams, std::ptrdiff_t stride,
                        std::size_t width) noexcept;

/// Adds rows of float16 to one sum.
void accumulate_streams(const StreamSum& sum, const Streams<ScaledFloat16Stream>& streams, std::ptrdiff_t stride,
                        std::size_t width) noexcept;
void accumulate_streams(const StreamSum& sum, const Streams<AnyFloat16Stream>& streams, std::ptrdiff_t stride,
                        std::size_t width) noexcept;

}  // namespace fovea

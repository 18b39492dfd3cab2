#pragma once
/// Rows as they lie in memory, read in several streams at once, far apart from each other and each from front to back: a
/// processor fetches such streams ahead of time, and one alone, or short ones, at half the speed.

#include <array>
#include <cstddef>
#include <cstdint>

#include "simd/simd.hpp"

namespace fovea {

inline constexpr std::size_t kStreams = 4;
inline constexpr std::size_t kStreamRows = 64;

/// Up to 64 rows that follow each other in memory; without any where the stream has come to its end. Of several streams none has
/// more rows than one before it.
struct RowStream {
  const float* rows = nullptr;
  std::size_t count = 0;
};
using RowStreams = std::array<RowStream, kStreams>;

/// Rows of float16. Their numbers must be finite, and are read times simd::kFloat16Scale.
struct Float16Stream {
  const std::uint16_t* rows = nullptr;
  std::size_t count = 0;
};
using Float16Streams = std::array<Float16Stream, kStreams>;

/// So many vectors, or sums, share a reading at most.
inline constexpr std::size_t kMostVectors = 12;

template <class Stream>
auto row_of(const Stream& stream, std::size_t j, std::ptrdiff_t stride) noexcept {
  return stream.rows + static_cast<std::ptrdiff_t>(j) * stride;
}

/// Four elements, or one, of a row.
inline simd::f32 load_four(const float* p) noexcept { return simd::load(p); }
inline simd::f32 load_four(const std::uint16_t* p) noexcept { return simd::load_scaled_float16(p); }
inline float load_one(const float* p) noexcept { return *p; }
inline float load_one(const std::uint16_t* p) noexcept { return simd::scaled_float16(*p); }

}  // namespace fovea

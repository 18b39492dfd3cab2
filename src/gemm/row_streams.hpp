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

template <class Stream>
using Streams = std::array<Stream, kStreams>;

/// Up to 64 rows that follow each other in memory; without any where the stream has come to its end. Of several streams none has
/// more rows than one before it.
struct RowStream {
  using Element = float;
  static constexpr std::size_t kColumns = 64;  // of a sum, in registers
  const float* rows = nullptr;
  std::size_t count = 0;

  static simd::f32 four(const float* p) noexcept { return simd::load(p); }
  static float one(const float* p) noexcept { return *p; }
};
using RowStreams = Streams<RowStream>;

/// Rows of float16.
struct Float16Stream {
  using Element = std::uint16_t;
  const std::uint16_t* rows = nullptr;
  std::size_t count = 0;
};

/// Finite numbers, few of them subnormal, are read times simd::kFloat16Scale; any numbers as they are.
struct ScaledFloat16Stream : Float16Stream {
  static constexpr std::size_t kColumns = 64;
  static simd::f32 four(const std::uint16_t* p) noexcept { return simd::load_scaled_float16(p); }
  static float one(const std::uint16_t* p) noexcept { return simd::scaled_float16(*p); }
};
struct AnyFloat16Stream : Float16Stream {
  static constexpr std::size_t kColumns = 32;  // the conversion takes registers, too
  static simd::f32 four(const std::uint16_t* p) noexcept { return simd::load_any_float16(p); }
  static float one(const std::uint16_t* p) noexcept { return simd::any_float16(*p); }
};

/// How many streams have rows, and the most rows of one. Streams come by falling numbers of rows.
struct Extent {
  std::size_t streams = 0, rows;

  template <class Stream>
  explicit Extent(const Streams<Stream>& from) noexcept : rows(from[0].count) {
    while (streams < kStreams && from[streams].count > 0) ++streams;
  }
};

/// The most vectors, or sums, that one load of a row serves.
inline constexpr std::size_t kMostVectors = 12;

template <class Stream>
auto row_of(const Stream& stream, std::size_t j, std::ptrdiff_t stride) noexcept {
  return stream.rows + static_cast<std::ptrdiff_t>(j) * stride;
}

}  // namespace fovea

#pragma once
/// The gradient of an array that was broadcast: the terms of all elements, each added to the element it came from.
/// Sums over repeated axes: of 64 runs in order, these in order; along a run in double.
/// Determinism: bits depend on the call alone; threads share out what is summed.

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/thread_pool.hpp"
#include "ops/row_walk.hpp"

namespace fovea {

/// The inputs of an operation of up to three, then its result.
inline constexpr std::size_t kBroadcastArrays = 4, kBroadcastResult = 3;

using BroadcastAxes = SharedAxes<kBroadcastArrays>;
using BroadcastOffsets = std::array<std::ptrdiff_t, kBroadcastArrays>;

/// How terms are made: those of elements [from, from + count) of the row, along the last axis, that begins at `offsets`. Whole vectors
/// may be written.
struct BroadcastTerms {
  void (*make)(const void* context, const BroadcastOffsets& offsets, std::size_t from, std::size_t count,
               float* terms) noexcept;
  const void* context;
};

/// Where they go: a float of array `index` of the axes moves `data` as it moves that array. `replaces`: the array is not broadcast,
/// and a term takes the place of what is there.
struct BroadcastTarget {
  std::size_t index;
  float* data;
  bool replaces = false;
};

/// Row-major strides of `rank` axes: those of the result.
void write_row_major(std::size_t rank, const std::int32_t* lengths, std::int32_t* strides) noexcept;

void add_broadcast_sums(const BroadcastAxes& axes, const BroadcastTarget& target, const BroadcastTerms& terms,
                        ThreadPool* pool) noexcept;

}  // namespace fovea

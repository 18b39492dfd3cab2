#pragma once
/// The elements of several arrays that share their axes, in row-major order, a row at a time. Each array is walked by strides of
/// its own, counted in floats: 0 where an axis repeats.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/thread_pool.hpp"

namespace fovea {

inline constexpr std::size_t kMaxWalkAxes = 64;

/// The axes of N arrays, outermost first. No axes: one element.
template <std::size_t N>
struct SharedAxes {
  std::size_t rank = 0;
  const std::int32_t* lengths = nullptr;  // [rank], as the strides
  std::array<const std::int32_t*, N> strides = {};

  [[nodiscard]] std::size_t length(std::size_t axis) const noexcept { return static_cast<std::size_t>(lengths[axis]); }

  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t total = 1;
    for (std::size_t axis = 0; axis < rank; ++axis) total *= length(axis);
    return total;
  }

  [[nodiscard]] std::int32_t last_stride(std::size_t array) const noexcept { return rank == 0 ? 1 : strides[array][rank - 1]; }
};

/// Calls visit(offsets, at, count) for the runs of elements [from, to) along the last axis: element `at` is `offsets[n]` floats
/// into array n, and `count` elements follow one another at the last strides.
template <std::size_t N, class Visit>
void walk_rows(const SharedAxes<N>& axes, std::size_t from, std::size_t to, Visit visit) noexcept {
  std::array<std::ptrdiff_t, N> offsets = {};
  if (axes.rank == 0) {
    if (from < to) visit(offsets, from, std::size_t{1});
    return;
  }
  const auto move = [&](std::size_t axis, std::ptrdiff_t steps) {
    for (std::size_t n = 0; n < N; ++n) offsets[n] += steps * axes.strides[n][axis];
  };
  const std::size_t last = axes.rank - 1;
  std::size_t index[kMaxWalkAxes];
  std::size_t rest = from;
  for (std::size_t axis = axes.rank; axis-- > 0;) {
    index[axis] = rest % axes.length(axis);
    rest /= axes.length(axis);
    move(axis, static_cast<std::ptrdiff_t>(index[axis]));
  }
  while (from < to) {
    const std::size_t count = std::min(axes.length(last) - index[last], to - from);
    visit(offsets, from, count);
    from += count;
    // The next row: back to the start of this one, then one step along the innermost axis that has one left.
    move(last, -static_cast<std::ptrdiff_t>(index[last]));
    index[last] = 0;
    for (std::size_t axis = last; axis-- > 0;) {
      move(axis, 1);
      if (++index[axis] < axes.length(axis)) break;
      move(axis, -axes.lengths[axis]);
      index[axis] = 0;
    }
  }
}

/// walk_rows of all elements, each of which counts for `cost` multiply-adds; threads share out chunks of constant size.
template <std::size_t N, class Visit>
void for_each_row(const SharedAxes<N>& axes, std::size_t cost, ThreadPool* pool, Visit visit) noexcept {
  constexpr std::size_t kChunk = 4096;
  const std::size_t total = axes.size();
  parallel_for(is_short_work(total, cost) ? nullptr : pool, (total + kChunk - 1) / kChunk, [&](std::size_t task, std::size_t) {
    walk_rows(axes, task * kChunk, std::min(total, (task + 1) * kChunk), visit);
  });
}

}  // namespace fovea

#include "ops/copy_strided.hpp"

#include <algorithm>

namespace fovea {
namespace {

constexpr std::size_t kCost = 4;      // multiply-adds that an element counts for
constexpr std::size_t kColumns = 16;  // of a transpose, read side by side: the floats of a cache line

void copy_row(const float* x, std::ptrdiff_t x_step, float* y, std::ptrdiff_t y_step, std::size_t count) noexcept {
  if (x_step == 1 && y_step == 1) {
    std::copy_n(x, count, y);
    return;
  }
  for (std::size_t i = 0; i < count; ++i, x += x_step, y += y_step) *y = *x;
}

/// The axis along which x lies in order, where that is not the last one: rank where there is none.
std::size_t transposed_axis(const SharedAxes<2>& axes) noexcept {
  if (axes.rank < 2 || axes.last_stride(0) == 1 || axes.length(axes.rank - 1) == 1) return axes.rank;
  for (std::size_t axis = axes.rank - 1; axis-- > 0;) {
    if (axes.strides[0][axis] == 1 && axes.length(axis) > 1) return axis;
  }
  return axes.rank;
}

/// Blocks of kColumns of the last axis, each walked along `axis`, so that neither array is read a line for a number.
void transpose(const CopyArgs& args, std::size_t axis, ThreadPool* pool) noexcept {
  const SharedAxes<2>& axes = args.axes;
  const std::size_t last = axes.rank - 1, rows = axes.length(axis), columns = axes.length(last);
  const std::size_t blocks = (columns + kColumns - 1) / kColumns;
  // The axes that are left, the two at length 1.
  std::int32_t lengths[kMaxWalkAxes];
  std::copy_n(axes.lengths, axes.rank, lengths);
  lengths[axis] = lengths[last] = 1;
  const SharedAxes<2> outer = {axes.rank, lengths, axes.strides};
  const std::ptrdiff_t x_row = axes.strides[0][axis], y_row = axes.strides[1][axis];
  const std::ptrdiff_t x_step = axes.strides[0][last], y_step = axes.strides[1][last];
  const bool is_short = is_short_work(axes.size(), kCost);
  parallel_for(is_short ? nullptr : pool, outer.size() * blocks, [&](std::size_t task, std::size_t) {
    const std::size_t matrix = task / blocks, first = task % blocks * kColumns;
    walk_rows(outer, matrix, matrix + 1, [&](const auto& offsets, std::size_t, std::size_t) {
      const float* x = args.x + offsets[0] + static_cast<std::ptrdiff_t>(first) * x_step;
      float* y = args.y + offsets[1] + static_cast<std::ptrdiff_t>(first) * y_step;
      for (std::size_t row = 0; row < rows; ++row, x += x_row, y += y_row)
        copy_row(x, x_step, y, y_step, std::min(kColumns, columns - first));
    });
  });
}

}  // namespace

void copy_strided(const CopyArgs& args, ThreadPool* pool) noexcept {
  const SharedAxes<2>& axes = args.axes;
  if (axes.size() == 0) return;
  if (const std::size_t axis = transposed_axis(axes); axis < axes.rank) return transpose(args, axis, pool);
  for_each_row(axes, kCost, pool, [&](const auto& offsets, std::size_t, std::size_t count) {
    copy_row(args.x + offsets[0], axes.last_stride(0), args.y + offsets[1], axes.last_stride(1), count);
  });
}

}  // namespace fovea

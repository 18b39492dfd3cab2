#include "ops/copy_strided_backward.hpp"

#include <algorithm>

#include "simd/map_onto.hpp"

namespace fovea {
namespace {

/// The axes in another order: the one along which x lies in order last, where there is one.
struct OrderedAxes {
  std::int32_t lengths[kMaxWalkAxes], x_strides[kMaxWalkAxes], y_strides[kMaxWalkAxes];
  std::size_t rank;

  explicit OrderedAxes(const SharedAxes<2>& of) noexcept : rank(of.rank) {
    std::copy_n(of.lengths, rank, lengths);
    std::copy_n(of.strides[0], rank, x_strides);
    std::copy_n(of.strides[1], rank, y_strides);
    if (rank == 0 || x_strides[rank - 1] == 1) return;
    for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
      if (x_strides[axis] != 1 || lengths[axis] == 1) continue;
      for (std::int32_t* numbers : {lengths, x_strides, y_strides}) std::swap(numbers[axis], numbers[rank - 1]);
      return;
    }
  }

  [[nodiscard]] SharedAxes<2> axes() const noexcept { return {rank, lengths, {x_strides, y_strides}}; }
};

}  // namespace

void copy_strided_backward(const SharedAxes<2>& axes, const float* d_y, float* d_x) noexcept {
  if (axes.size() == 0) return;
  const OrderedAxes ordered(axes);
  const std::ptrdiff_t x_step = ordered.axes().last_stride(0), y_step = ordered.axes().last_stride(1);
  walk_rows(ordered.axes(), 0, axes.size(), [&](const auto& offsets, std::size_t, std::size_t count) {
    float* to = d_x + offsets[0];
    const float* from = d_y + offsets[1];
    if (x_step == 1 && y_step == 1) return add_onto(to, count, from);
    for (std::size_t i = 0; i < count; ++i, to += x_step, from += y_step) *to += *from;
  });
}

}  // namespace fovea

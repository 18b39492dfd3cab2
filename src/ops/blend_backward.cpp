#include "ops/blend_backward.hpp"

#include "ops/broadcast_sums.hpp"

namespace fovea {
namespace {

enum Array : std::size_t { A, B, Gate };

struct Gradient {
  const BlendBackwardArgs& args;
  BroadcastAxes axes;
  Array own;

  void make(const BroadcastOffsets& offsets, std::size_t from, std::size_t count, float* terms) const noexcept {
    const float* const d_y = args.d_y + offsets[kBroadcastResult] + from;
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = [&](const float* array, Array which) {
        return array[offsets[which] + static_cast<std::ptrdiff_t>(from + i) * axes.last_stride(which)];
      };
      const float gate = at(args.forward.gate, Gate);
      const float rest = own == Gate ? at(args.forward.a, A) - at(args.forward.b, B) : 1.0f - gate;
      terms[i] = d_y[i] * (own == A ? gate : rest);
    }
  }
};

}  // namespace

void blend_backward(const BlendBackwardArgs& args, ThreadPool* pool) noexcept {
  const SharedAxes<3>& axes = args.forward.axes;
  std::int32_t y_strides[kMaxWalkAxes];
  write_row_major(axes.rank, axes.lengths, y_strides);
  const auto make = [](const void* context, const BroadcastOffsets& offsets, std::size_t from, std::size_t count,
                       float* terms) noexcept { static_cast<const Gradient*>(context)->make(offsets, from, count, terms); };
  const auto add = [&](Array own, float* gradient) {
    if (gradient == nullptr) return;
    const Gradient of = {
        args, {axes.rank, axes.lengths, {axes.strides[A], axes.strides[B], axes.strides[Gate], y_strides}}, own};
    add_broadcast_sums(of.axes, {own, gradient}, {make, &of}, pool);
  };
  add(A, args.d_a);
  add(B, args.d_b);
  add(Gate, args.d_gate);
}

}  // namespace fovea

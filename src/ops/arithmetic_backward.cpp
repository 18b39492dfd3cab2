#include "ops/arithmetic_backward.hpp"

#include <algorithm>

#include "ops/broadcast_sums.hpp"
#include "ops/map.hpp"
#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

enum Array : std::size_t { A, B };

constexpr std::size_t kTask = 4096;  // elements of a sum that is not broadcast

/// Elements of a row: those from `i` on of `count`; a step is 0 where the row repeats one element.
struct RowReader {
  const float* x;
  bool repeats;
  std::size_t count;

  [[nodiscard]] f32 at(std::size_t i) const noexcept {
    if (repeats) return splat(*x);
    if (i + f32::size <= count) return simd::load(x + i);
    float rest[f32::size] = {};
    std::copy_n(x + i, count - i, rest);
    return simd::load(rest);
  }
};

struct Gradient {
  const ArithmeticBackwardArgs& args;
  BroadcastAxes axes;
  Array own;

  /// Calls visit(f) with the term of dY, the own element and the other one.
  template <class Visit>
  void with_term(Visit visit) const noexcept {
    const f32 zero = splat(0.0f), half = splat(0.5f), scale = splat(args.forward.scale);
    switch (args.forward.kind) {
      case Arithmetic::Add:
      case Arithmetic::Subtract: {
        const bool is_negative = args.forward.kind == Arithmetic::Subtract && own == B;
        return visit([s = is_negative ? zero - scale : scale](f32 d, f32, f32) { return d * s; });
      }
      case Arithmetic::Multiply: return visit([=](f32 d, f32, f32 other) { return (d * scale) * other; });
      case Arithmetic::Divide:
        if (own == A) return visit([](f32 d, f32, f32 other) { return d / other; });
        return visit([=](f32 d, f32 divisor, f32 other) { return zero - d * ((other / divisor) / divisor); });
      case Arithmetic::Minimum:
      case Arithmetic::Maximum: {
        const f32 sign = splat(args.forward.kind == Arithmetic::Maximum ? 1.0f : -1.0f);
        return visit([=](f32 d, f32 x, f32 other) {
          const f32 left = sign * x, right = sign * other;
          return simd::select(left < right, zero, simd::select(left == right, half * d, d));
        });
      }
    }
  }

  void make(const BroadcastOffsets& offsets, std::size_t from, std::size_t count, float* terms) const noexcept {
    const auto row = [&](Array array) {
      const float* const start = (array == A ? args.forward.a : args.forward.b) + offsets[array];
      const bool repeats = axes.last_stride(array) == 0;
      return RowReader{repeats ? start : start + from, repeats, count};
    };
    const RowReader x = row(own), other = row(own == A ? B : A),
                    d_y = {args.d_y + offsets[kBroadcastResult] + from, false, count};
    with_term([&](auto term) {
      for (std::size_t i = 0; i < count; i += f32::size) simd::store(terms + i, term(d_y.at(i), x.at(i), other.at(i)));
    });
  }
};

/// Whether the terms are dY times a number, element by element.
bool is_plain_sum(const ArithmeticArgs& forward, Array own) noexcept {
  const bool is_sum = forward.kind == Arithmetic::Add || forward.kind == Arithmetic::Subtract;
  return is_sum && forward.axes.rank == 1 && forward.axes.strides[own][0] == 1;
}

void add_plain_sum(const ArithmeticBackwardArgs& args, Array own, float* gradient, ThreadPool* pool) noexcept {
  const std::size_t count = args.forward.axes.length(0);
  const bool is_negative = args.forward.kind == Arithmetic::Subtract && own == B;
  const f32 s = splat(is_negative ? -args.forward.scale : args.forward.scale);
  parallel_for(is_short_work(count) ? nullptr : pool, (count + kTask - 1) / kTask, [&](std::size_t task, std::size_t) {
    const std::size_t from = task * kTask, here = std::min(kTask, count - from);
    if (gradient == args.d_y) return map(args.d_y + from, here, gradient + from, [=](f32 d) { return d * s; });
    map_onto(
        gradient + from, here, [=](f32 sum, f32 d) { return sum + d * s; }, args.d_y + from);
  });
}

void add_gradient(const ArithmeticBackwardArgs& args, Array own, float* gradient, ThreadPool* pool) noexcept {
  if (is_plain_sum(args.forward, own)) return add_plain_sum(args, own, gradient, pool);
  const SharedAxes<2>& axes = args.forward.axes;
  std::int32_t y_strides[kMaxWalkAxes];
  write_row_major(axes.rank, axes.lengths, y_strides);
  const Gradient of = {args, {axes.rank, axes.lengths, {axes.strides[A], axes.strides[B], y_strides, y_strides}}, own};
  const auto make = [](const void* context, const BroadcastOffsets& offsets, std::size_t from, std::size_t count,
                       float* terms) noexcept { static_cast<const Gradient*>(context)->make(offsets, from, count, terms); };
  add_broadcast_sums(of.axes, {own, gradient, gradient == args.d_y}, {make, &of}, pool);
}

}  // namespace

void arithmetic_backward(const ArithmeticBackwardArgs& args, ThreadPool* pool) noexcept {
  const bool a_is_last = args.d_a == args.d_y;
  if (args.d_a != nullptr && !a_is_last) add_gradient(args, A, args.d_a, pool);
  if (args.d_b != nullptr) add_gradient(args, B, args.d_b, pool);
  if (args.d_a != nullptr && a_is_last) add_gradient(args, A, args.d_a, pool);
}

}  // namespace fovea

#include "ops/arithmetic.hpp"

#include <algorithm>

#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

constexpr std::size_t kChunk = 4096;  // elements of one task
constexpr std::size_t kCost = 16;     // multiply-adds that an element counts for

/// `count` elements of one row; a step is 0 where the row repeats one element.
template <class F>
void run_row(F f, const float* a, std::int32_t a_step, const float* b, std::int32_t b_step, std::size_t count,
             float* y) noexcept {
  if (a_step != 0 && b_step != 0) return map(a, b, count, y, f);
  if (a_step != 0) return map(a, count, y, [f, right = splat(*b)](f32 left) { return f(left, right); });
  if (b_step != 0) return map(b, count, y, [f, left = splat(*a)](f32 right) { return f(left, right); });
  std::fill_n(y, count, f(splat(*a), splat(*b)).get(0));
}

void run_row(const ArithmeticArgs& args, const float* a, std::int32_t a_step, const float* b, std::int32_t b_step,
             std::size_t count, float* y) noexcept {
  const f32 scale = splat(args.scale);
  if (args.kind == Arithmetic::Multiply)
    return run_row([=](f32 left, f32 right) { return (left * right) * scale; }, a, a_step, b, b_step, count, y);
  const f32 sign = splat(args.kind == Arithmetic::Add ? 1.0f : -1.0f);
  run_row([=](f32 left, f32 right) { return (left + sign * right) * scale; }, a, a_step, b, b_step, count, y);
}

/// Elements [from, to) of y in row-major order.
void run_chunk(const ArithmeticArgs& args, std::size_t from, std::size_t to) noexcept {
  const std::size_t last = args.rank - 1;
  std::size_t index[kMaxArithmeticAxes];
  const float *a = args.a, *b = args.b;
  const auto length_of = [&](std::size_t axis) { return static_cast<std::size_t>(args.lengths[axis]); };
  const auto move = [&](std::size_t axis, std::ptrdiff_t steps) {
    a += steps * args.a_strides[axis];
    b += steps * args.b_strides[axis];
  };
  std::size_t rest = from;
  for (std::size_t axis = args.rank; axis-- > 0;) {
    index[axis] = rest % length_of(axis);
    rest /= length_of(axis);
    move(axis, static_cast<std::ptrdiff_t>(index[axis]));
  }
  while (from < to) {
    const std::size_t count = std::min(length_of(last) - index[last], to - from);
    run_row(args, a, args.a_strides[last], b, args.b_strides[last], count, args.y + from);
    from += count;
    // The next row: back to the start of this one, then one step along the innermost axis that has one left.
    move(last, -static_cast<std::ptrdiff_t>(index[last]));
    index[last] = 0;
    for (std::size_t axis = last; axis-- > 0;) {
      move(axis, 1);
      if (++index[axis] < length_of(axis)) break;
      move(axis, -args.lengths[axis]);
      index[axis] = 0;
    }
  }
}

}  // namespace

void arithmetic(const ArithmeticArgs& args, ThreadPool* pool) noexcept {
  if (args.rank == 0) return run_row(args, args.a, 1, args.b, 1, 1, args.y);
  std::size_t total = 1;
  for (std::size_t axis = 0; axis < args.rank; ++axis) total *= static_cast<std::size_t>(args.lengths[axis]);
  const std::size_t tasks = (total + kChunk - 1) / kChunk;
  parallel_for(is_short_work(total, kCost) ? nullptr : pool, tasks,
               [&](std::size_t task, std::size_t) { run_chunk(args, task * kChunk, std::min(total, (task + 1) * kChunk)); });
}

}  // namespace fovea

#include "ops/arithmetic.hpp"

#include <algorithm>

#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

constexpr std::size_t kCost = 16;  // multiply-adds that an element counts for

/// Calls visit(f) with the function of two times four floats.
template <class Visit>
void with_function(Arithmetic kind, f32 scale, Visit visit) noexcept {
  switch (kind) {
    case Arithmetic::Add:
    case Arithmetic::Subtract: {
      const f32 sign = splat(kind == Arithmetic::Add ? 1.0f : -1.0f);
      return visit([=](f32 left, f32 right) { return (left + sign * right) * scale; });
    }
    case Arithmetic::Multiply: return visit([=](f32 left, f32 right) { return (left * right) * scale; });
    case Arithmetic::Divide: return visit([](f32 left, f32 right) { return left / right; });
    case Arithmetic::Minimum: return visit([](f32 left, f32 right) { return -simd::max_or_nan(-left, -right); });
    case Arithmetic::Maximum: return visit([](f32 left, f32 right) { return simd::max_or_nan(left, right); });
  }
}

/// `count` elements of one row; a step is 0 where the row repeats one element.
template <class F>
void run_row(F f, const float* a, std::int32_t a_step, const float* b, std::int32_t b_step, std::size_t count,
             float* y) noexcept {
  if (a_step != 0 && b_step != 0) return map(a, b, count, y, f);
  if (a_step != 0) return map(a, count, y, [f, right = splat(*b)](f32 left) { return f(left, right); });
  if (b_step != 0) return map(b, count, y, [f, left = splat(*a)](f32 right) { return f(left, right); });
  std::fill_n(y, count, f(splat(*a), splat(*b)).get(0));
}

}  // namespace

void arithmetic(const ArithmeticArgs& args, ThreadPool* pool) noexcept {
  const std::int32_t a_step = args.axes.last_stride(0), b_step = args.axes.last_stride(1);
  with_function(args.kind, splat(args.scale), [&](auto f) {
    for_each_row(args.axes, kCost, pool, [&](const auto& offsets, std::size_t at, std::size_t count) {
      run_row(f, args.a + offsets[0], a_step, args.b + offsets[1], b_step, count, args.y + at);
    });
  });
}

}  // namespace fovea

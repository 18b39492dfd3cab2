#include "ops/elementary_backward.hpp"

#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {

void elementary_backward(const ElementaryBackwardArgs& args) noexcept {
  using simd::f32;
  using simd::select;
  const f32 zero = simd::splat(0.0f);
  switch (args.kind) {
    case Elementary::Abs:
      return map_onto(
          args.d_x, args.count,
          [=](f32 sum, f32 x, f32 d) {
            return sum + select(x > zero, d, select(x < zero, zero - d, select(x == zero, zero, x)));
          },
          args.x, args.d_y);
    case Elementary::Exp:
      if (args.d_x == args.d_y)
        return map_onto(
            args.d_x, args.count, [](f32 d, f32 y) { return d * y; }, args.y);
      return map_onto(
          args.d_x, args.count, [](f32 sum, f32 y, f32 d) { return sum + d * y; }, args.y, args.d_y);
    case Elementary::Log:
      return map_onto(
          args.d_x, args.count, [](f32 sum, f32 x, f32 d) { return sum + d / x; }, args.x, args.d_y);
  }
}

}  // namespace fovea

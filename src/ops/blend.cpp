#include "ops/blend.hpp"

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;

constexpr std::size_t kCost = 16;  // multiply-adds that an element counts for

float blend_one(float a, float b, float gate) noexcept { return gate * a + (1.0f - gate) * b; }

}  // namespace

void blend(const BlendArgs& args, ThreadPool* pool) noexcept {
  const std::ptrdiff_t a_step = args.axes.last_stride(0), b_step = args.axes.last_stride(1),
                       gate_step = args.axes.last_stride(2);
  const bool in_order = a_step == 1 && b_step == 1 && gate_step == 1;
  const auto run_row = [&](const auto& offsets, std::size_t at, std::size_t count) {
    const float *a = args.a + offsets[0], *b = args.b + offsets[1], *gate = args.gate + offsets[2];
    float* const y = args.y + at;
    std::size_t i = 0;
    for (; in_order && i + f32::size <= count; i += f32::size) {
      const f32 g = load(gate + i);
      simd::store(y + i, g * load(a + i) + (splat(1.0f) - g) * load(b + i));
    }
    for (; i < count; ++i) {
      const auto step = static_cast<std::ptrdiff_t>(i);
      y[i] = blend_one(a[step * a_step], b[step * b_step], gate[step * gate_step]);
    }
  };
  for_each_row(args.axes, kCost, pool, run_row);
}

}  // namespace fovea

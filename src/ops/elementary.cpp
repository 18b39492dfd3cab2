#include "ops/elementary.hpp"

#include <algorithm>
#include <cmath>

#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

/// exp, beyond the domain of simd::exp too: exp(x) = exp(x / 2)² above 87.
f32 exp_anywhere(f32 any) noexcept {
  const f32 x = simd::without_tiny(any);
  const auto is_large = x > splat(87.0f);
  const f32 half = simd::at_most(x, splat(176.0f)) * splat(0.5f);
  const f32 y = simd::exp(simd::select(is_large, half, x));
  return simd::select(is_large, y * y, y);
}

}  // namespace

void elementary(Elementary kind, const float* x, std::size_t count, float* y) noexcept {
  switch (kind) {
    case Elementary::Abs: return map(x, count, y, [](f32 a) { return simd::abs(a); });
    case Elementary::Exp: return map(x, count, y, exp_anywhere);
    case Elementary::Log:
      std::transform(x, x + count, y, [](float a) { return static_cast<float>(std::log(static_cast<double>(a))); });
      return;
  }
}

}  // namespace fovea

#pragma once
/// The logistic function of four floats: σ(x) = 1 / (1 + exp(-x)).
/// Domain: all floats; ±inf gives 1 and 0, NaN gives NaN.
/// Accuracy: <= 4 ULP from -87.33 on (asserted by tests/cpp/simd/sigmoid_test.cpp). Below, the true value is less than the
///   smallest normal number, and the result is off by less than that; below -88 it is 0.

#include "simd/exp.hpp"

namespace fovea::simd {

inline f32 sigmoid(f32 x) noexcept {
  const f32 one = splat(kExp.one), lowest = splat(kExp.lowest);
  // exp's domain ends at 88; a NaN is not below, and passes.
  const mask32 is_below = x < lowest;
  const f32 y = one / (one + exp(select(is_below, lowest, -x)));
  return select(is_below, splat(0.0f), y);
}

}  // namespace fovea::simd

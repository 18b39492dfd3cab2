#pragma once
/// The logistic function of four floats: σ(x) = 1 / (1 + exp(-x)).
/// Domain: all floats; ±inf gives 1 and a number below the normal range, NaN gives NaN.
/// Accuracy: <= 4 ULP (asserted by tests/cpp/simd/sigmoid_test.cpp); below -87.33 within 4 ULP of the smallest normal number.

#include "simd/exp.hpp"

namespace fovea::simd {

inline f32 sigmoid(f32 x) noexcept {
  const f32 one = splat(kExp.one);
  // Beyond 88, where exp's domain ends, σ is 0 but for a subnormal.
  const f32 e = exp(select(x < splat(kExp.lowest), splat(-kExp.lowest), -x));
  return one / (one + e);
}

}  // namespace fovea::simd

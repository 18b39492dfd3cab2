#pragma once
/// The logistic function of four floats.
///   sigmoid(x) = 1 / (1 + exp(-x)), as exp(x) / (1 + exp(x)) for x < 0: small results keep their relative accuracy.
/// Domain: all floats; +inf gives 1, -inf gives 0, NaN gives NaN.
/// Accuracy: <= 4 ULP (asserted by tests/cpp/simd/sigmoid_test.cpp); below -87.33, where exp leaves the normal range, within
/// 2^-126.

#include "simd/exp.hpp"

namespace fovea::simd {

inline f32 sigmoid(f32 x) noexcept {
  const f32 one = splat(kExp.one), e = exp(splat(0.0f) - without_tiny(abs(x)));
  return select(x < splat(0.0f), e, one) / (one + e);
}

/// The sigmoid of one float, in the same bits.
inline float sigmoid(float x) noexcept { return sigmoid(splat(x)).get(0); }

}  // namespace fovea::simd

#pragma once
/// The logistic sigmoid of four floats.
///   sigmoid(x) = 1 / (1 + exp(-x)) = exp(x) / (1 + exp(x)): of both the one whose exponential is at most 1
/// Domain: all floats; -inf gives 0, +inf 1, NaN NaN.   Accuracy: <= 4 ULP where it is at least 2^-126 (asserted by
///   tests/cpp/simd/sigmoid_test.cpp); below, as simd::exp.

#include "simd/exp.hpp"

namespace fovea::simd {

inline f32 sigmoid(f32 x) noexcept {
  const f32 e = exp(splat(0.0f) - abs(x)), one = splat(1.0f);
  return select(x < splat(0.0f), e, one) / (one + e);
}

}  // namespace fovea::simd

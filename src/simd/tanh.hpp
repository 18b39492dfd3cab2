#pragma once
/// The hyperbolic tangent of four floats.
/// Domain: all floats; ±inf gives ±1, NaN gives NaN.   Accuracy: <= 2 ULP (asserted by tests/cpp/simd/tanh_test.cpp).

#include "simd/exp.hpp"

namespace fovea::simd {

inline f32 tanh(f32 x) noexcept { return xsimd::tanh(x); }

/// tanh as 1 - 2 / (1 + exp(2x)), in half the instructions, for sums that an error of an eps of 1 does not show
/// in. Accuracy: within 2^-22 in absolute terms (asserted there too); exactly ±1 at ±inf, NaN gives NaN.
inline f32 tanh_of_exp(f32 x) noexcept {
  const f32 one = splat(kExp.one), twice = x + x, most = splat(-kExp.lowest);
  return one - (one + one) / (one + exp(select(twice > most, most, twice)));
}

}  // namespace fovea::simd

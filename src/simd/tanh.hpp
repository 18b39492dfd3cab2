#pragma once
/// The hyperbolic tangent of four floats.
/// Domain: all floats; ±inf gives ±1, NaN gives NaN.   Accuracy: <= 2 ULP (asserted by tests/cpp/simd/tanh_test.cpp).

#include "simd/batch.hpp"

namespace fovea::simd {

inline f32 tanh(f32 x) noexcept { return xsimd::tanh(x); }

}  // namespace fovea::simd

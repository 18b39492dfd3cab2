#pragma once
/// The natural exponential of four floats.
///   exp(x) = 2^n * exp(f),  n = round(x / ln 2),  f = x - n ln 2 in [-ln2/2, ln2/2]
///   exp(f) = 1 + f + f² P(f), P of degree 4, minimax in relative error (3.7e-9) by Remez exchange.
/// Domain: (-inf, 88]. -inf gives 0, NaN gives NaN.
/// Accuracy: <= 2 ULP on [-87.33, 88] (asserted by tests/cpp/simd/exp_test.cpp). From there to -126.5 ln 2 = -87.68 the result
///   is subnormal, within 2 ULP of the smallest normal number; below it is +0.

#include "simd/madd.hpp"

namespace fovea::simd {

inline f32 exp(f32 x) noexcept {
  // 1.5 * 2^23: adding it rounds to an integer and leaves that integer in the low bits.
  constexpr float kRound = 0x1.8p23f;
  constexpr float kLog2e = 0x1.715476p+0f;    // 1.44269502
  constexpr float kLn2High = 0x1.62ep-1f;     // 0.693115234: 12 bits, so that n * kLn2High is exact
  constexpr float kLn2Low = 0x1.0bfbe8p-15f;  // ln 2 - kLn2High = 3.19461833e-5
  constexpr float kLowest = -88.0f;           // its n is -127, whose power of two is written as +0

  x = at_least(x, splat(kLowest));

  // n <- round(x / ln 2);  f <- x - n ln 2
  const f32 shifted = madd(x, splat(kLog2e), splat(kRound));
  const f32 n = shifted - splat(kRound);
  const f32 f = madd(n, splat(-kLn2Low), madd(n, splat(-kLn2High), x));

  // p <- exp(f)
  f32 p = splat(0x1.6a23dp-10f);
  p = madd(p, f, splat(0x1.123a2p-7f));
  p = madd(p, f, splat(0x1.5558f2p-5f));
  p = madd(p, f, splat(0x1.555492p-3f));
  p = madd(p, f, splat(0x1.fffffcp-2f));
  p = madd(f * f, p, f) + splat(1.0f);

  // 2^n, from the low bits of `shifted`
  const i32 exponent = (xsimd::bitwise_cast<std::int32_t>(shifted) << 23) + i32(0x3F800000);
  return p * xsimd::bitwise_cast<float>(exponent);
}

/// The same function of one float, in the same bits.
inline float exp(float x) noexcept { return exp(splat(x)).get(0); }

}  // namespace fovea::simd

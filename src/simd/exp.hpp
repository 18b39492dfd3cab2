#pragma once
/// The natural exponential of four floats.
///   exp(x) = 2^n * exp(f),  n = round(x / ln 2),  f = x - n ln 2 in [-ln2/2, ln2/2]
///   exp(f) = 1 + f + f² P(f), P of degree 4, minimax in relative error (3.7e-9) by Remez exchange.
/// Domain: (-inf, 88]. -inf gives 0, NaN gives NaN.
/// Accuracy: <= 2 ULP on [-87.33, 88] (asserted by tests/cpp/simd/exp_test.cpp). From there to -126.5 ln 2 = -87.68 the result
///   is subnormal, within 2 ULP of the smallest normal number; below it is +0.

#include "simd/madd.hpp"

namespace fovea::simd {

struct ExpConstants {
  float lowest;          // its n is -127, whose power of two is written as +0
  float round;           // 1.5 * 2^23: adding it rounds to an integer and leaves that integer in the low bits
  float log2e;           // 1.44269502
  float minus_ln2_high;  // 0.693115234: 12 bits, so that n * ln2_high is exact
  float minus_ln2_low;   // ln 2 - ln2_high = 3.19461833e-5
  float p[5];            // from the constant term up
  float one;
  float tiny;  // 2^-30: below it exp is 1, and expm1 its argument
};

/// Defined where no kernel sees it: V8 makes a vector constant anew, in three instructions, at every use; what is loaded
/// stays in a register.
extern const ExpConstants kExp;

/// exp(x) = power * (1 + rest)
struct ExpParts {
  f32 power, rest;
};

inline ExpParts exp_parts(f32 x) noexcept {
  x = at_least(x, splat(kExp.lowest));

  // n <- round(x / ln 2);  f <- x - n ln 2
  const f32 shifted = madd(x, splat(kExp.log2e), splat(kExp.round));
  const f32 n = shifted - splat(kExp.round);
  const f32 f = madd(n, splat(kExp.minus_ln2_low), madd(n, splat(kExp.minus_ln2_high), x));

  // rest <- exp(f) - 1
  f32 p = splat(kExp.p[4]);
  p = madd(p, f, splat(kExp.p[3]));
  p = madd(p, f, splat(kExp.p[2]));
  p = madd(p, f, splat(kExp.p[1]));
  p = madd(p, f, splat(kExp.p[0]));
  const f32 rest = madd(f * f, p, f);

  // 2^n, from the low bits of `shifted`
  const i32 exponent = (xsimd::bitwise_cast<std::int32_t>(shifted) << 23) + xsimd::bitwise_cast<std::int32_t>(splat(kExp.one));
  return {xsimd::bitwise_cast<float>(exponent), rest};
}

inline f32 exp(f32 x) noexcept {
  const ExpParts parts = exp_parts(x);
  return (parts.rest + splat(kExp.one)) * parts.power;
}

/// Whether exp(x) is 1. The square of such an x may be subnormal, with which processors multiply up to a hundred times as slowly.
inline mask32 is_tiny(f32 x) noexcept { return abs(x) < splat(kExp.tiny); }

/// x, or 0 where exp(x) is 1 in the same bits: for functions of many numbers, all of which may be tiny.
inline f32 without_tiny(f32 x) noexcept { return select(is_tiny(x), splat(0.0f), x); }

/// exp(x) - 1, without the cancellation near 0. Accuracy: <= 2 ULP on (-inf, 88] (asserted by tests/cpp/simd/exp_test.cpp);
/// -0 gives 0.
inline f32 expm1(f32 x) noexcept {
  const mask32 tiny = is_tiny(x);
  const ExpParts parts = exp_parts(select(tiny, splat(0.0f), x));
  return select(tiny, x, parts.power * parts.rest) + (parts.power - splat(kExp.one));
}

/// The exponential of one float, in the same bits.
inline float exp(float x) noexcept { return exp(splat(x)).get(0); }

}  // namespace fovea::simd

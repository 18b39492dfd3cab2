#pragma once
/// Φ, the distribution function of the normal distribution, of four floats: Φ(x) = (1 + erf(x / √2)) / 2.
///   Φ(-u) = exp(-u²/2) P(t),  t = 1 / (1 + 11/32 u),  u >= 0;  Φ(u) = 1 - Φ(-u)
///   P of degree 9, minimax in relative error (1.8e-8) for u in [0, 13.3] by Remez exchange. Small results keep their relative
///   accuracy, which 1 + erf(x / √2) loses.
/// Domain: all floats; +inf gives 1, -inf gives 0, NaN gives NaN.
/// Accuracy: <= 8 ULP on [-12.9, inf) (asserted by tests/cpp/simd/erf_test.cpp); below, where results leave the normal range,
///   within 2^-126.

#include "simd/exp.hpp"

namespace fovea::simd {

struct NormalConstants {
  float slope;  // 11/32
  float half;
  float p[10];  // from the constant term up
};

/// Defined where no kernel sees it, as kExp is.
extern const NormalConstants kNormal;

/// Φ(x)
inline f32 normal_cdf(f32 x) noexcept {
  const f32 one = splat(kExp.one), half = splat(kNormal.half), u = without_tiny(abs(x));

  // e <- exp(-u²/2): the square's rounding error, found by cutting u in two, goes into the exponential as a factor.
  const f32 high = split_high(u), low = u - high;
  const f32 square = half * u * u;
  const f32 rest = (square - half * high * high) - half * low * (u + high);
  f32 e = exp(splat(0.0f) - square);
  e = select(e > splat(0.0f), madd(e, rest, e), e);

  // tail <- Φ(-u)
  const f32 t = one / madd(u, splat(kNormal.slope), one);
  f32 p = splat(kNormal.p[9]);
  for (int i = 8; i >= 0; --i) p = madd(p, t, splat(kNormal.p[i]));
  const f32 tail = e * p;
  return select(x < splat(0.0f), tail, one - tail);
}

}  // namespace fovea::simd

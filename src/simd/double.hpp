#pragma once
/// Two doubles, and the multiply-add of doubles: as madd.hpp, one rounding or two with relaxed SIMD, two elsewhere.

#include "simd/madd.hpp"

namespace fovea::simd {

using f64 = xsimd::make_sized_batch_t<double, 2>;
using i64 = xsimd::make_sized_batch_t<std::int64_t, 2>;

/// p[0] and p[1] as doubles
inline f64 load_double(const float* p) noexcept {
#ifdef __wasm_simd128__
  return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(p));
#else
  return f64(static_cast<double>(p[0]), static_cast<double>(p[1]));
#endif
}

inline f64 load_double(const double* p) noexcept { return f64::load_unaligned(p); }

/// p[0] and p[1] <- x, rounded to float32
inline void store_float(float* p, f64 x) noexcept {
#ifdef __wasm_simd128__
  wasm_v128_store64_lane(p, wasm_f32x4_demote_f64x2_zero(x), 0);
#else
  p[0] = static_cast<float>(x.get(0));
  p[1] = static_cast<float>(x.get(1));
#endif
}

inline f64 select(f64::batch_bool_type condition, f64 yes, f64 no) noexcept { return xsimd::select(condition, yes, no); }
/// NaN in either operand may give either.
inline f64 max(f64 a, f64 b) noexcept { return xsimd::max(a, b); }
inline f64 min(f64 a, f64 b) noexcept { return xsimd::min(a, b); }
inline i64 bits_of(f64 x) noexcept { return xsimd::bitwise_cast<std::int64_t>(x); }

/// a[0] + a[1] and b[0] + b[1]
inline f64 add_pairs(f64 a, f64 b) noexcept { return xsimd::zip_lo(a, b) + xsimd::zip_hi(a, b); }

inline f64 madd(f64 a, f64 b, f64 c) noexcept {
#ifdef __wasm_relaxed_simd__
  return wasm_f64x2_relaxed_madd(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace fovea::simd

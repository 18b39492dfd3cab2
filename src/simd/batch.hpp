#pragma once
/// Four floats, on every machine: the same width natively and in wasm, so that both run the same tiles.

#include <cstddef>
#include <cstdint>

#include <xsimd/xsimd.hpp>

namespace fovea::simd {

using f32 = xsimd::make_sized_batch_t<float, 4>;
using i32 = xsimd::make_sized_batch_t<std::int32_t, 4>;
using u8 = xsimd::make_sized_batch_t<std::uint8_t, 16>;
using mask32 = f32::batch_bool_type;

inline f32 load(const float* p) noexcept { return f32::load_unaligned(p); }
inline void store(float* p, f32 x) noexcept { x.store_unaligned(p); }
inline f32 splat(float x) noexcept { return f32(x); }

/// Lanes whose bit is set in the low four of `bits`.
inline mask32 lanes(std::uint64_t bits) noexcept { return mask32::from_mask(bits & 0xF); }

/// The lesser-used half of IEEE max: a NaN in either operand may give either operand. NaN is caught by exp and the sums.
inline f32 max(f32 a, f32 b) noexcept { return xsimd::max(a, b); }

/// The larger; NaN where either is NaN.
inline f32 max_or_nan(f32 a, f32 b) noexcept { return xsimd::select((b > a) | (b != b), b, a); }

/// x, but at least `low`; a NaN in x passes.
inline f32 at_least(f32 x, f32 low) noexcept {
#ifdef __wasm_simd128__
  return xsimd::max(x, low);  // pmax: low where x < low, else x
#else
  return xsimd::select(x < low, low, x);
#endif
}

/// x, but at most `high`; a NaN in x passes.
inline f32 at_most(f32 x, f32 high) noexcept {
#ifdef __wasm_simd128__
  return xsimd::min(x, high);  // pmin: high where high < x, else x
#else
  return xsimd::select(high < x, high, x);
#endif
}

inline f32 select(mask32 condition, f32 yes, f32 no) noexcept { return xsimd::select(condition, yes, no); }
inline i32 select(mask32 condition, i32 yes, i32 no) noexcept {
  return xsimd::bitwise_cast<std::int32_t>(
      xsimd::select(condition, xsimd::bitwise_cast<float>(yes), xsimd::bitwise_cast<float>(no)));
}
inline bool all(mask32 condition) noexcept { return xsimd::all(condition); }
inline f32 abs(f32 x) noexcept { return xsimd::abs(x); }
inline f32 sqrt(f32 x) noexcept { return xsimd::sqrt(x); }

/// The upper twelve bits of each significand: their square is exact, and what was cut off is x minus this.
inline f32 split_high(f32 x) noexcept { return xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::int32_t>(x) & i32(~0xFFF)); }

/// rows[i][j] -> rows[j][i]
inline void transpose(f32 (&rows)[4]) noexcept {
  const f32 a = xsimd::zip_lo(rows[0], rows[2]), b = xsimd::zip_hi(rows[0], rows[2]);
  const f32 c = xsimd::zip_lo(rows[1], rows[3]), d = xsimd::zip_hi(rows[1], rows[3]);
  rows[0] = xsimd::zip_lo(a, c);
  rows[1] = xsimd::zip_hi(a, c);
  rows[2] = xsimd::zip_lo(b, d);
  rows[3] = xsimd::zip_hi(b, d);
}

/// Eight floats in a row, as those in even and those in odd places; and back.
inline void split_pairs(f32& a, f32& b) noexcept {
  const f32 low = xsimd::zip_lo(a, b), high = xsimd::zip_hi(a, b);
  a = xsimd::zip_lo(low, high);
  b = xsimd::zip_hi(low, high);
}

inline void join_pairs(f32& even, f32& odd) noexcept {
  const f32 first = xsimd::zip_lo(even, odd), second = xsimd::zip_hi(even, odd);
  even = first;
  odd = second;
}

}  // namespace fovea::simd

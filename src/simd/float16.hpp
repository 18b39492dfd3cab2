#pragma once
/// float16 (IEEE binary16) as bits, converted to float32 and back, four or eight at a time. Every half is a float: to
/// float32 is exact, NaN's payload included. Back is rounded to nearest, ties to even: from 65520 on to infinity, below 2^-24
/// to subnormals or zero; NaN stays NaN, and becomes quiet.

#include <bit>

#include "simd/batch.hpp"

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace fovea::simd {

using u16 = xsimd::make_sized_batch_t<std::uint16_t, 8>;
using u32 = xsimd::make_sized_batch_t<std::uint32_t, 4>;

/// Four f16, each in the low bits of its lane.
inline f32 from_float16(u32 half) noexcept {
  const u32 magnitude = half & u32(0x7FFF), sign = (half & u32(0x8000)) << 16;
  // The exponent's bias grows from 15 to 127.
  const u32 normal = (magnitude << 13) + u32(0x38000000);
  // Subnormal: mantissa · 2^-24, as (1 + mantissa / 1024) 2^-14 - 2^-14, which is exact.
  const f32 subnormal = xsimd::bitwise_cast<float>(normal + u32(0x00800000)) - splat(0x1p-14f);
  const u32 infinite = normal + u32(0x38000000);
  const u32 finite = xsimd::select(magnitude < u32(0x0400), xsimd::bitwise_cast<std::uint32_t>(subnormal), normal);
  return xsimd::bitwise_cast<float>(xsimd::select(magnitude >= u32(0x7C00), infinite, finite) | sign);
}

/// The f16 at p[0..4) and p[4..8).
inline void load_float16(const std::uint16_t* p, f32& first, f32& second) noexcept {
  const u16 f16 = u16::load_unaligned(p), zeros(std::uint16_t{0});
  first = from_float16(xsimd::bitwise_cast<std::uint32_t>(xsimd::zip_lo(f16, zeros)));
  second = from_float16(xsimd::bitwise_cast<std::uint32_t>(xsimd::zip_hi(f16, zeros)));
}

/// Moving the bits of a finite f16 to those of a float multiplies it by this: the exponent's bias is 15, not 127.
inline constexpr float kFloat16Scale = 0x1p-112f;

/// The sign and the bits that a f16 has of a float. Defined where no kernel sees it, as kExp (exp.hpp) is.
extern const std::int32_t kFloat16Bits;

/// p[0..4), each continued by its sign.
inline i32 load_signed_float16(const std::uint16_t* p) noexcept {
#ifdef __wasm_simd128__
  return i32(wasm_i32x4_load16x4(p));
#else
  const auto at = [p](std::size_t i) { return static_cast<std::int32_t>(static_cast<std::int16_t>(p[i])); };
  return {at(0), at(1), at(2), at(3)};
#endif
}

/// Finite f16 at p[0..4) times kFloat16Scale, exactly, in three instructions; infinity and NaN become finite. A subnormal f16
/// becomes a subnormal float.
inline f32 load_scaled_float16(const std::uint16_t* p) noexcept {
  return xsimd::bitwise_cast<float>((load_signed_float16(p) << 13) & i32(kFloat16Bits));
}

struct Float16Constants {
  std::int32_t magnitude;  // the bits of a f16's exponent and mantissa, moved
  std::int32_t raise;      // of the exponent's bias, by 224: infinity stays infinite
  std::int32_t sign;
  float lower;  // -2^98
  float scale;  // 2^-112
};
extern const Float16Constants kFloat16;

/// Any f16 at p[0..4), exactly, in nine instructions; a signaling NaN becomes quiet.
inline f32 load_any_float16(const std::uint16_t* p) noexcept {
  const i32 f16 = load_signed_float16(p);
  // Too large by 2^112, and subnormals are 2^97 (1 + m / 1024) in place of 2^98 m / 1024: for them alone, twice the number less
  // 2^98 is the lesser.
  const f32 raised = xsimd::bitwise_cast<float>(((f16 << 13) & i32(kFloat16.magnitude)) + i32(kFloat16.raise));
  const f32 magnitude = at_most(raised, raised + raised + splat(kFloat16.lower)) * splat(kFloat16.scale);
  return xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::int32_t>(magnitude) | (f16 & i32(kFloat16.sign)));
}

/// One finite f16 times kFloat16Scale.
inline float scaled_float16(std::uint16_t f16) noexcept {
  const std::uint32_t bits =
      (static_cast<std::uint32_t>(f16 & 0x8000) << 16) | (static_cast<std::uint32_t>(f16 & 0x7FFF) << 13);
  return std::bit_cast<float>(bits);
}

/// Any f16 as a float; a signaling NaN becomes quiet.
inline float any_float16(std::uint16_t f16) noexcept {
  const std::uint16_t four[f32::size] = {f16};
  return load_any_float16(four).get(0);
}

/// The bits of four f16, each in the low bits of its lane.
inline u32 to_float16(f32 x) noexcept {
  const u32 bits = xsimd::bitwise_cast<std::uint32_t>(x);
  const u32 magnitude = bits & u32(0x7FFFFFFF), sign = (bits >> 16) & u32(0x8000);
  // Half of the last place that stays is added, less one bit where that place is even; a carry goes into the exponent.
  const u32 rounded = (magnitude + u32(0x0FFF) + ((magnitude >> 13) & u32(1)) - u32(0x38000000)) >> 13;
  const u32 normal = xsimd::min(rounded, u32(0x7C00));
  // Added to 1/2 a number below 2^-14 is rounded to a multiple of 2^-24: the addition rounds as it should.
  const f32 shifted = xsimd::bitwise_cast<float>(magnitude) + splat(0.5f);
  const u32 subnormal = xsimd::bitwise_cast<std::uint32_t>(shifted) - u32(0x3F000000);
  const u32 nan = u32(0x7E00) | ((magnitude >> 13) & u32(0x03FF));
  const u32 number = xsimd::select(magnitude < u32(0x38800000), subnormal, normal);
  return xsimd::select(magnitude > u32(0x7F800000), nan, number) | sign;
}

}  // namespace fovea::simd

#pragma once
/// acc[j] + Σ_i w[4 j + i] x[i] for four outputs j: signed bytes w times four bytes x of 0 … 127, in integers and therefore exact.
/// Two ways to compute it, of the same bits: with the 16-bit dot product that every engine has, and with the relaxed one of
/// 8 by 7 bits, which the specification leaves open only for x of 128 and more.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "simd/double.hpp"

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace fovea::simd {

/// round(x) for four x below 2^22; halves to even.
inline i32 round_to_integers(f32 x) noexcept {
  // 1.5 * 2^23: adding it rounds to an integer and leaves that integer in the low bits.
  return xsimd::bitwise_cast<std::int32_t>(x + splat(0x1.8p+23f)) - i32(0x4B400000);
}

/// Four integers of 0 … 127, one byte each.
inline std::uint32_t to_bytes(i32 integers) noexcept {
#ifdef __wasm_simd128__
  const v128_t halves = wasm_i16x8_narrow_i32x4(integers, integers);
  return static_cast<std::uint32_t>(wasm_i32x4_extract_lane(wasm_u8x16_narrow_i16x8(halves, halves), 0));
#else
  alignas(16) std::uint32_t lanes[4];
  xsimd::bitwise_cast<std::uint32_t>(integers).store_aligned(lanes);
  return lanes[0] | lanes[1] << 8 | lanes[2] << 16 | lanes[3] << 24;
#endif
}

/// The sizes of four floats as integers, which have the order of the floats: NaN is above infinity.
inline i32 abs_bits(f32 x) noexcept { return xsimd::bitwise_cast<std::int32_t>(x) & i32(0x7FFFFFFF); }
inline i32 max(i32 a, i32 b) noexcept { return xsimd::max(a, b); }
inline f32 to_float(i32 a) noexcept { return xsimd::to_float(a); }
/// p[0 … 3], each rounded once
inline f32 to_float(const double* p) noexcept {
  alignas(16) float four[4];
  store_float(four, load_double(p));
  store_float(four + 2, load_double(p + 2));
  return load(four);
}
inline float as_largest_float(i32 sizes) noexcept { return std::bit_cast<float>(xsimd::reduce_max(sizes)); }

/// x are two words: numbers 0 and 2, then 1 and 3, each in 16 bits. They may be bytes, or signed and of up to 14 bits.
struct Dot16 {
  static constexpr std::size_t kWords = 2;

#ifdef __wasm_simd128__
  struct Weights {
    v128_t even, odd;
  };
  static Weights load(const std::int8_t* w) noexcept {
    const v128_t bytes = wasm_v128_load(w);
    return {wasm_i16x8_shr(wasm_i16x8_shl(bytes, 8), 8), wasm_i16x8_shr(bytes, 8)};
  }
  static i32 add(const Weights& w, const std::uint32_t* x, i32 acc) noexcept {
    const v128_t even = wasm_i32x4_dot_i16x8(w.even, wasm_v128_load32_splat(x));
    const v128_t odd = wasm_i32x4_dot_i16x8(w.odd, wasm_v128_load32_splat(x + 1));
    return wasm_i32x4_add(wasm_i32x4_add(acc, even), odd);
  }
#else
  struct Weights {
    const std::int8_t* bytes;
  };
  static Weights load(const std::int8_t* w) noexcept { return {w}; }
  static i32 add(const Weights& w, const std::uint32_t* x, i32 acc) noexcept {
    alignas(16) std::int32_t sums[4];
    acc.store_unaligned(sums);
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t i = 0; i < 4; ++i) {
        sums[j] += w.bytes[4 * j + i] * static_cast<std::int16_t>(x[i % 2] >> (i < 2 ? 0 : 16) & 0xFFFF);
      }
    }
    return i32::load_unaligned(sums);
  }
#endif

  static void store(std::uint32_t quad, std::uint32_t* x) noexcept {
    x[0] = quad & 0x00FF00FF;
    x[1] = quad >> 8 & 0x00FF00FF;
  }
  static void store_signed(i32 integers, std::uint32_t* x) noexcept {
    alignas(16) std::uint32_t lanes[4];
    xsimd::bitwise_cast<std::uint32_t>(integers).store_aligned(lanes);
    x[0] = (lanes[0] & 0xFFFF) | lanes[2] << 16;
    x[1] = (lanes[1] & 0xFFFF) | lanes[3] << 16;
  }
};

/// Two outputs and x of -16383 … 16383: two words, four numbers of 16 bits. The sum of an output comes in two halves: that of x[0]
/// and x[1], that of x[2] and x[3].
struct Dot15 {
  static constexpr std::size_t kWords = 2, kOutputs = 2;

#ifdef __wasm_simd128__
  using Weights = v128_t;
  static Weights load(const std::int8_t* w) noexcept { return wasm_i16x8_load8x8(w); }
  static i32 add(Weights w, const std::uint32_t* x, i32 acc) noexcept {
    return wasm_i32x4_add(acc, wasm_i32x4_dot_i16x8(w, wasm_v128_load64_splat(x)));
  }
  /// x <- round(four), halves to even
  static void store(f32 four, std::uint32_t* x) noexcept {
    const i32 integers = round_to_integers(four);
    wasm_v128_store64_lane(x, wasm_i16x8_narrow_i32x4(integers, integers), 0);
  }
  /// out[j] += both halves of output j
  static void widen(i32 halves, double* out) noexcept {
    const v128_t first = wasm_i32x4_shuffle(halves, halves, 0, 2, 0, 2),
                 second = wasm_i32x4_shuffle(halves, halves, 1, 3, 1, 3);
    const v128_t sum = wasm_f64x2_add(wasm_f64x2_convert_low_i32x4(first), wasm_f64x2_convert_low_i32x4(second));
    wasm_v128_store(out, wasm_f64x2_add(wasm_v128_load(out), sum));
  }
#else
  struct Weights {
    const std::int8_t* bytes;
  };
  static Weights load(const std::int8_t* w) noexcept { return {w}; }
  static i32 add(const Weights& w, const std::uint32_t* x, i32 acc) noexcept {
    alignas(16) std::int32_t halves[4];
    acc.store_unaligned(halves);
    for (std::size_t i = 0; i < 8; ++i)
      halves[i / 2] += w.bytes[i] * static_cast<std::int16_t>(x[i / 2 % 2] >> (i % 2 == 0 ? 0 : 16) & 0xFFFF);
    return i32::load_unaligned(halves);
  }
  static void store(f32 four, std::uint32_t* x) noexcept {
    alignas(16) std::uint32_t lanes[4];
    xsimd::bitwise_cast<std::uint32_t>(round_to_integers(four)).store_aligned(lanes);
    x[0] = (lanes[0] & 0xFFFF) | lanes[1] << 16;
    x[1] = (lanes[2] & 0xFFFF) | lanes[3] << 16;
  }
  static void widen(i32 sums, double* out) noexcept {
    alignas(16) std::int32_t halves[4];
    sums.store_unaligned(halves);
    for (std::size_t j = 0; j < 2; ++j) out[j] += static_cast<double>(halves[2 * j]) + static_cast<double>(halves[2 * j + 1]);
  }
#endif
};

#ifdef __wasm_relaxed_simd__
/// x is one word of four bytes.
struct Dot8 {
  static constexpr std::size_t kWords = 1;

  using Weights = v128_t;
  static Weights load(const std::int8_t* w) noexcept { return wasm_v128_load(w); }
  static i32 add(const Weights& w, const std::uint32_t* x, i32 acc) noexcept {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(w, wasm_v128_load32_splat(x), acc);
  }
  static void store(std::uint32_t quad, std::uint32_t* x) noexcept { *x = quad; }

  /// Whether this engine's instruction sums exactly, at the ends of the range.
  static bool is_exact() noexcept {
    static const volatile std::int8_t ends[4] = {-128, 127, -127, 31};
    alignas(16) std::int8_t w[16];
    for (std::size_t j = 0; j < 16; ++j) w[j] = ends[j < 8 ? j / 4 : j % 4];
    static const volatile std::uint32_t sevens = 0x7F7F7F7F;
    alignas(16) std::int32_t sums[4];
    add_once(w, sevens, sums);
    for (std::size_t j = 0; j < 4; ++j) {
      if (sums[j] != -5 + 127 * (w[4 * j] + w[4 * j + 1] + w[4 * j + 2] + w[4 * j + 3])) return false;
    }
    return true;
  }

  /// Whether it is one instruction of the machine, as with VNNI and on ARM. Otherwise it is three, the first of which saturates pairs at
  /// 16 bits where x is beyond its range, and two of it cost more than Dot16.
  static bool is_single() noexcept {
    static const volatile std::int8_t most = 127;
    alignas(16) std::int8_t w[16];
    for (std::int8_t& value : w) value = most;
    static const volatile std::uint32_t beyond = 0xFFFFFFFF;
    alignas(16) std::int32_t sums[4];
    add_once(w, beyond, sums);
    return sums[0] != -5 + 2 * 32767;
  }

 private:
  /// Operands are read from volatile ones, as wasm-opt cannot evaluate the instruction, and gives up where they are constants.
  static void add_once(const std::int8_t* w, std::uint32_t x, std::int32_t* sums) noexcept {
    add(load(w), &x, i32(-5)).store_unaligned(sums);
  }
};
#endif

}  // namespace fovea::simd

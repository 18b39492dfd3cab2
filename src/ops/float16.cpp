#include "ops/float16.hpp"

#include <algorithm>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::store;
using simd::u16;
using simd::u32;

void store_float16(const float* floats, std::uint16_t* f16, std::size_t count) noexcept {
  alignas(16) std::uint32_t bits[u32::size];
  simd::to_float16(load(floats)).store_aligned(bits);
  for (std::size_t i = 0; i < count; ++i) f16[i] = static_cast<std::uint16_t>(bits[i]);
}

}  // namespace

void from_float16(const std::uint16_t* f16, std::size_t count, float* floats) noexcept {
  f32 first, second;
  std::size_t i = 0;
  for (; i + u16::size <= count; i += u16::size) {
    simd::load_float16(f16 + i, first, second);
    store(floats + i, first);
    store(floats + i + f32::size, second);
  }
  if (i == count) return;
  std::uint16_t rest[u16::size] = {};
  float last[u16::size];
  std::copy(f16 + i, f16 + count, rest);
  simd::load_float16(rest, first, second);
  store(last, first);
  store(last + f32::size, second);
  std::copy_n(last, count - i, floats + i);
}

void from_finite_float16(const std::uint16_t* f16, std::size_t count, float* floats) noexcept {
  const f32 scale = simd::splat(1.0f / simd::kFloat16Scale);
  std::size_t i = 0;
  for (; i + f32::size <= count; i += f32::size) store(floats + i, simd::load_scaled_float16(f16 + i) * scale);
  for (; i < count; ++i) floats[i] = simd::scaled_float16(f16[i]) / simd::kFloat16Scale;
}

void to_float16(const float* floats, std::size_t count, std::uint16_t* f16) noexcept {
  std::size_t i = 0;
  for (; i + f32::size <= count; i += f32::size) store_float16(floats + i, f16 + i, f32::size);
  if (i == count) return;
  float rest[f32::size] = {};
  std::copy(floats + i, floats + count, rest);
  store_float16(rest, f16 + i, count - i);
}

}  // namespace fovea

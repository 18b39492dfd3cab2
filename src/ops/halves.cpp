#include "ops/halves.hpp"

#include <algorithm>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::store;
using simd::u16;
using simd::u32;

void store_halves(const float* floats, std::uint16_t* halves, std::size_t count) noexcept {
  alignas(16) std::uint32_t bits[u32::size];
  simd::to_half(load(floats)).store_aligned(bits);
  for (std::size_t i = 0; i < count; ++i) halves[i] = static_cast<std::uint16_t>(bits[i]);
}

}  // namespace

void from_halves(const std::uint16_t* halves, std::size_t count, float* floats) noexcept {
  f32 first, second;
  std::size_t i = 0;
  for (; i + u16::size <= count; i += u16::size) {
    simd::load_halves(halves + i, first, second);
    store(floats + i, first);
    store(floats + i + f32::size, second);
  }
  if (i == count) return;
  std::uint16_t rest[u16::size] = {};
  float last[u16::size];
  std::copy(halves + i, halves + count, rest);
  simd::load_halves(rest, first, second);
  store(last, first);
  store(last + f32::size, second);
  std::copy_n(last, count - i, floats + i);
}

void to_halves(const float* floats, std::size_t count, std::uint16_t* halves) noexcept {
  std::size_t i = 0;
  for (; i + f32::size <= count; i += f32::size) store_halves(floats + i, halves + i, f32::size);
  if (i == count) return;
  float rest[f32::size] = {};
  std::copy(floats + i, floats + count, rest);
  store_halves(rest, halves + i, count - i);
}

}  // namespace fovea

#pragma once
/// Sums along a run of memory, in sixteen lanes.

#include <algorithm>
#include <array>
#include <cstddef>

#include "simd/reduce.hpp"

namespace fovea {

/// Σ f(in[i]...), where f of zeros is 0.
template <class F, class... Inputs>
float sum_lanes(std::size_t count, F f, const Inputs*... in) noexcept {
  using simd::f32;
  constexpr std::size_t kUnroll = 4;
  f32 sums[kUnroll];
  for (f32& sum : sums) sum = simd::splat(0.0f);
  std::size_t i = 0;
  for (; i + kUnroll * f32::size <= count; i += kUnroll * f32::size) {
    for (std::size_t u = 0; u < kUnroll; ++u) sums[u] = sums[u] + f(simd::load(in + i + u * f32::size)...);
  }
  for (; i + f32::size <= count; i += f32::size) sums[0] = sums[0] + f(simd::load(in + i)...);
  if (i < count) {
    const auto rest = [&](const float* from) {
      float tail[f32::size] = {};
      std::copy_n(from + i, count - i, tail);
      return simd::load(tail);
    };
    sums[1] = sums[1] + f(rest(in)...);
  }
  return simd::reduce_add((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

/// Σ f(in[i]...) and Σ g(in[i]...), each in eight lanes, where both of zeros are 0.
template <class F, class G, class... Inputs>
std::array<float, 2> sum_two(std::size_t count, F f, G g, const Inputs*... in) noexcept {
  using simd::f32;
  constexpr std::size_t kUnroll = 2;
  f32 first[kUnroll], second[kUnroll];
  for (std::size_t u = 0; u < kUnroll; ++u) first[u] = second[u] = simd::splat(0.0f);
  const auto add = [&](std::size_t u, auto... x) {
    first[u] = first[u] + f(x...);
    second[u] = second[u] + g(x...);
  };
  std::size_t i = 0;
  for (; i + kUnroll * f32::size <= count; i += kUnroll * f32::size) {
    for (std::size_t u = 0; u < kUnroll; ++u) add(u, simd::load(in + i + u * f32::size)...);
  }
  for (; i < count; i += f32::size) {
    const auto rest = [&](const float* from) {
      float tail[f32::size] = {};
      std::copy_n(from + i, std::min(f32::size, count - i), tail);
      return simd::load(tail);
    };
    add(0, rest(in)...);
  }
  return {simd::reduce_add(first[0] + first[1]), simd::reduce_add(second[0] + second[1])};
}

}  // namespace fovea

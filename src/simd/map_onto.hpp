#pragma once
/// Functions of what is there and of several runs of memory, four floats at a time: how gradients are added to.

#include <algorithm>
#include <cstddef>

#include "simd/batch.hpp"

namespace fovea {

/// out[i] <- f(out[i], in[i]...). `out` may be one of the inputs. An element's bits do not depend on its place.
template <class F, class... Inputs>
void map_onto(float* out, std::size_t count, F f, const Inputs*... in) noexcept {
  using simd::f32;
  std::size_t i = 0;
  for (; i + f32::size <= count; i += f32::size) simd::store(out + i, f(simd::load(out + i), simd::load(in + i)...));
  if (i == count) return;
  const auto rest = [&](const float* from) {
    float tail[f32::size] = {};
    std::copy_n(from + i, count - i, tail);
    return simd::load(tail);
  };
  float tail[f32::size];
  simd::store(tail, f(rest(out), rest(in)...));
  std::copy_n(tail, count - i, out + i);
}

/// out[i] <- out[i] + x[i]
inline void add_onto(float* out, std::size_t count, const float* x) noexcept {
  map_onto(
      out, count, [](simd::f32 sum, simd::f32 term) { return sum + term; }, x);
}

}  // namespace fovea

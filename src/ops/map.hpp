#pragma once
/// Functions of four floats along runs of memory: whole vectors first; the tail goes through one padded vector, so that an
/// element's bits do not depend on its place.

#include <algorithm>
#include <cstddef>

#include "simd/batch.hpp"

namespace fovea {

/// out[i] <- f(x[i]); in place allowed.
template <class F>
void map(const float* x, std::size_t count, float* out, F f) noexcept {
  using simd::f32;
  std::size_t i = 0;
  for (; i + f32::size <= count; i += f32::size) simd::store(out + i, f(simd::load(x + i)));
  if (i == count) return;
  float tail[f32::size] = {};
  std::copy_n(x + i, count - i, tail);
  simd::store(tail, f(simd::load(tail)));
  std::copy_n(tail, count - i, out + i);
}

/// out[i] <- f(a[i], b[i]); out may be a or b.
template <class F>
void map(const float* a, const float* b, std::size_t count, float* out, F f) noexcept {
  using simd::f32;
  std::size_t i = 0;
  for (; i + f32::size <= count; i += f32::size) simd::store(out + i, f(simd::load(a + i), simd::load(b + i)));
  if (i == count) return;
  float left[f32::size] = {}, right[f32::size] = {};
  std::copy_n(a + i, count - i, left);
  std::copy_n(b + i, count - i, right);
  simd::store(left, f(simd::load(left), simd::load(right)));
  std::copy_n(left, count - i, out + i);
}

}  // namespace fovea

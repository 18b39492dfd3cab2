#pragma once
/// Functions of four floats along runs of memory. One loop for all: first over whole vectors, then over one padded vector with
/// the tail, so that a function is there once and an element's bits do not depend on its place.

#include <algorithm>
#include <cstddef>

#include "simd/batch.hpp"

namespace fovea {

/// out[i] <- f(x[i]); in place allowed.
template <class F>
void map(const float* x, std::size_t count, float* out, F f) noexcept {
  using simd::f32;
  const std::size_t rest = count % f32::size, whole = count - rest;
  float tail[f32::size] = {};
  std::copy_n(x + whole, rest, tail);
  const float* from = x;
  float* to = out;
  for (std::size_t n = whole;; n = f32::size) {
    for (std::size_t i = 0; i < n; i += f32::size) simd::store(to + i, f(simd::load(from + i)));
    if (rest == 0 || to == tail) break;
    from = to = tail;
  }
  std::copy_n(tail, rest, out + whole);
}

/// out[i] <- f(a[i], b[i]); out may be a or b.
template <class F>
void map(const float* a, const float* b, std::size_t count, float* out, F f) noexcept {
  using simd::f32;
  const std::size_t rest = count % f32::size, whole = count - rest;
  float left_tail[f32::size] = {}, right_tail[f32::size] = {};
  std::copy_n(a + whole, rest, left_tail);
  std::copy_n(b + whole, rest, right_tail);
  const float *left = a, *right = b;
  float* to = out;
  for (std::size_t n = whole;; n = f32::size) {
    for (std::size_t i = 0; i < n; i += f32::size) simd::store(to + i, f(simd::load(left + i), simd::load(right + i)));
    if (rest == 0 || to == left_tail) break;
    left = to = left_tail;
    right = right_tail;
  }
  std::copy_n(left_tail, rest, out + whole);
}

}  // namespace fovea

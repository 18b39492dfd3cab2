#pragma once
/// Updates of parameters and their moments, four floats at a time; threads share out chunks.

#include <algorithm>
#include <cstddef>

#include "core/thread_pool.hpp"
#include "simd/batch.hpp"

namespace fovea {

/// update(g, a, ...) of every four elements, a, ... written back; an array that is null counts as zeros.
template <class Update, class... Arrays>
void for_vectors(std::size_t count, ThreadPool* pool, Update update, const float* gradient, Arrays*... arrays) noexcept {
  using simd::f32;
  constexpr std::size_t kChunk = 4096, kCost = 8;
  const auto whole = [&](std::size_t i) {
    const auto read = [i](const float* from) { return from == nullptr ? simd::splat(0.0f) : simd::load(from + i); };
    const auto write = [i](float* to, f32 x) {
      if (to != nullptr) simd::store(to + i, x);
    };
    [&](f32 g, auto... values) {
      update(g, values...);
      (write(arrays, values), ...);
    }(read(gradient), read(arrays)...);
  };
  const auto rest = [&](std::size_t i) {
    const std::size_t left = count - i;
    const auto read = [i, left](const float* from) {
      float tail[f32::size] = {};
      if (from != nullptr) std::copy_n(from + i, left, tail);
      return simd::load(tail);
    };
    const auto write = [i, left](float* to, f32 x) {
      float tail[f32::size];
      simd::store(tail, x);
      if (to != nullptr) std::copy_n(tail, left, to + i);
    };
    [&](f32 g, auto... values) {
      update(g, values...);
      (write(arrays, values), ...);
    }(read(gradient), read(arrays)...);
  };
  parallel_for(is_short_work(count, kCost) ? nullptr : pool, (count + kChunk - 1) / kChunk, [&](std::size_t task, std::size_t) {
    std::size_t i = task * kChunk;
    const std::size_t end = std::min(count, i + kChunk);
    for (; i + f32::size <= end; i += f32::size) whole(i);
    if (i < end) rest(i);
  });
}

}  // namespace fovea

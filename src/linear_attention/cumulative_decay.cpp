#include "linear_attention/cumulative_decay.hpp"

#include <algorithm>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

constexpr float kMostFaded = 0x1p-20f, kMostGrown = 0x1p20f;

/// exp(g) of the features from f on, 1 of those beyond the last
f32 decay_at(const float* g, std::size_t f, std::size_t features) noexcept {
  if (f + f32::size <= features) return simd::exp(load(g + f));
  float tail[f32::size] = {};
  std::copy_n(g + f, features - f, tail);
  return simd::exp(load(tail));
}

}  // namespace

bool CumulativeDecay::take(const LinearArgs& args, const LinearSizes& sizes, const float* g, std::size_t t) noexcept {
  float* const row = decay + t * sizes.feature_stride;
  const float* const before = t > 1 ? row - sizes.feature_stride : t == 0 && has_pending ? pending : nullptr;
  const f32 low = splat(kMostFaded), high = splat(kMostGrown), of_head = simd::exp(splat(g[0]));
  auto within = low <= high;
  for (std::size_t f = 0; f < sizes.feature_stride; f += f32::size) {
    f32 a = args.decay_width == 1 ? of_head : decay_at(g, f, sizes.features);
    if (before != nullptr) a = a * load(before + f);
    // Not of a NaN.
    within = within & (a >= low) & (a <= high);
    store(row + f, a);
  }
  return t == 0 || simd::all(within);
}

void CumulativeDecay::scale_by_inverse_decay(const LinearSizes& sizes, std::size_t t, float* k,
                                             float* prediction_keys) const noexcept {
  const float* const row = decay + t * sizes.feature_stride;
  for (std::size_t f = 0; f < sizes.feature_stride; f += f32::size) {
    const f32 a = load(row + f);
    if (prediction_keys != nullptr) store(prediction_keys + f, load(prediction_keys + f) * a);
    if (t > 0) store(k + f, load(k + f) / a);
  }
}

void CumulativeDecay::scale_by_decay(const LinearSizes& sizes, std::size_t t, float* q) const noexcept {
  if (t == 0) return;
  const float* const row = decay + t * sizes.feature_stride;
  for (std::size_t f = 0; f < sizes.feature_stride; f += f32::size) store(q + f, load(q + f) * load(row + f));
}

void CumulativeDecay::end(const LinearSizes& sizes, std::size_t tokens) noexcept {
  has_pending = tokens > 1;
  if (has_pending) std::copy_n(decay + (tokens - 1) * sizes.feature_stride, sizes.feature_stride, pending);
}

void CumulativeDecay::flush(const LinearSizes& sizes, float* s) noexcept {
  if (!has_pending) return;
  for (std::size_t f = 0; f < sizes.features; ++f, s += sizes.stride) {
    const f32 a = splat(pending[f]);
    for (std::size_t c = 0; c < sizes.stride; c += f32::size) store(s + c, load(s + c) * a);
  }
  has_pending = false;
}

}  // namespace fovea

#include "linear_attention/feature_maps.hpp"

#include <algorithm>
#include <cmath>

#include "core/infinity.hpp"
#include "core/saturated.hpp"
#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

void taylor(const float* x, std::size_t width, float scale, float* out) noexcept {
  constexpr float kRootHalf = 0x1.6a09e6p-1f;  // 0.70710677
  *out++ = 1.0f;
  map(x, width, out, [scale](f32 a) { return a * splat(scale); });
  float* const squares = out + width;
  for (std::size_t d = 0; d < width; ++d) {
    const float factor = kRootHalf * out[d];
    map(out, width, squares + d * width, [factor](f32 a) { return a * splat(factor); });
  }
}

/// x[row, c] <- softmax over the rows
void softmax_columns(float* x, std::size_t rows, std::size_t columns) noexcept {
  for (std::size_t c = 0; c < columns; ++c) {
    float max = kMinusInfinity, sum = 0.0f;
    for (std::size_t row = 0; row < rows; ++row) max = std::max(max, x[row * columns + c]);
    for (std::size_t row = 0; row < rows; ++row) sum += x[row * columns + c] = simd::exp(x[row * columns + c] - max);
    for (std::size_t row = 0; row < rows; ++row) x[row * columns + c] /= sum;
  }
}

/// out[f] <- w[f] · x - |x|²/2
void favor(const Features& features, const float* x, float scale, float* out) noexcept {
  const float half = 0.5f * scale * scale * sum_of_products(x, x, features.width);
  for (std::size_t f = 0; f < features.random; ++f) {
    out[f] = scale * sum_of_products(features.projection + f * features.width, x, features.width) - half;
  }
}

}  // namespace

std::size_t Features::count() const noexcept {
  if (map == FeatureMap::Taylor) return clamped_count(saturated_sum(1u, width, saturated_product(width, width)));
  return map == FeatureMap::Favor ? random : width;
}

float Features::weight() const noexcept {
  return map == FeatureMap::Favor ? 1.0f / std::sqrt(static_cast<float>(random)) : 1.0f;
}

void write_features(const Features& features, const float* x, std::ptrdiff_t stride, std::size_t rows, float scale, float* out,
                    std::size_t out_stride) noexcept {
  const f32 s = splat(scale), zero = splat(0.0f);
  const auto each_row = [&](auto write) {
    for (std::size_t row = 0; row < rows; ++row, x += stride, out += out_stride) write(x, out);
  };
  const auto map_rows = [&](auto f) { each_row([&](const float* from, float* to) { map(from, features.width, to, f); }); };
  switch (features.map) {
    case FeatureMap::Identity:
    case FeatureMap::Softmax:
    case FeatureMap::Exp: return map_rows([s](f32 a) { return a * s; });
    case FeatureMap::Elu1:
      // exp(0) is 1. A NaN passes through exp.
      return map_rows([=](f32 a) { return simd::exp(simd::at_most(a * s, zero)) + simd::at_least(a * s, zero); });
    case FeatureMap::Relu: return map_rows([=](f32 a) { return simd::select(a * s <= zero, zero, a * s); });
    case FeatureMap::SquaredRelu: return map_rows([=](f32 a) { return simd::select(a * s <= zero, zero, a * s * a * s); });
    case FeatureMap::Taylor: return each_row([&](const float* from, float* to) { taylor(from, features.width, scale, to); });
    case FeatureMap::Favor: return each_row([&](const float* from, float* to) { favor(features, from, scale, to); });
  }
}

void write_features(const Features& features, const float* x, float scale, float* out) noexcept {
  write_features(features, x, 0, 1, scale, out, 0);
}

float sum_of_products(const float* a, const float* b, std::size_t count) noexcept {
  f32 sum = splat(0.0f);
  std::size_t d = 0;
  for (; d + f32::size <= count; d += f32::size) sum = simd::madd(load(a + d), load(b + d), sum);
  float total = simd::reduce_add(sum);
  for (; d < count; ++d) total += a[d] * b[d];
  return total;
}

void exponentiate_features(float* x, std::size_t count, float m, float weight) noexcept {
  const f32 shift = splat(m == kMinusInfinity ? 0.0f : m), factor = splat(weight);
  map(x, count, x, [=](f32 a) { return factor * simd::exp(a - shift); });
}

void exponentiate_features(float* x, std::size_t count, const float* m, float weight) noexcept {
  const f32 none = splat(kMinusInfinity), zero = splat(0.0f), factor = splat(weight);
  map(x, m, count, x, [=](f32 a, f32 max) { return factor * simd::exp(a - simd::select(max == none, zero, max)); });
}

void add_vectors(const float* a, const float* b, std::size_t count, float* out) noexcept {
  map(a, b, count, out, [](f32 x, f32 y) { return x + y; });
}

void raise_stabilizers(const float* x, std::size_t count, float* m) noexcept {
  map(m, x, count, m, [](f32 a, f32 b) { return simd::select(b > a, b, a); });
}

void softmax_features(float* x, std::size_t count) noexcept {
  exponentiate_features(x, count, max_of(x, count), 1.0f);
  float sum = 0.0f;
  for (std::size_t d = 0; d < count; ++d) sum += x[d];
  for (std::size_t d = 0; d < count; ++d) x[d] /= sum;
}

void write_feature_rows(const Features& features, const float* x, std::ptrdiff_t stride, std::size_t rows, float scale,
                        bool keys, float* out) noexcept {
  const std::size_t count = features.count();
  write_features(features, x, stride, rows, scale, out, count);
  float max = kMinusInfinity;
  for (std::size_t row = 0; features.is_stabilized() && keys && row < rows; ++row) {
    max = std::max(max, max_of(out + row * count, count));
  }
  if (features.map == FeatureMap::Softmax && keys) return softmax_columns(out, rows, count);
  for (std::size_t row = 0; row < rows; ++row) {
    float* const to = out + row * count;
    if (features.map == FeatureMap::Softmax) softmax_features(to, count);
    if (features.is_stabilized()) exponentiate_features(to, count, keys ? max : max_of(to, count), features.weight());
  }
}

float max_of(const float* x, std::size_t count) noexcept {
  float max = x[0];
  std::size_t d = 0;
  if (count >= f32::size) {
    f32 lanes = load(x);
    for (d = f32::size; d + f32::size <= count; d += f32::size) lanes = simd::max(lanes, load(x + d));
    max = simd::reduce_max(lanes);
  }
  for (; d < count; ++d) max = x[d] > max ? x[d] : max;
  return max;
}

}  // namespace fovea

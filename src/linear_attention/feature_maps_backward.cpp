#include "linear_attention/feature_maps_backward.hpp"

#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

void taylor(std::size_t width, const float* x, float scale, const float* d, float* d_x) noexcept {
  constexpr float kRootHalf = 0x1.6a09e6p-1f;  // 0.70710677
  const float* const d_linear = d + 1;
  const float* const d_squares = d_linear + width;
  for (std::size_t i = 0; i < width; ++i) {
    float sum = 0.0f;
    for (std::size_t j = 0; j < width; ++j) sum += x[j] * (d_squares[i * width + j] + d_squares[j * width + i]);
    d_x[i] += scale * (d_linear[i] + kRootHalf * scale * sum);
  }
}

void favor(const Features& features, const float* x, float scale, const float* d, float* d_x) noexcept {
  float total = 0.0f;
  for (std::size_t f = 0; f < features.random; ++f) {
    total += d[f];
    map_onto(
        d_x, features.width, [by = splat(scale * d[f])](f32 sum, f32 w) { return sum + by * w; },
        features.projection + f * features.width);
  }
  map_onto(
      d_x, features.width, [by = splat(scale * scale * total)](f32 sum, f32 a) { return sum - by * a; }, x);
}

}  // namespace

void add_feature_gradient(const Features& features, const float* x, float scale, const float* d_features, float* d_x) noexcept {
  const f32 s = splat(scale), zero = splat(0.0f), one = splat(1.0f), two = splat(2.0f);
  const auto add = [&](auto slope) {
    map_onto(
        d_x, features.width, [=](f32 sum, f32 a, f32 d) { return sum + s * (d * slope(a * s)); }, x, d_features);
  };
  switch (features.map) {
    case FeatureMap::Identity:
    case FeatureMap::Exp:
    case FeatureMap::Softmax: return add([=](f32) { return one; });
    case FeatureMap::Elu1: return add([=](f32 a) { return simd::select(a > zero, one, simd::exp(simd::at_most(a, zero))); });
    case FeatureMap::Relu: return add([=](f32 a) { return simd::select(a <= zero, zero, one); });
    case FeatureMap::SquaredRelu: return add([=](f32 a) { return simd::select(a <= zero, zero, two * a); });
    case FeatureMap::Taylor: return taylor(features.width, x, scale, d_features, d_x);
    case FeatureMap::Favor: return favor(features, x, scale, d_features, d_x);
  }
}

}  // namespace fovea

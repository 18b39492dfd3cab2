#include "linear_attention/head_features.hpp"

#include <algorithm>

#include "core/infinity.hpp"
#include "simd/map_onto.hpp"

namespace fovea {

bool are_exponential(const Features& features) noexcept {
  return features.is_stabilized() || features.map == FeatureMap::Softmax;
}

void write_key_features(const LinearArgs& args, const HeadFeatures& of, float* keys) noexcept {
  const std::size_t features = args.features.count(), length = args.length(of.batch);
  const auto row = [&](std::size_t j) { return keys + j * features; };
  for (std::size_t j = 0; j < length; ++j)
    write_features(args.features, args.k.row(of.batch, of.head, j), args.key_scale, row(j));
  std::fill(row(length), row(args.keys), 0.0f);
  if (!are_exponential(args.features)) return;
  std::fill_n(of.m, features, kMinusInfinity);
  for (std::size_t j = 0; j < length; ++j) raise_stabilizers(row(j), features, of.m);
  std::fill_n(of.z, features, 0.0f);
  for (std::size_t j = 0; j < length; ++j) {
    exponentiate_features(row(j), features, of.m, args.features.weight());
    add_onto(of.z, features, row(j));
  }
  for (std::size_t j = 0; j < length && args.features.map == FeatureMap::Softmax; ++j)
    map_onto(
        row(j), features, [](simd::f32 e, simd::f32 sum) { return e / sum; }, of.z);
}

void write_query_features(const LinearArgs& args, const HeadFeatures& of, float* queries, float* exponents) noexcept {
  const std::size_t features = args.features.count();
  for (std::size_t i = 0; i < args.queries; ++i) {
    float* const to = queries + i * features;
    write_features(args.features, args.q.row(of.batch, of.head, i), args.query_scale, to);
    exponents[i] = 0.0f;
    if (args.features.map == FeatureMap::Softmax) softmax_features(to, features);
    if (!args.features.is_stabilized()) continue;
    add_onto(to, features, of.m);
    exponents[i] = max_of(to, features);
    exponentiate_features(to, features, exponents[i], args.features.weight());
  }
}

}  // namespace fovea

#include "attention/softmax/pointwise_rows.hpp"

#include "simd/simd.hpp"

namespace fovea {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

void weigh_scores(const Normalizer& normalizer, ScoreTile& tile, PointwiseRows rows) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    float* const s = tile.s[r];
    f32 count = load(rows.count + r * f32::size);
    over_columns(tile, [&](std::size_t j) {
      const f32 score = load(s + j);
      count = count + key_count(score);
      store(s + j, weight_of(normalizer, score));
    });
    store(rows.count + r * f32::size, count);
  }
}

f32 weight_of(const Normalizer& normalizer, f32 score) noexcept {
  if (normalizer.kind == NormalizerKind::Sigmoid) return simd::sigmoid(score + splat(normalizer.bias));
  return simd::select(score <= splat(0.0f), splat(0.0f), score);  // a NaN stays
}

}  // namespace fovea

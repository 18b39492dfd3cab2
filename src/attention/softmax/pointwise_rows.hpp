#pragma once
/// Weights that are functions of one score each: ReLU and sigmoid.
///   relu      w[j] = max(s[j], 0) / n, or undivided; n = the row's allowed keys       (Wortsman et al. 2023, arXiv:2309.08586)
///   sigmoid   w[j] = 1 / (1 + exp(-s[j] - bias))                                 (Ramapuram et al. 2024, arXiv:2409.04431)

#include "attention/problem/attention_variant.hpp"
#include "attention/score/score_tile.hpp"
#include "attention/softmax/value_sums.hpp"
#include "core/infinity.hpp"
#include "simd/batch.hpp"

namespace fovea {

/// The state of rows: their sums of values, undivided, and how many keys they have.
struct PointwiseRows : ValueSums {
  float* count;  // [rows][4]: keys with a score above -inf, as the sum of four lanes; NaN with a NaN or +inf among the scores
};

/// 1 for a finite score, 0 for -inf, NaN for NaN and +inf.
[[nodiscard]] inline simd::f32 key_count(simd::f32 score) noexcept {
  using simd::splat;
  return simd::select(score == splat(kMinusInfinity), splat(0.0f), score * splat(0.0f) + splat(1.0f));
}

/// s <- weight(s), undivided;  count <- count + keys
void weigh_scores(const Normalizer& normalizer, ScoreTile& tile, PointwiseRows rows) noexcept;

/// The weight of a score, before the division.
[[nodiscard]] simd::f32 weight_of(const Normalizer& normalizer, simd::f32 score) noexcept;

}  // namespace fovea

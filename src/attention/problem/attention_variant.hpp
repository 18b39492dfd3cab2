#pragma once
/// Score function, biases, normalizer and weight scale of one attention call. Defaults: scaled dot product, none, softmax.

#include <cstddef>
#include <cstdint>

#include "core/saturated.hpp"
#include "core/view.hpp"
#include "ops/activations.hpp"

namespace fovea {

enum class Score : std::uint32_t {
  Dot,
  Additive,  // w · f(q + k): q and k are projected already (Bahdanau et al. 2015, arXiv:1409.0473)
};

/// The additive score of one head (additive_score.hpp).
struct AdditiveScore {
  const float* w;    // [A]
  ActivationArgs f;  // None, Relu, LeakyRelu or Tanh
};

/// From TopK on, the scores of a pattern's pairs are normalized in lists (normalizes_lists()).
enum class NormalizerKind : std::uint32_t { Softmax, Relu, Sigmoid, Argmax, Sampled, TopK, Sparsemax, Entmax15 };
inline constexpr NormalizerKind kLastNormalizer = NormalizerKind::Entmax15;

struct Normalizer {
  NormalizerKind kind = NormalizerKind::Softmax;
  float bias = 0.0f;       // Sigmoid: of every logit
  bool scaled = true;      // Relu: divided by the row's number of allowed keys
  std::size_t k = 1;       // TopK
  std::uint64_t seed = 0;  // Sampled
};

/// table[head][clip(j - p) + clip], the distance cut to [-clip, clip]: numbers, or rows of them one after another.
struct RelativeTable {
  const float* data = nullptr;
  std::ptrdiff_t head = 0;  // 0: one for all heads
  std::size_t clip = 0;

  [[nodiscard]] const float* of(std::size_t h) const noexcept { return data + static_cast<std::ptrdiff_t>(h) * head; }
  /// How many it tells apart; none where there is no table.
  [[nodiscard]] std::size_t distances() const noexcept {
    return data == nullptr ? 0 : clamped_count(saturated_sum(clip, clip, 1u));
  }
};

/// table[bucket][head] (Raffel et al. 2020, arXiv:1910.10683).
struct BucketTable {
  const float* data = nullptr;
  std::ptrdiff_t bucket = 0, head = 0;
  std::size_t buckets = 0, max_distance = 0;
  bool bidirectional = true;
};

/// One number for every query, or fewer of them that broadcast: strides may be 0.
struct PerQueryScalars {
  const float* data = nullptr;
  std::ptrdiff_t batch = 0, head = 0, query = 0;

  [[nodiscard]] float at(std::size_t b, std::size_t h, std::size_t i) const noexcept {
    return data[static_cast<std::ptrdiff_t>(b) * batch + static_cast<std::ptrdiff_t>(h) * head +
                static_cast<std::ptrdiff_t>(i) * query];
  }
};

/// Factors of the weights: an array over the keys with a position, or a Gaussian around a center.
struct WeightScale {
  PairsView<float> pairs;
  bool of_appended = false;       // pairs multiply the weights of appended keys, too; their stride of keys is 0
  PerQueryScalars center, sigma;  // exp(-(j - center)² / (2 sigma²))

  [[nodiscard]] bool is_given() const noexcept { return pairs.data != nullptr || center.data != nullptr; }
};

/// values[batch][head][edge]: added to the logits of the pairs that the plans number (PatternArgs::edges). Strides may be 0.
struct EdgeBiases {
  const float* data = nullptr;
  std::ptrdiff_t batch = 0, head = 0;

  [[nodiscard]] const float* of(std::size_t b, std::size_t h) const noexcept {
    return data + static_cast<std::ptrdiff_t>(b) * batch + static_cast<std::ptrdiff_t>(h) * head;
  }
};

struct AttentionVariant {
  Score score = Score::Dot;
  const float* score_weights = nullptr;  // Additive: w [Dk], or one for each head
  std::ptrdiff_t score_weights_head = 0;
  ActivationArgs score_activation = {Activation::Tanh};  // Additive: f

  RelativeTable relative_bias;  // of numbers
  BucketTable buckets;
  RelativeTable bucket_bias;                        // what attention() makes of `buckets`
  PerQueryScalars gaussian_center, gaussian_sigma;  // - (j - center)² / (2 sigma²) is added
  EdgeBiases edge_biases;
  PairsView<float> pair_bias;     // added to the logits of the keys with a position; masks nothing
  RelativeTable relative_keys;    // of rows of Dk, added to the key (Shaw et al. 2018, arXiv:1803.02155)
  RelativeTable relative_values;  // of rows of Dv, added to the value

  float temperature = 1.0f;  // divides the finished logits
  Normalizer normalizer;
  WeightScale weight_scale;

  [[nodiscard]] AdditiveScore additive_of(std::size_t head) const noexcept {
    return {score_weights + static_cast<std::ptrdiff_t>(head) * score_weights_head, score_activation};
  }
  /// Whether packed queries and keys hold exp(2x) (additive_score.hpp).
  [[nodiscard]] bool packs_exp_2x() const noexcept {
    return score == Score::Additive && score_activation.kind == Activation::Tanh;
  }
};

}  // namespace fovea

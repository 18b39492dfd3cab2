#pragma once
/// Gradients that are sums over pairs other than those of queries, keys and values: of what is added to logits, of the factors
/// of weights, and of rows by distance. They are made in walks along the keys, kBlocksTogether blocks of queries at a time.
///   d_mask[..] += Σ dS / T over the axes it is broadcast along       d_table[h, c] += Σ dS / T over the pairs at c
///   d_weight_scale[..] += Σ w A
///   d_q[i] += Σ_c X[i,c] rK[c]     d_rK[c] += Σ_i X[i,c] q[i]       X[i,c] = Σ dX of row i over the keys at c
///   d_rV[c] += Σ_i W[i,c] d_output[i]                               W[i,c] the same of the weights, scaled

#include <cstddef>

#include "attention/backward/attention_backward.hpp"
#include "attention/backward/packed_rows.hpp"
#include "attention/problem/query_block.hpp"
#include "attention/score/score_tile.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// Whether a gradient is wanted that walks along the keys alone make.
[[nodiscard]] bool wants_pair_sums(const AttentionBackwardArgs& args) noexcept;

/// Whether one that is wanted is shared by heads.
[[nodiscard]] bool shares_pair_sums(const AttentionBackwardArgs& args) noexcept;

class PairSums {
 public:
  PairSums(const AttentionBackwardArgs& args, Workspace& workspace) noexcept;

  /// A walk begins. `by_bucket`: the sums of variant.bucket_bias, [H][distances], or null.
  void begin(const AttentionBackwardArgs& args, float* by_bucket) noexcept;

  /// Rows of numbers are kKeyTile apart; `row` is the strip's first in the walk.
  void add_logits(const AttentionBackwardArgs& args, const ScoreTile& tile, const float* d_biased) const noexcept;
  void add_factors(const AttentionBackwardArgs& args, const ScoreTile& tile, const float* w,
                   const float (&gradients)[kMr][kKeyTile]) const noexcept;
  void add_products(const AttentionBackwardArgs& args, const ScoreTile& tile, std::size_t row, const float* dx) const noexcept;
  void add_weights(const AttentionBackwardArgs& args, const ScoreTile& tile, std::size_t row, const float* w) const noexcept;

  /// The sums of d_score_weights over the walk, [Dk].
  [[nodiscard]] float* score_weights() const noexcept { return by_feature_; }

  /// The gradients of the walk's queries by their sums, and of tables.
  void finish(const AttentionBackwardArgs& args, const HeadIndex& walk, const TokenList& queries) const noexcept;

 private:
  float* by_key_;      // X [rows][distances]
  float* by_value_;    // W
  float* by_bias_;     // of the walk, [distances]
  float* by_feature_;  // the same of additive scores
  float* by_bucket_ = nullptr;
};

}  // namespace fovea

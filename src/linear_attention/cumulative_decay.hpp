#pragma once
/// The decays of a few tokens, most of which the state is spared: it stays as the first of them left it, and what meets it is
/// faded instead. With a the product of the decays since that first token,
///   S[t] = a S'[t],   S'[t] = S'[t-1] + (k / a) vᵀ,   S[t]ᵀ q = S'[t]ᵀ (q a),   (exp(g) S[t-1])ᵀ k = S'[t-1]ᵀ (k a)
/// The pending decay is applied together with the next block's first decay. The exponent's range of a is kept small, so that S'
/// has nearly all of S's: a block ends where a feature has faded, or grown, too much.

#include <cstddef>

#include "linear_attention/state.hpp"

namespace fovea {

struct CumulativeDecay {
  float* decay;    // [tokens][feature_stride]: of the first token its own, with what was left; of others a
  float* pending;  // [feature_stride]: the decay that the state has not had yet
  bool has_pending = false;

  /// Enters token t's decay. False where the block ends before it.
  [[nodiscard]] bool take(const LinearArgs& args, const LinearSizes& sizes, const float* g, std::size_t t) noexcept;
  /// prediction_keys <- prediction_keys decay, where not null;   k <- what is added in place of k
  void scale_by_inverse_decay(const LinearSizes& sizes, std::size_t t, float* k, float* prediction_keys) const noexcept;
  void scale_by_decay(const LinearSizes& sizes, std::size_t t, float* q) const noexcept;
  /// Ends the block after `tokens` tokens, and keeps their decay as the pending decay of the state.
  void end(const LinearSizes& sizes, std::size_t tokens) noexcept;
  /// s <- s times the pending decay
  void flush(const LinearSizes& sizes, float* s) noexcept;
};

}  // namespace fovea

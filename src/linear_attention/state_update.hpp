#pragma once
/// The state's walk through a few tokens whose features lie ready, a block of its columns at a time: columns know nothing of
/// one another, so each block stays in the nearest cache for all of them.
///   s[f] <- s[f] + k[t][f] u, of the first token decay[f] s[f] + k[0][f] u;   o[t] <- Σ_f q[t][f] s[f]
///   u = v[t], of delta rules beta[t] (v[t] - prediction_scale[t] Σ_f prediction_keys[t][f] s[f]), of s as the token found it
/// The prediction of token t + 1 is summed up while token t is taken in: s is loaded once for each token.
/// Rows of features are `feature_stride` apart, those of columns `stride`.

#include <cstddef>

#include "linear_attention/state.hpp"

namespace fovea {

struct TokenBlock {
  std::size_t tokens = 0;
  std::size_t group = 1;                     // queries of a token
  bool has_keys = false;                     // else its queries only read
  const float* k = nullptr;                  // [tokens][features]
  const float* decay = nullptr;              // [features]; null: none
  const float* prediction_keys = nullptr;    // [tokens][features]; null: no delta rule
  const float* beta = nullptr;               // [tokens]
  const double* prediction_scale = nullptr;  // [tokens]; null: 1
  const float* q = nullptr;                  // [tokens][group][features]
  float* v = nullptr;                        // [tokens][columns], of delta rules overwritten
  float* o = nullptr;                        // [tokens][group][columns]
};

void update_state(const LinearSizes& sizes, const TokenBlock& block, float* s) noexcept;

}  // namespace fovea

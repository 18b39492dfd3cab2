#pragma once
/// The features of all keys, or queries, of one head, for its gradients: with one stabilizer of each feature for all keys.

#include "linear_attention/linear_attention.hpp"

namespace fovea {

/// Which rows, and of each feature [F] the stabilizer and scratch.
struct HeadFeatures {
  std::size_t batch, head;
  float *m, *z;
};

/// keys[j] <- φ(k[j]) of the keys before the length, zeros beyond; softmax: divided by the sums over the keys.
void write_key_features(const LinearArgs& args, const HeadFeatures& of, float* keys) noexcept;

/// queries[i] <- φ(q[i]), shifted by exponents[i] where features are exponential, by those of the keys too; else exponents[i] <- 0.
void write_query_features(const LinearArgs& args, const HeadFeatures& of, float* queries, float* exponents) noexcept;

/// Whether features are exponentials, whose gradient is their own size times that of the exponent.
[[nodiscard]] bool are_exponential(const Features& features) noexcept;

}  // namespace fovea

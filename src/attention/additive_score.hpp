#pragma once
/// The additive score of queries and keys that are projected already (Bahdanau, Cho, Bengio 2015).
///   s[r][j] = Σ_a w[a] tanh(q[r][a] + k[j][a])
/// In panels a sum is made a product: with factors Q = exp(2 q), K = exp(2 k), taken once for each query and key,
///   tanh(q + k) = 1 - 2 / (1 + Q K)
/// costs each pair a product, two sums and a quotient. Where |q| or |k| exceeds 43 (or is NaN) its factor is NaN, and so is
/// every score that it is in: those pairs are scored again, tanh by tanh. Shapes: q row panels [A][kPanelRows], k column panels
/// [A][8], w [A]; nothing of Tq × Tk × A is stored. Accuracy: each tanh within 2^-21 of the true one, in absolute terms
/// (asserted by tests/cpp/attention/additive_score_test.cpp); the
///   sum over a runs in order. Listed rows: each within 2^-22.
/// Determinism: a pair's bits depend on its q, k and w alone.
/// Paper: arXiv:1409.0473 appendix A.1.2.

#include <cstddef>

#include "ops/panels.hpp"

namespace fovea {

/// x <- exp(2 x), or NaN where that is not all there is to it
void make_factors(float* x, std::size_t count) noexcept;

/// c[r][0..8·panels) <- the scores of a row panel and column panels of factors; rows of c are `c_stride` apart.
void score_panels(const float* q, const float* k, const float* w, std::size_t depth, std::size_t panels, float* c,
                  std::size_t c_stride) noexcept;

/// out[n] <- the score of q and rows[n], both as projected, for n < count; up to three entries after them are overwritten.
void score_listed(const float* q, const float* w, SourceRows rows, std::size_t count, std::size_t depth, float* out) noexcept;

}  // namespace fovea

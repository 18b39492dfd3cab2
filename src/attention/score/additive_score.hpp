#pragma once
/// The additive score of queries and keys that are projected already (Bahdanau, Cho, Bengio 2015).
///   s[r][j] = Σ_a w[a] f(q[r][a] + k[j][a])      f(x) = tanh(x), max(x, 0), x where x >= 0 else slope x, or x
/// With tanh packed queries and keys hold Q = exp(2 q) and K = exp(2 k), computed once for each, so that a pair costs two
/// multiply-adds and a division:
///   tanh(q + k) = 1 - 2 / (1 + Q K)
/// Where |q| or |k| exceeds 43, exp(2x) could overflow; it is NaN then, as every score made from it, and these scores are
/// recomputed with tanh (large_scores.hpp). With another f they hold q and k, and all scores are final.
/// Shapes: q row panels [A][kMr], k column panels [A][8], w [A]; nothing of Tq × Tk × A is stored. With A = 1 the score is
///   f of a sum of two numbers.
/// Accuracy: each tanh within 2^-21 of the true one, in absolute terms, gathered rows within 2^-22 (asserted by
///   tests/cpp/attention/score/additive_score_test.cpp), any other f within 2 eps of the true one; the sum over a runs in order.
/// Determinism: a pair's bits depend on its q, k and w alone.
/// Paper: arXiv:1409.0473 appendix A.1.2; LeakyReLU: arXiv:2105.14491 eq. 7; A = 1: arXiv:1710.10903 eq. 3.

#include <cstddef>

#include "attention/problem/attention_variant.hpp"
#include "gemm/panels.hpp"

namespace fovea {

/// x <- exp(2 x), or NaN where |x| > 43
void exp_2x(float* x, std::size_t count) noexcept;

/// c[r][0..8·panels) <- the scores of a row panel and column panels, of exp(2x) with tanh; rows of c are `c_stride` apart.
void additive_scores(const AdditiveScore& score, const float* q, const float* k, std::size_t depth, std::size_t panels,
                     float* c, std::size_t c_stride) noexcept;

/// out[n] <- the score of q and rows[n], both as projected, for n < count; up to three entries after them are overwritten.
void gathered_additive_scores(const AdditiveScore& score, const float* q, SourceRows rows, std::size_t count, std::size_t depth,
                              float* out) noexcept;

}  // namespace fovea

#pragma once
/// Sparsemax: the point of the probability simplex that is nearest to the scores.
///   p[j] = max(s[j] - τ, 0),   τ = (Σ_{j in S} s[j] - 1) / |S|,   S the k highest scores with the largest k for which
///   1 + k s_(k) > Σ_{j <= k} s_(j)                                                      (Proposition 1, algorithm 1)
/// Shapes: s [n], p written over it.   An entry of -inf is masked: its p is 0.
/// Returns what the row is: without an entry above -inf (p is 0), with a NaN or +inf (p is NaN), or a distribution.
/// Accuracy: τ is found in double, among the scores within 1 of the highest; p is rounded once.
/// Determinism: by the scores alone: their sums are the same in any order.   Workspace: n floats.
/// Paper: Martins, Astudillo 2016, arXiv:1602.02068 §2.2.

#include <cstddef>

#include "ops/threshold.hpp"

namespace fovea {

RowKind sparsemax(float* s, std::size_t n, float* scratch) noexcept;

}  // namespace fovea

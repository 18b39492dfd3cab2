#pragma once
/// 1.5-entmax: between softmax and sparsemax, with exact zeros and a smooth onset.
///   p[j] = max(s[j]/2 - τ, 0)²,   τ = M(k) - sqrt((1 - S(k)) / k) with the largest k for which τ <= s_(k)/2,
///   M(k) = Σ_{j <= k} s_(j)/2 / k,   S(k) = Σ_{j <= k} (s_(j)/2 - M(k))²,   s_(1) >= s_(2) >= ...        (algorithm 2)
/// Shapes: s [n], p written over it.   An entry of -inf is masked: its p is 0.
/// Returns what the row is: without an entry above -inf (p is 0), with a NaN or +inf (p is NaN), or a distribution.
/// Accuracy: τ is found in double, among the scores within 2 of the highest; p is rounded once.
/// Determinism: by the scores alone: their sums are the same in any order.   Workspace: n floats.
/// Paper: Peters, Niculae, Martins 2019, arXiv:1905.05702 §3 and appendix B.

#include <cstddef>

#include "ops/threshold.hpp"

namespace fovea {

RowKind entmax15(float* s, std::size_t n, float* scratch) noexcept;

}  // namespace fovea

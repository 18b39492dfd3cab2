#pragma once
/// How the normalizer of a call makes weights from scores, as far as the paths must know.
///   softmax               online_softmax.hpp
///   relu, sigmoid         pointwise_rows.hpp
///   hard, sampled, top-k  selected_rows.hpp
///   sparsemax, entmax15   weights need all scores of their row (ops/sparsemax.hpp, ops/entmax.hpp)
/// A score of -inf counts as forbidden; NaN or +inf makes its row NaN. A row's bits are its own.

#include "attention/problem/attention_args.hpp"

namespace fovea {

/// Whether the values are summed tile by tile, times weights that are known up to a factor of the row.
[[nodiscard]] bool sums_values(const AttentionArgs& args) noexcept;

/// Whether weights need all scores of their row at once.
[[nodiscard]] bool needs_full_row(const AttentionArgs& args) noexcept;

/// Whether a pattern's pairs are scored into the lists of args.sparse_weights first, and normalized there, row by row.
[[nodiscard]] bool normalizes_lists(const AttentionArgs& args) noexcept;

}  // namespace fovea

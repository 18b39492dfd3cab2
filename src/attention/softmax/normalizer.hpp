#pragma once
/// How the normalizer of a call makes weights from scores, as far as the paths must know: the state of its rows.
/// A score of -inf counts as forbidden; NaN or +inf makes its row NaN. A row's bits are its own.

#include <cstdint>

#include "attention/problem/attention_args.hpp"

namespace fovea {

enum class RowState : std::uint8_t {
  Softmax,    // sums of values by a running row maximum (online_softmax.hpp)
  Pointwise,  // sums of values by weights that are functions of one score each (pointwise_rows.hpp)
  Argmax,     // one key (selected_rows.hpp)
  TopK,       // k keys (selected_rows.hpp)
  FullRow,    // weights need all scores of their row (normalize_row() of normalized_rows.hpp)
};

[[nodiscard]] constexpr RowState row_state(NormalizerKind kind) noexcept {
  switch (kind) {
    case NormalizerKind::Softmax: return RowState::Softmax;
    case NormalizerKind::Relu:
    case NormalizerKind::Sigmoid: return RowState::Pointwise;
    case NormalizerKind::Argmax:
    case NormalizerKind::Sampled: return RowState::Argmax;
    case NormalizerKind::TopK: return RowState::TopK;
    case NormalizerKind::Sparsemax:
    case NormalizerKind::Entmax15: return RowState::FullRow;
  }
  return RowState::FullRow;
}

[[nodiscard]] inline RowState row_state(const AttentionArgs& args) noexcept { return row_state(args.variant.normalizer.kind); }

/// Whether the values are summed tile by tile, times weights that are known up to a factor of the row.
[[nodiscard]] bool sums_values(const AttentionArgs& args) noexcept;

/// Whether weights need all scores of their row at once.
[[nodiscard]] bool needs_full_row(const AttentionArgs& args) noexcept;

/// Whether weights are made when all scores of their row are known: sparsemax, entmax and top-k.
[[nodiscard]] bool keeps_scores(const AttentionArgs& args) noexcept;

/// Whether a pattern's pairs are scored into the lists of args.sparse_weights first, and normalized there, row by row.
[[nodiscard]] bool normalizes_lists(const AttentionArgs& args) noexcept;

}  // namespace fovea

#pragma once
/// Scans over all scores of a row, tile by tile, for the terms of rows.

#include "attention/backward/attention_backward.hpp"
#include "attention/backward/packed_rows.hpp"
#include "attention/backward/strip_scores.hpp"
#include "attention/backward/whole_rows.hpp"

namespace fovea {

/// sums[i] <- sums[i] + the tile's part of the sum of each row that needs one (row_terms.hpp); `planned`: the columns of each of
/// the block's strips by a pattern, or null.
void add_row_sums(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys, double* sums,
                  const StripColumns* planned = nullptr) noexcept;

/// The panels of a block's rows <- the scores of the tile, and the gradients of their weights
void fill_panels(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                 const WholeRows& panels) noexcept;

}  // namespace fovea

#pragma once
/// The block of queries whose weights need all scores of their row (needs_full_row): scores fill a panel of rows, become
/// weights there, and in a second walk over the keys weigh the values.

#include "attention/dense/block_tiles.hpp"

namespace fovea {

/// The block's rows of output and weights; its queries are packed, its sums started, and `range` are its keys.
void attend_materialized_rows(const AttentionArgs& args, const QueryBlock& block, const BlockScratch& scratch,
                              KeyRange range) noexcept;

}  // namespace fovea

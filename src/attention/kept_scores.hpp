#pragma once
/// Where the scores of a tile are kept, for those who ask for logits or weights.

#include "attention/attention.hpp"
#include "attention/score_tile.hpp"

namespace fovea {

/// pairs[b, h, i, j] <- s, of [B, H, Tq, Tk]. Of a planned tile only what `allowed` marks.
void keep_scores(const AttentionArgs& args, const ScoreTile& tile, float* pairs) noexcept;

/// args.sparse_weights, which there are <- s of the allowed pairs
void keep_sparse(const AttentionArgs& args, const ScoreTile& tile) noexcept;

/// The weights that are asked for, dense or sparse, hold scores until write_row() makes weights of them.
void keep_for_weights(const AttentionArgs& args, const ScoreTile& tile) noexcept;

}  // namespace fovea

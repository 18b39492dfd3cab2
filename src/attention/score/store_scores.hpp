#pragma once
/// Scores of a tile stored as logits, or as the scores that weights are made from.

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

/// pairs[b, h, i, j] <- s, pairs [B, H, Tq, Tk]; only allowed pairs of a planned tile.
void store_scores(const AttentionArgs& args, const ScoreTile& tile, float* pairs) noexcept;

/// args.sparse_weights <- s of the allowed pairs; its values are not null.
void store_sparse_scores(const AttentionArgs& args, const ScoreTile& tile) noexcept;

/// Weights, dense or sparse, where they are requested <- s. write_row() turns these scores into weights.
void store_scores_for_weights(const AttentionArgs& args, const ScoreTile& tile) noexcept;

}  // namespace fovea

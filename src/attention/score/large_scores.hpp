#pragma once
/// Scores that the tile's first pass has not computed accurately enough, computed again.

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

/// s <- scale * q·(k + rK) in float64, for allowed scores within 16·T of the row maximum and beyond 16·T in size, T the
/// temperature: a float32 sum of products near 1000 is off by several 1e-4, and softmax makes of it a relative error of the same
/// size. Few scores are so large: the weights of such a row are peaked. row_max must be that of s, and follows it.
void recompute_large_dots(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// s <- scale * q·(k + rK) for an infinite q, whose q·k and q·rK may be infinities that cancel to NaN, where `stage` shows them.
void recompute_infinite_dots(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept;

/// Additive scores whose exp(2x) overflows, which are NaN (additive_score.hpp), are recomputed with tanh where `stage` shows them.
void recompute_large_additive_scores(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept;

}  // namespace fovea

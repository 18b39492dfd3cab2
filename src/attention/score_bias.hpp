#pragma once
/// What is added to the scores of a tile, after the cap: ALiBi and distances alike, relative positions, buckets
/// (bucket_bias.hpp), the Gaussian around a centre, the bias of listed pairs, the float mask, in this order.

#include "attention/attention.hpp"
#include "attention/score_tile.hpp"

namespace fovea {

[[nodiscard]] bool has_bias(const AttentionArgs& args, const ScoreTile& tile) noexcept;

/// s <- s + biases. What becomes of forbidden pairs does not matter.
void add_bias(const AttentionArgs& args, ScoreTile& tile) noexcept;

}  // namespace fovea

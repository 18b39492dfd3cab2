#pragma once
/// Biases of a tile's scores, added after the softcap in this order: ALiBi and other distances, relative positions, buckets
/// (bucket_bias.hpp), the Gaussian around a center, the bias of a pattern's pairs, the array of pairs, the float masks.

#include "attention/pattern/plan.hpp"
#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

[[nodiscard]] bool has_bias(const AttentionArgs& args, const ScoreTile& tile) noexcept;

/// s <- s + biases. Forbidden pairs and appended keys may become anything.
void add_bias(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// s <- s + the bias of the plan's listed pairs, for a plan of `queries`; `edges` are the values of its graph's edges, or null
void add_listed_bias(const Plan& plan, const float* edges, std::size_t queries, ScoreTile& tile) noexcept;

}  // namespace fovea

#pragma once
/// Score modifications: what a tile goes through between the products and the softmax.

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

/// Whether scores are multiplied by the scale with one rounding each, after their sums: where there is a softcap, and where a
/// score is no product. Else the queries are.
[[nodiscard]] inline bool scales_scores(const AttentionArgs& args) noexcept {
  return args.softcap > 0.0f || args.variant.score == Score::Additive;
}

/// The factor of the queries before their products with the keys.
[[nodiscard]] inline float query_scale(const AttentionArgs& args) noexcept { return scales_scores(args) ? 1.0f : args.scale; }

/// s <- the logits after `stage`, from the products (score_products.hpp), to which the tile's relative ones are added. Biased
/// logits are divided by the temperature and -inf where a pair is not allowed. row_max follows s.
void apply_score_mods(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept;

/// Its steps up to the softcap, on the way to `stage`, and those after it.
void make_capped_scores(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept;
void make_biased_scores(const AttentionArgs& args, ScoreTile& tile) noexcept;

}  // namespace fovea

#pragma once
/// From the gradients of a strip's weights to those of its products. Rows of numbers are kKeyTile apart.

#include "attention/backward/row_terms.hpp"
#include "attention/score/relative_keys.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

/// w <- the weights;  x <- the gradients of the logits from those of the weights (row_terms.hpp), both exactly 0 where not
/// allowed; `row` is the strip's first in its block
void differentiate_normalizer(const Normalizer& normalizer, const ScoreTile& tile, const BlockTerms& terms, std::size_t row,
                              float* w, float* x) noexcept;

/// f <- the factors of the weights of allowed pairs, 0 elsewhere
void find_factors(const AttentionArgs& args, const ScoreTile& tile, float (&f)[kMr][kKeyTile]) noexcept;

/// x <- x f
void multiply_by(const ScoreTile& tile, const float (&f)[kMr][kKeyTile], float* x) noexcept;

/// x <- x + d_output · rV of each pair, from the products of the block's rows
void add_relative_gradients(const AttentionArgs& args, const ScoreTile& tile, const RelativeProducts& products, std::size_t row,
                            float* x) noexcept;

/// x <- x scale
void scale_products(const AttentionArgs& args, const ScoreTile& tile, float* x) noexcept;

/// x <- x scale (1 - (capped / softcap)²), exactly 0 where not allowed
void differentiate_softcap(const AttentionArgs& args, const ScoreTile& tile, const float (&capped)[kMr][kKeyTile],
                           float* x) noexcept;

}  // namespace fovea

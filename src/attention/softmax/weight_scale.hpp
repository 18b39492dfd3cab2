#pragma once
/// Factors of the weights, by which the normalizer's result is multiplied. Nothing is normalized again.
///   w[i,j] <- w[i,j] f(i,j)      f = an array's entry, or exp(-(j - center[i])² / (2 sigma[i]²))     (arXiv:1508.04025 eq. 10)
/// A weight of 0 stays 0: entries at masked pairs may be NaN or infinite.

#include <cstddef>

#include "attention/problem/attention_args.hpp"
#include "attention/problem/token_list.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

/// weights[n] <- weights[n] f(query, keys[n]), where the call has a weight scale. Keys ascend.
void scale_weights(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, const TokenList& keys,
                   float* weights) noexcept;

/// s <- s f for a tile whose s are weights, divided or not
void scale_weights(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// The row's weights among the results, dense and sparse, <- themselves times f.
void scale_row_weights(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query) noexcept;

}  // namespace fovea

#pragma once
/// The gradients of a strip's weights, from those of the call's results.

#include <cstddef>

#include "attention/backward/attention_backward.hpp"
#include "attention/backward/packed_rows.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

/// x <- A of the tile's pairs, rows kKeyTile apart; without the part through the output where it is not wanted
void find_weight_gradients(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                           const ScoreTile& tile, std::size_t row, bool through_output, float* x) noexcept;

/// Leaves only the keys that top-k keeps.
void keep_best(const BlockTerms& terms, std::size_t row, ScoreTile& tile) noexcept;

}  // namespace fovea

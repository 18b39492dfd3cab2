#pragma once
/// The largest score of each row of a tile.

#include "attention/score/score_tile.hpp"

namespace fovea {

/// row_max[r] <- max_j s[r][j] over the allowed j, in four lanes
void update_row_max(ScoreTile& tile) noexcept;

}  // namespace fovea

#pragma once
/// Sums of values, one for each query row: o[i] = Σ_j w[i,j] v[j]

#include <cstddef>

#include "attention/score/score_tile.hpp"

namespace fovea {

/// Rows of floats, `stride` apart: a value, and sums by distance behind it (relative_values.hpp).
struct ValueSums {
  float* o = nullptr;
  std::size_t stride = 0;
};

/// o <- o + s v, for a tile whose values may be NaN or infinite: forbidden pairs are left out of the sum, so that 0 · NaN
/// never happens. v is packed as `panels` column panels; the order of the sum is that of accumulate_rows.
void accumulate_allowed(const ScoreTile& tile, const float* v, std::size_t panels, ValueSums sums) noexcept;

}  // namespace fovea

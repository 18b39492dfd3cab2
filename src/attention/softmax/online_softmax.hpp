#pragma once
/// Softmax over keys that arrive tile by tile (Milakov & Gimelshein 2018, arXiv:1805.02867, algorithm 3), the rows of a tile at
/// a time.
///   m[i] >= max_j s[i,j] - kRescaleThreshold,   l[i] = Σ_j exp(s[i,j] - m[i]),   o[i] = Σ_j exp(s[i,j] - m[i]) v[j]
/// m is raised, and l and o rescaled, only when a row exceeds it by more than kRescaleThreshold: the sums stay below
/// Tk·e^5.5, far from overflow, and rescaling all but ends after the first tiles. Each row decides for itself, so its bits are
/// its own.

#include <cstddef>

#include "attention/score/score_tile.hpp"
#include "attention/softmax/value_sums.hpp"

namespace fovea {

/// In natural units; 5.5 = 8 in powers of two.
inline constexpr float kRescaleThreshold = 5.5f;

/// The state of rows: their sums of values, rescaled with m and l.
struct SoftmaxRows : ValueSums {
  float* m;  // [rows]
  float* l;  // [rows][4]: the sum of a row is that of its four lanes
};

/// `count` rows that have seen no key
void init(SoftmaxRows rows, std::size_t count) noexcept;

/// m, l and o are brought up to the tile, whose row_max must be set.
void rescale(const ScoreTile& tile, SoftmaxRows rows) noexcept;

/// s <- exp(s - m);  l <- l + Σ_j s. A forbidden pair's s is exactly 0.
void exponentiate(ScoreTile& tile, SoftmaxRows rows) noexcept;

}  // namespace fovea

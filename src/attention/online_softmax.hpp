#pragma once
/// Softmax over keys that arrive tile by tile (Milakov & Gimelshein 2018, arXiv:1805.02867, algorithm 3), the rows of a tile at
/// a time.
///   m[i] >= max_j s[i,j] - kLazy,   l[i] = Σ_j exp(s[i,j] - m[i]),   o[i] = Σ_j exp(s[i,j] - m[i]) v[j]
/// m is raised, and l and o rescaled, only when a row exceeds it by more than kLazy: the sums stay below Tk·e^5.5, far from
/// overflow, and rescaling all but ends after the first tiles. Each row decides for itself, so its bits are its own.

#include <cstddef>

#include "attention/score_tile.hpp"

namespace fovea {

/// In natural units; 5.5 = 8 in powers of two.
inline constexpr float kLazy = 5.5f;

struct RunningRows {
  float* m;  // [rows]
  float* l;  // [rows][4]: the sum of a row is that of its four lanes
  float* o;  // rows, `stride` apart: a value, and what is rescaled with it
  std::size_t stride;
};

/// `count` rows that have seen no key
void start(RunningRows rows, std::size_t count) noexcept;

/// m, l and o are brought up to the tile, whose `highest` must be found.
void raise(const ScoreTile& tile, RunningRows rows) noexcept;

/// s <- exp(s - m);  l <- l + Σ_j s. A forbidden pair's s is exactly 0.
void exponentiate(ScoreTile& tile, RunningRows rows) noexcept;

/// o <- o + s v, for a tile whose values may be NaN or infinite: forbidden pairs are left out of the sum, so that 0 · NaN
/// never happens. v is packed as `panels` column panels; the order of the sum is that of accumulate_rows.
void accumulate_allowed(const ScoreTile& tile, const float* v, std::size_t panels, RunningRows rows) noexcept;

}  // namespace fovea

#include "attention/score/row_max.hpp"

#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

void update_row_max(ScoreTile& tile) noexcept {
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const std::uint64_t allowed = tile.allowed[r];
    f32 row_max = splat(kMinusInfinity);
    if (allowed == ~std::uint64_t{0}) {
      over_columns(tile, [&](std::size_t j) { row_max = simd::max(row_max, load(tile.s[r] + j)); });
    } else if (allowed != 0) {
      over_columns(tile, [&](std::size_t j) {
        row_max = simd::max(row_max, simd::select(simd::lanes(allowed >> j), load(tile.s[r] + j), splat(kMinusInfinity)));
      });
    }
    store(tile.row_max[r], row_max);
  }
}

}  // namespace fovea

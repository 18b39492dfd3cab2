#include "attention/softmax/value_sums.hpp"

#include "gemm/panels.hpp"
#include "simd/simd.hpp"

namespace fovea {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

void accumulate_allowed(const ScoreTile& tile, const float* v, std::size_t panels, ValueSums sums) noexcept {
  for (std::size_t c = 0; c < panels * kNr; c += kNr, v += tile.keys * kNr) {
    for (std::size_t r = 0; r < tile.rows; ++r) {
      float* const o = sums.o + r * sums.stride + c;
      f32 left = load(o), right = load(o + 4);
      for (std::size_t j = 0; j < tile.keys; ++j) {
        if ((tile.allowed[r] >> j & 1) == 0) continue;
        const f32 weight = splat(tile.s[r][j]);
        left = simd::madd(weight, load(v + j * kNr), left);
        right = simd::madd(weight, load(v + j * kNr + 4), right);
      }
      store(o, left);
      store(o + 4, right);
    }
  }
}

}  // namespace fovea

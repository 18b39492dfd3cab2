#include "attention/decode_partials.hpp"

namespace fovea {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

void merge_chunks(const DecodePartials& partials, std::size_t head, std::size_t i) noexcept {
  const RunningRows total = partials.rows(head, 0, i);
  float& m = *total.m;
  for (std::size_t chunk = 1; chunk < partials.chunks; ++chunk) {
    const RunningRows part = partials.rows(head, chunk, i);
    // The sum tells whether there was an allowed key: a NaN may hide from m, never from it.
    if (simd::reduce_add(load(part.l)) == 0.0f) continue;
    const float highest = *part.m > m ? *part.m : m;
    const f32 ours = simd::exp(splat(m - highest)), theirs = simd::exp(splat(*part.m - highest));
    store(total.l, load(total.l) * ours + load(part.l) * theirs);
    for (std::size_t c = 0; c < partials.stride; c += f32::size) {
      store(total.o + c, load(total.o + c) * ours + load(part.o + c) * theirs);
    }
    m = highest;
  }
}

}  // namespace fovea

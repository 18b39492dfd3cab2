#include "ops/gru_cell.hpp"

#include <cstddef>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::store;

/// The sum of gate g, at j.
f32 sum_of(const GateRow& row, std::size_t g, std::size_t j) noexcept {
  return load(row.input + g * row.hidden + j) + load(row.product + g * row.padded + j);
}

/// h <- (1 - z) n + z h, or (1 - z) h + z n
void mix(const GateRow& row, std::size_t j, f32 z, f32 n) noexcept {
  const f32 h = load(row.h + j), rest = simd::splat(1.0f) - z;
  store(row.h + j, row.replaces ? rest * h + z * n : rest * n + z * h);
}

}  // namespace

void gru_gates(const GateRow& row) noexcept {
  for (std::size_t j = 0; j < row.hidden; j += f32::size) {
    const f32 r = simd::sigmoid(sum_of(row, 0, j));
    const f32 z = simd::sigmoid(sum_of(row, 1, j));
    const f32 n = simd::tanh(load(row.input + 2 * row.hidden + j) + r * load(row.product + 2 * row.padded + j));
    mix(row, j, z, n);
  }
}

void gru_reset(const GateRow& row) noexcept {
  for (std::size_t j = 0; j < row.hidden; j += f32::size) {
    const f32 r = simd::sigmoid(sum_of(row, 0, j));
    store(row.product + row.padded + j, simd::sigmoid(sum_of(row, 1, j)));
    store(row.out + j, r * load(row.h + j));
  }
}

void gru_update(const GateRow& row) noexcept {
  for (std::size_t j = 0; j < row.hidden; j += f32::size) {
    const f32 z = load(row.product + row.padded + j);
    const f32 n = simd::tanh(sum_of(row, 2, j));
    mix(row, j, z, n);
  }
}

}  // namespace fovea

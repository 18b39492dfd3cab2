#include "ops/lstm_cell.hpp"

#include <cstddef>

#include "simd/simd.hpp"

namespace fovea {

void lstm_gates(const GateRow& row) noexcept {
  using simd::f32;
  using simd::load;
  const auto sum_of = [&row](std::size_t g, std::size_t j) {
    return load(row.input + g * row.hidden + j) + load(row.product + g * row.padded + j);
  };
  float* const out = row.out != nullptr ? row.out : row.h;
  for (std::size_t j = 0; j < row.hidden; j += f32::size) {
    const f32 i = simd::sigmoid(sum_of(0, j));
    const f32 f = simd::sigmoid(sum_of(1, j));
    const f32 g = simd::tanh(sum_of(2, j));
    const f32 o = simd::sigmoid(sum_of(3, j));
    const f32 c = f * load(row.c + j) + i * g;
    simd::store(row.c + j, c);
    simd::store(out + j, o * simd::tanh(c));
  }
}

}  // namespace fovea

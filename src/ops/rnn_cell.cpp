#include "ops/rnn_cell.hpp"

#include <cstddef>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;

template <class F>
void apply(const GateRow& row, F f) noexcept {
  for (std::size_t j = 0; j < row.hidden; j += f32::size) {
    simd::store(row.h + j, f(load(row.input + j) + load(row.product + j)));
  }
}

}  // namespace

void tanh_gates(const GateRow& row) noexcept {
  apply(row, [](f32 a) { return simd::tanh(a); });
}

void relu_gates(const GateRow& row) noexcept {
  const f32 zero = simd::splat(0.0f);
  apply(row, [zero](f32 a) { return simd::select(a <= zero, zero, a); });  // a NaN stays
}

}  // namespace fovea

#include "ops/recurrent_cell_backward.hpp"

#include <algorithm>

#include "ops/activations.hpp"
#include "simd/map_onto.hpp"

namespace fovea {
namespace {

void activate_gate(const CellRow& row, std::size_t gate, Activation kind) noexcept {
  float* const values = row.gates + gate * row.hidden;
  activate({kind, 0.0f}, values, row.hidden, values);
}

void add_products(const CellRow& row, std::size_t from_gate, std::size_t to_gate) noexcept {
  const std::size_t skip = from_gate * row.hidden;
  add_onto(row.gates + skip, (to_gate - from_gate) * row.hidden, row.product + skip);
}

void gru_gradients(const CellRow& row) noexcept {
  const std::size_t hidden = row.hidden;
  float *const r = row.gates, *const z = r + hidden, *const n = z + hidden;
  const bool resets = row.cell == RecurrentCell::GruResetBefore;
  for (std::size_t j = 0; j < hidden; ++j) {
    // h' = (1 - kept) n + kept h
    const float kept = row.replaces ? 1.0f - z[j] : z[j], d = row.d_y[j];
    const float d_kept = d * (row.h[j] - n[j]);
    const float d_n = d * (1.0f - kept) * ((1.0f - n[j]) * (1.0f + n[j]));
    row.d_h[j] = d * kept;
    const float d_z = (row.replaces ? -d_kept : d_kept) * (z[j] * (1.0f - z[j]));
    if (!resets) {
      float* const product = row.product;
      const float through = d_n * r[j];
      const float d_r = d_n * product[2 * hidden + j] * (r[j] * (1.0f - r[j]));
      product[j] = r[j] = d_r;
      product[hidden + j] = d_z;
      product[2 * hidden + j] = through;
    }
    z[j] = d_z;
    n[j] = d_n;
  }
}

void lstm_gradients(const CellRow& row) noexcept {
  const std::size_t hidden = row.hidden;
  float *const i = row.gates, *const f = i + hidden, *const g = f + hidden, *const o = g + hidden;
  float tanh_c[64];
  for (std::size_t from = 0; from < hidden; from += std::size(tanh_c)) {
    const std::size_t count = std::min(std::size(tanh_c), hidden - from);
    activate({Activation::Tanh, 0.0f}, row.next_c + from, count, tanh_c);
    for (std::size_t j = from; j < from + count; ++j) {
      const float t = tanh_c[j - from], d = row.d_y[j];
      const float d_c = row.d_c[j] + d * o[j] * ((1.0f - t) * (1.0f + t));
      row.d_c[j] = d_c * f[j];
      const float d_i = d_c * g[j], d_g = d_c * i[j], d_f = d_c * row.c[j];
      i[j] = d_i * (i[j] * (1.0f - i[j]));
      f[j] = d_f * (f[j] * (1.0f - f[j]));
      g[j] = d_g * ((1.0f - g[j]) * (1.0f + g[j]));
      o[j] = d * t * (o[j] * (1.0f - o[j]));
    }
  }
}

}  // namespace

void compute_gates(const CellRow& row) noexcept {
  const std::size_t hidden = row.hidden;
  switch (row.cell) {
    case RecurrentCell::Tanh:
    case RecurrentCell::Relu:
      add_products(row, 0, 1);
      return activate_gate(row, 0, row.cell == RecurrentCell::Tanh ? Activation::Tanh : Activation::Relu);
    case RecurrentCell::Gru:
    case RecurrentCell::GruResetBefore:
      add_products(row, 0, 2);
      for (const std::size_t gate : {0u, 1u}) activate_gate(row, gate, Activation::Sigmoid);
      if (row.cell == RecurrentCell::GruResetBefore) {
        for (std::size_t j = 0; j < hidden; ++j) row.reset[j] = row.gates[j] * row.h[j];
        return;
      }
      for (std::size_t j = 0; j < hidden; ++j) row.gates[2 * hidden + j] += row.gates[j] * row.product[2 * hidden + j];
      return activate_gate(row, 2, Activation::Tanh);
    case RecurrentCell::Lstm:
      add_products(row, 0, 4);
      for (const std::size_t gate : {0u, 1u, 3u}) activate_gate(row, gate, Activation::Sigmoid);
      activate_gate(row, 2, Activation::Tanh);
      const float *const i = row.gates, *const f = i + hidden, *const g = f + hidden, *const o = g + hidden;
      for (std::size_t j = 0; j < hidden; ++j) row.next_c[j] = f[j] * row.c[j] + i[j] * g[j];
      if (row.y == nullptr) return;
      activate({Activation::Tanh, 0.0f}, row.next_c, hidden, row.y);
      for (std::size_t j = 0; j < hidden; ++j) row.y[j] *= o[j];
      return;
  }
}

void compute_reset_gate(const CellRow& row) noexcept {
  add_products(row, 2, 3);
  activate_gate(row, 2, Activation::Tanh);
}

void gate_gradients(const CellRow& row) noexcept {
  float* const gates = row.gates;
  switch (row.cell) {
    case RecurrentCell::Tanh:
      for (std::size_t j = 0; j < row.hidden; ++j) gates[j] = row.d_y[j] * ((1.0f - gates[j]) * (1.0f + gates[j]));
      break;
    case RecurrentCell::Relu:
      for (std::size_t j = 0; j < row.hidden; ++j) gates[j] = gates[j] <= 0.0f ? 0.0f : row.d_y[j];
      break;
    case RecurrentCell::Gru:
    case RecurrentCell::GruResetBefore: return gru_gradients(row);
    case RecurrentCell::Lstm: lstm_gradients(row); break;
  }
}

void add_reset_gradient(const CellRow& row) noexcept {
  for (std::size_t j = 0; j < row.hidden; ++j) {
    const float r = row.gates[j], d = row.d_reset[j];
    row.d_h[j] += d * r;
    row.gates[j] = d * row.h[j] * (r * (1.0f - r));
  }
}

}  // namespace fovea

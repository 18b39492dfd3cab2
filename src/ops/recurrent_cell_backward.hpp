#pragma once
/// The gates of one step of one sequence (ops/recurrent.hpp has the equations), computed again, and their gradients.

#include <cstddef>

#include "ops/recurrent.hpp"

namespace fovea {

/// The values of gate g begin at gates[g · hidden] and product[g · hidden].
struct CellRow {
  RecurrentCell cell;
  bool replaces;  // update_replaces
  std::size_t hidden;
  float* gates;          // W_ih x + b_ih, then the gates, then the gradients of their sums
  float* product;        // W_hh h + b_hh, then of Gru its gradient
  const float* h;        // the state before
  float* reset;          // of GruResetBefore: r h
  const float* c;        // of Lstm: the cell before
  float* next_c;         // of Lstm: the cell after
  float* y;              // of Lstm: o tanh(c'), or null
  const float* d_y;      // of what the cell gives
  float* d_c;            // of Lstm: of the cell after, replaced by that of the cell before
  float* d_h;            // of the state before, without what comes through the products with it: written
  const float* d_reset;  // of GruResetBefore: of r h
};

/// gates <- the gates, but for the n of GruResetBefore, which needs W_hn (r h) + b_hn.
void compute_gates(const CellRow& row) noexcept;

/// The n of GruResetBefore, from the product with r h.
void compute_reset_gate(const CellRow& row) noexcept;

/// gates <- the gradients of their sums; of GruResetBefore that of r stays for add_reset_gradient.
void gate_gradients(const CellRow& row) noexcept;

/// Adds what comes through r h of GruResetBefore: to the gradient of the state before, and to gates that of r's sum.
void add_reset_gradient(const CellRow& row) noexcept;

}  // namespace fovea

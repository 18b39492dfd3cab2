#pragma once
/// The gates of one step of one sequence, between the matrix products and the cell (ops/recurrent.hpp has the equations).

#include <cstddef>

namespace fovea {

/// The values of gate g begin at input[g · hidden] and product[g · padded]. Rows are read and written in whole vectors: entries
/// from `hidden` on are padding.
struct GateRow {
  const float* input;  // W_ih x + b_ih
  float* product;      // W_hh h + b_hh
  std::size_t hidden, padded;
  float* h;       // the state, replaced
  float* c;       // of Lstm, replaced; null elsewhere
  bool replaces;  // of Gru: z weighs n, not h
  float* out;     // what is multiplied next: r h, or o tanh(c') of a layer that projects; else may be null
};

}  // namespace fovea

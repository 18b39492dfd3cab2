#pragma once
/// The gates of one step of one sequence: what comes after the products (ops/recurrent.hpp has the equations).

#include <cstddef>

#include "ops/recurrent.hpp"

namespace fovea {

/// Gate g's numbers begin at input[g · hidden] and product[g · padded]. Rows are read and written in whole vectors: beyond
/// `hidden` they hold what nobody reads.
struct GateRow {
  const float* input;  // W_ih x + b_ih
  float* product;      // W_hh h + b_hh
  std::size_t hidden, padded;
  float* h;    // the state, replaced
  float* c;    // of Lstm, replaced; null elsewhere
  float* out;  // what is multiplied next: r h, or o tanh(c') of a layer that projects; else may be null
};

/// h <- f(input + product), f = tanh or max(·, 0)
void tanh_gates(const GateRow& row) noexcept;
void relu_gates(const GateRow& row) noexcept;

/// h <- (1 - z) n + z h
void gru_gates(const GateRow& row) noexcept;
/// z stays in the product of z; out <- r h. Then, with W_hn out + b_hn in the product of n: h <- (1 - z) n + z h
void gru_reset(const GateRow& row) noexcept;
void gru_update(const GateRow& row) noexcept;

/// c <- f c + i g;  h, or `out` where there is one, <- o tanh(c)
void lstm_gates(const GateRow& row) noexcept;

}  // namespace fovea

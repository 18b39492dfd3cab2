#pragma once
/// One step of the gated recurrent unit, after its matrix products.

#include "ops/gate_row.hpp"

namespace fovea {

/// h <- (1 - z) n + z h, or (1 - z) h + z n where z replaces
void gru_gates(const GateRow& row) noexcept;

/// z stays in the product of z; out <- r h. Then, with W_hn out + b_hn in the product of n: h as gru_gates
void gru_reset(const GateRow& row) noexcept;
void gru_update(const GateRow& row) noexcept;

}  // namespace fovea

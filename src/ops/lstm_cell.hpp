#pragma once
/// One step of the long short-term memory cell, after its matrix products.

#include "ops/gate_row.hpp"

namespace fovea {

/// c <- f c + i g;  h, or `out` where there is one, <- o tanh(c)
void lstm_gates(const GateRow& row) noexcept;

}  // namespace fovea

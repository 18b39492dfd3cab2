#pragma once
/// One step of the Elman cell, after its matrix products.

#include "ops/gate_row.hpp"

namespace fovea {

/// h <- f(input + product), f = tanh or max(·, 0)
void tanh_gates(const GateRow& row) noexcept;
void relu_gates(const GateRow& row) noexcept;

}  // namespace fovea

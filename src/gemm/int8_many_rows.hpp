#pragma once
/// Tasks of int8 products of many rows, which are compute-bound: activations of 7 bits, or of 14 where precise ones are asked for.
/// Equation and error: gemm/int8_product.hpp.

#include "gemm/int8_task.hpp"

namespace fovea {

/// Rounds the rows of a task and multiplies them by its columns.
void multiply_many_rows(const Int8Operands& operands, const GridTask& task, const Activations& activations) noexcept;

}  // namespace fovea

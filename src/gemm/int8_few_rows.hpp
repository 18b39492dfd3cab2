#pragma once
/// Tasks of int8 products of few rows, which are memory-bound: activations of 15 or 14 bits cost about what those of 7 do. Equation and
/// error: gemm/int8_product.hpp.

#include "gemm/int8_task.hpp"

namespace fovea {

/// Rows of a call whose activations are never rounded to 7 bits.
inline constexpr std::size_t kInt8FewRows = 4;

/// Rounds the rows of a task, at most kInt8FewRows, and multiplies them by its columns.
void multiply_few_rows(const Int8Operands& operands, const GridTask& task, const Activations& activations) noexcept;

}  // namespace fovea

#pragma once
/// c = a·b for an A of few rows: nothing is packed, and each element of B is read from memory once for all rows.
/// The sum over k runs in order from 0, as in panels.hpp: an element has the bits that any other number of rows gives it.

#include <cstddef>

#include "core/view.hpp"

namespace fovea {

/// The most rows for which it is faster than to pack B: 16 where the rows of B have unit stride, 2 where its columns have. Measured
/// with 1024 × 1024, relaxed SIMD, 2026-11: 16 rows 762 µs against 955, 4 rows 332 against 324.
[[nodiscard]] constexpr std::size_t most_few_rows(const MatrixView<const float>& b) noexcept {
  return b.row_stride == 1 ? 2 : 16;
}

/// c[r][j] <- Σ_k a[r][k] b[k][j] for the rows of A, at most most_few_rows(b), and the columns of B. A and C have rows of unit
/// stride, B along one of its axes.
void multiply_few_rows(const MatrixView<const float>& a, const MatrixView<const float>& b, float* c,
                       std::ptrdiff_t c_stride) noexcept;

/// The most rows for which it is faster than to pack A.
inline constexpr std::size_t kMostFewPackedRows = 8;

/// multiply_few_rows with B in whole column panels (panels.hpp), `panels` from its first column on; at most kMostFewPackedRows rows.
void multiply_few_rows_by_panels(const MatrixView<const float>& a, const float* panels, std::size_t columns, float* c,
                                 std::ptrdiff_t c_stride) noexcept;

}  // namespace fovea

#pragma once
/// The sums of the columns of a matrix, added to what is there: a bias's gradient.
///   sums[j] <- sums[j] + Σ_t x[t,j]
/// Shapes: x [T, N], rows contiguous; sums [N].
/// Accuracy: sums in order over chunks of 128 rows, the chunks added in order.
/// Determinism: a sum depends on its column alone; threads share out columns.

#include "core/thread_pool.hpp"
#include "core/view.hpp"

namespace fovea {

void add_column_sums(const MatrixView<const float>& x, float* sums, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

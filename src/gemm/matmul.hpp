#pragma once
/// Matrix product with an optional row vector added.
///   c[i,j] = Σ_k a[i,k] b[k,j] + bias[j]
/// Shapes: a [M, K]; b [K, N] (a transpose is a view with the strides exchanged); bias [N] or null; c [M, N], rows contiguous.
/// K = 0 gives the bias, or 0.   Errors: Status::Shape, Status::Memory.   Workspace: matmul_workspace_bytes().
/// Accuracy: the sum over k runs in order, in chunks of 384; <= 2x the error of the plain float32 loop + 8 eps.
/// Determinism: c[i,j] depends on row i, column j and bias[j] alone; threads share out blocks of rows.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// Applied to the finished rows of c, each in place, while they are in cache.
struct RowEpilogue {
  void (*apply)(const void* context, float* row, std::size_t columns) noexcept = nullptr;  // null: nothing
  const void* context = nullptr;
};

/// For a pool of `threads` threads.
[[nodiscard]] std::uint64_t matmul_workspace_bytes(std::size_t threads = 1) noexcept;

[[nodiscard]] Status matmul(MatrixView<const float> a, MatrixView<const float> b, const float* bias, MatrixView<float> c,
                            Workspace workspace, ThreadPool* pool = nullptr, RowEpilogue epilogue = {}) noexcept;

}  // namespace fovea

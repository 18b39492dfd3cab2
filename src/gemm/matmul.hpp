#pragma once
/// Matrix product with an optional row vector added.
///   c[i,j] = Σ_k a[i,k] b[k,j] + bias[j]
/// Shapes: a [M, K]; b [K, N], a view (of a transpose with the strides exchanged) or packed (gemm/packed_weights.hpp); bias [N] or
///   null; c [M, N], rows contiguous.
/// K = 0 gives the bias, or 0.   Errors: Status::Shape, Status::Memory.   Workspace: matmul_workspace_bytes().
/// Accuracy: the sum over k runs in order from 0, then the bias is added; <= 2x the error of the plain float32 loop + 8 eps.
/// Determinism: c[i,j] depends on row i, column j and bias[j] alone: not on M or N, on how B is stored, or on the threads, which
///   share out blocks of rows and columns.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"
#include "gemm/task_grid.hpp"

namespace fovea {

/// How the right factor of a product is stored: as a view, packed (gemm/packed_weights.hpp), or packed in 8 bits, which another
/// product multiplies by, with fast or precise inputs (gemm/int8_product.hpp).
enum class WeightFormat : std::uint32_t { Strided, Panels, Int8, Int8Precise };

/// The right factor of a product. Where it is packed, the view has its address and its sizes, and the strides mean nothing.
struct RightFactor {
  // NOLINTNEXTLINE(google-explicit-constructor): a view is a factor.
  RightFactor(const MatrixView<const float>& b, WeightFormat of = WeightFormat::Strided) noexcept : view(b), format(of) {}

  MatrixView<const float> view;
  WeightFormat format;
};

/// Applied to finished runs of the rows of c, each in place, while they are in cache: element by element.
struct RowEpilogue {
  void (*apply)(const void* context, float* row, std::size_t columns) noexcept = nullptr;  // null: nothing
  const void* context = nullptr;
};

/// The end of a product on a part of c: adds the bias, applies the epilogue.
void finish_rows(const MatrixView<float>& c, const GridTask& task, const float* bias, const RowEpilogue& epilogue) noexcept;

/// For a pool of `threads` threads.
[[nodiscard]] std::uint64_t matmul_workspace_bytes(std::size_t threads = 1) noexcept;

[[nodiscard]] Status matmul(MatrixView<const float> a, const RightFactor& right, const float* bias, MatrixView<float> c,
                            Workspace workspace, ThreadPool* pool = nullptr, RowEpilogue epilogue = {}) noexcept;

}  // namespace fovea

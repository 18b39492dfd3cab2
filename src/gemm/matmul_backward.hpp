#pragma once
/// Gradients of a matrix product c = a b + bias (gemm/matmul.hpp).
///   dA <- dA + dC Bᵀ,   dB <- dB + Aᵀ dC,   dBias[j] <- dBias[j] + Σ_i dC[i,j]
/// Shapes: a, d_a [M, K], rows contiguous; b, d_b [K, N], of unit stride along one axis, a packed matrix as the view of its plain
///   rows; d_c [M, N], rows contiguous. d_a and d_b without data, d_bias null: not wanted. A gradient lies at the strides of its
///   array; one that is `fresh` is written and not read: 0 before, and its elements apart from each other.
/// Where two gradients are one array, d_a is added first, then d_b, then d_bias.
/// Errors: Status::Shape, Status::Memory.   Workspace: matmul_backward_workspace_bytes().
/// Accuracy: d_a as matmul, added; d_b as transposed_product.hpp, d_bias as column_sums.hpp.
/// Determinism: as matmul's and transposed_product's.

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct MatmulBackwardArgs {
  MatrixView<const float> a, b, d_c;
  MatrixView<float> d_a, d_b;
  float* d_bias = nullptr;
  bool fresh_a = false, fresh_b = false;
};

[[nodiscard]] std::uint64_t matmul_backward_workspace_bytes(const MatmulBackwardArgs& args, std::size_t threads = 1) noexcept;

[[nodiscard]] Status matmul_backward(const MatmulBackwardArgs& args, Workspace workspace, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

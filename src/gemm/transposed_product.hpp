#pragma once
/// The product with a transposed left factor, added to what is there: a weight's gradient, summed over tokens.
///   c[i,j] <- c[i,j] + Σ_t a[t,i] b[t,j];  `replaces`: without c[i,j], which is not read
/// Shapes: a [T, M], b [T, N], c [M, N]; rows are contiguous. c overlaps neither a nor b, and its rows not each other.
/// Errors: Status::Shape, Status::Memory.   Workspace: transposed_product_workspace_bytes(threads).
/// Accuracy: sums in order over chunks of kTransposedDepth tokens, the chunks added in order; <= 2x the error of the plain float32
///   loop + 8 eps.
/// Determinism: c[i,j] depends on columns i of a and j of b alone; threads share out blocks of c.

#include <cstddef>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"

namespace fovea {

inline constexpr std::size_t kTransposedDepth = 256;

[[nodiscard]] std::uint64_t transposed_product_workspace_bytes(std::size_t threads = 1) noexcept;

[[nodiscard]] Status transposed_product(const MatrixView<const float>& a, const MatrixView<const float>& b,
                                        const MatrixView<float>& c, bool replaces, Workspace workspace,
                                        ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

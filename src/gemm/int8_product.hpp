#pragma once
/// Matrix product with weights of 8 bits (gemm/int8_weights.hpp), activations rounded to 7 bits row by row.
///   x[i,k] ≈ s[i] (u[i,k] - 64),   s[i] = max_k |x[i,k]| / 63,   1 <= u <= 127
///   c[i,j] = (Σ_k u[i,k] q[k,j] - 64 Σ_k q[k,j]) min(s[i], scale[j]) max(s[i], scale[j]) + bias[j]
/// The sums are integers, exact in any order: the bits are the same whatever the engine's instructions, rows, threads.
/// Shapes: a [M, K]; weights [K, N]; bias [N] or null; c [M, N], rows contiguous. K <= kMostInt8Depth.
/// Error against the product in f32: <= 0.501 (s[i] Σ_k |scale[j] q[k,j]| + scale[j] Σ_k |x[i,k]|) + 4 eps |c - bias| + eps |c|, and
///   2^-119 Σ_k |w[k,j]| for a row below 2^-119, which counts as zeros. A NaN or an infinity makes its row NaN.
/// Errors: Status::Shape, Status::Memory.   Workspace: int8_product_workspace_bytes().

#include <cstddef>
#include <cstdint>

#include "gemm/int8_weights.hpp"
#include "gemm/matmul.hpp"

namespace fovea {

/// Longer sums might pass 31 bits: 127 · 127 · K.
inline constexpr std::size_t kMostInt8Depth = 133144;

[[nodiscard]] std::uint64_t int8_product_workspace_bytes(std::size_t rows, std::size_t depth, std::size_t threads = 1) noexcept;

[[nodiscard]] Status int8_product(MatrixView<const float> a, const Int8Weights& weights, const float* bias, MatrixView<float> c,
                                  Workspace workspace, ThreadPool* pool = nullptr, RowEpilogue epilogue = {}) noexcept;

}  // namespace fovea

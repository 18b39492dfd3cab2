#pragma once
/// Matrix product with weights of 8 bits (gemm/int8_weights.hpp), activations rounded row by row. Precise: to 14 bits, L = 8191. Fast:
/// to 15 bits, L = 16383, in a call of at most kInt8FewRows rows, to 7 bits, L = 63, in one of more.
///   x[i,k] ≈ s[i] u[i,k],   s[i] = max_k |x[i,k]| / L,   -L <= u <= L
///   c[i,j] = (Σ_k u[i,k] q[k,j]) min(s[i], scale[j]) max(s[i], scale[j]) + bias[j]
/// 7 bits are multiplied as u + 64, from 1 to 127, and 64 Σ_k q[k,j] is subtracted. The sums are integers, exact in any order, and
/// rounded once: the bits are the same whatever the engine's instructions and threads. A precise row has the same bits in every call,
/// those of a fast one depend on the number of rows.
/// Shapes: a [M, K]; weights [K, N]; bias [N] or null; c [M, N], rows contiguous. K <= kMostInt8Depth.
/// Error against the product in f32: <= h s[i] Σ_k |scale[j] q[k,j]| + 0.501 scale[j] Σ_k |x[i,k]| + 4 eps |c - bias| + eps |c|, and
///   t Σ_k |w[k,j]| for a row below t, which counts as zeros. 15 bits: h = 0.503, t = 2^-112. 14 bits: h = 0.502,
///   t = 2^-113. 7 bits: h = 0.501, t = 2^-119.
///   h: L x / max |x| is rounded twice in f32 and s once, together by at most 3/2 eps L steps (15 bits: 0.003), besides half a step.
/// A NaN or an infinity makes its row NaN.
/// Errors: Status::Shape, Status::Memory.   Workspace: int8_product_workspace_bytes().

#include <cstddef>
#include <cstdint>

#include "gemm/int8_weights.hpp"
#include "gemm/matmul.hpp"

namespace fovea {

/// Longer sums of 7 bits might pass 31 bits: 127 · 127 · K.
inline constexpr std::size_t kMostInt8Depth = 133144;

[[nodiscard]] std::uint64_t int8_product_workspace_bytes(std::size_t rows, std::size_t depth, std::size_t threads = 1) noexcept;

enum class Int8Inputs { Fast, Precise };

[[nodiscard]] Status int8_product(MatrixView<const float> a, const Int8Weights& weights, Int8Inputs inputs, const float* bias,
                                  MatrixView<float> c, Workspace workspace, ThreadPool* pool = nullptr,
                                  RowEpilogue epilogue = {}) noexcept;

}  // namespace fovea

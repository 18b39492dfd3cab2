#pragma once
/// Weights of 8 bits, symmetric for each output:   w[k,j] ≈ scale[j] q[k,j],   scale[j] = max_k |w[k,j]| / 127,   |q| <= 127
/// Error: |w - scale q| <= 0.501 scale. A column below 2^-119 counts as zeros.
/// In memory: panels of eight outputs, [N/8][K/4][8][4] bytes, K filled up to a multiple of 4 with zeros; then scale [8 ⌈N/8⌉]; then
/// 64 Σ_k q [8 ⌈N/8⌉], what the offset of activations of 7 bits adds to each sum (gemm/int8_product.hpp).

#include <cstddef>
#include <cstdint>

#include "core/view.hpp"

namespace fovea {

struct Int8Weights {
  const std::int8_t* panels;
  const float* scales;
  const std::int32_t* offsets;

  Int8Weights(const void* data, std::size_t depth, std::size_t columns) noexcept;
};

/// Bytes of a panel: eight outputs.
[[nodiscard]] constexpr std::size_t int8_panel_bytes(std::size_t depth) noexcept { return (depth + 3) / 4 * 32; }

/// Quantizes columns of B, which begin at column `first`, a multiple of 8, of a whole of `columns`. A NaN or an infinity makes the
/// scale of its column NaN.
void quantize_weights(const MatrixView<const float>& b, std::size_t first, std::size_t columns, void* data) noexcept;

/// out[k][i] <- scale q of column list[i], or of first + i where there is no list; K is out.rows.
void dequantize_weights(const Int8Weights& weights, std::size_t first, const std::uint32_t* list,
                        const MatrixView<float>& out) noexcept;

}  // namespace fovea

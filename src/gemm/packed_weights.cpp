#include "gemm/packed_weights.hpp"

#include <algorithm>

#include "gemm/panels.hpp"

namespace fovea {

void pack_weights(const MatrixView<const float>& b, float* panels, std::size_t panel_stride) noexcept {
  for (std::size_t column = 0; column < b.columns; column += kNr, panels += panel_stride) {
    const std::size_t count = std::min(kNr, b.columns - column);
    const float* const corner = b.at(0, column);
    if (b.column_stride == 1) {
      pack_columns({corner, b.row_stride}, b.rows, count, 0, b.rows, panels);
    } else {
      pack_columns_of_transpose({corner, b.column_stride}, count, b.rows, panels);
    }
  }
}

void unpack_weights(const float* panels, std::size_t panel_stride, std::size_t first, const std::uint32_t* columns,
                    const MatrixView<float>& out) noexcept {
  if (out.rows == 0) return;  // no address is counted from panels, which may be null then
  for (std::size_t i = 0; i < out.columns; ++i) {
    const std::size_t column = columns != nullptr ? columns[i] : first + i;
    const float* const lane = panels + column / kNr * panel_stride + column % kNr;
    for (std::size_t k = 0; k < out.rows; ++k) *out.at(k, i) = lane[k * kNr];
  }
}

}  // namespace fovea

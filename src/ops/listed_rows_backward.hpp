#pragma once
/// Gradients of ops/listed_rows.hpp and of rows of a table.
///   take_rows   dX[o, indices[i]] += dY[o, i], i ascending
///   add_rows    dX[o, i] += dY[o, indices[i]]; the gradient of what stood in y before is dY itself
///   rows of a packed matrix (gemm/packed_weights.hpp)   dB[indices[i]] += dOut[i]
/// Shapes: as in the call. Errors: Status::Value, for an index outside of [0, length): nothing is written.
/// Determinism: on one thread.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/view.hpp"

namespace fovea {

/// `length` rows of `inner` floats in each of `outer` entries, `count` of which are listed.
struct ListedRowsBackwardArgs {
  std::size_t outer = 0, length = 0, inner = 1;
  const std::int32_t* indices = nullptr;
  std::size_t count = 0;
  const float* d_y = nullptr;
  float* d_x = nullptr;
};

[[nodiscard]] Status take_rows_backward(const ListedRowsBackwardArgs& args) noexcept;
[[nodiscard]] Status add_rows_backward(const ListedRowsBackwardArgs& args) noexcept;

/// table_rows (ops/positions.hpp): d_table [rows, D], d_out [T, D].
[[nodiscard]] Status table_rows_backward(float* d_table, std::size_t rows, std::size_t width, const std::int32_t* ids,
                                         std::int32_t start, std::size_t tokens, const float* d_out) noexcept;

/// unpack_weights: d_b [out, in] are plain rows, one for each of `all_columns`; d_out [in, columns] a view.
[[nodiscard]] Status unpack_weights_backward(const MatrixView<const float>& d_out, std::size_t first,
                                             const std::uint32_t* columns, std::size_t all_columns, float* d_b) noexcept;

}  // namespace fovea

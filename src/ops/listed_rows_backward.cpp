#include "ops/listed_rows_backward.hpp"

#include <algorithm>

#include "ops/listed_rows.hpp"
#include "simd/map_onto.hpp"

namespace fovea {

Status take_rows_backward(const ListedRowsBackwardArgs& args) noexcept {
  return add_rows({args.outer, args.length, args.inner, args.indices, args.count, args.d_y, args.d_x});
}

Status add_rows_backward(const ListedRowsBackwardArgs& args) noexcept {
  const bool are_inside = std::all_of(args.indices, args.indices + args.count, [&](std::int32_t index) {
    return index >= 0 && static_cast<std::size_t>(index) < args.length;
  });
  if (!are_inside) return Status::Value;
  const float* d_y = args.d_y;
  float* d_x = args.d_x;
  for (std::size_t o = 0; o < args.outer; ++o, d_y += args.length * args.inner) {
    for (std::size_t i = 0; i < args.count; ++i, d_x += args.inner)
      add_onto(d_x, args.inner, d_y + static_cast<std::size_t>(args.indices[i]) * args.inner);
  }
  return Status::Ok;
}

Status table_rows_backward(float* d_table, std::size_t rows, std::size_t width, const std::int32_t* ids, std::int32_t start,
                           std::size_t tokens, const float* d_out) noexcept {
  if (ids != nullptr) return take_rows_backward({1, rows, width, ids, tokens, d_out, d_table});
  if (tokens == 0) return Status::Ok;
  if (start < 0 || tokens > rows || static_cast<std::size_t>(start) > rows - tokens) return Status::Value;
  add_onto(d_table + static_cast<std::size_t>(start) * width, tokens * width, d_out);
  return Status::Ok;
}

Status unpack_weights_backward(const MatrixView<const float>& d_out, std::size_t first, const std::uint32_t* columns,
                               std::size_t all_columns, float* d_b) noexcept {
  const auto row_of = [&](std::size_t i) { return columns != nullptr ? columns[i] : first + i; };
  for (std::size_t i = 0; i < d_out.columns; ++i) {
    if (row_of(i) >= all_columns) return Status::Value;
  }
  for (std::size_t i = 0; i < d_out.columns; ++i) {
    float* const to = d_b + row_of(i) * d_out.rows;
    if (d_out.row_stride == 1) {
      add_onto(to, d_out.rows, d_out.at(0, i));
    } else {
      for (std::size_t k = 0; k < d_out.rows; ++k) to[k] += *d_out.at(k, i);
    }
  }
  return Status::Ok;
}

}  // namespace fovea

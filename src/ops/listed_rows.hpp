#pragma once
/// Rows of an axis by their indices: taken, or added up.
///   take_rows   y[o, i] <- x[o, indices[i]]
///   add_rows    y[o, indices[i]] <- y[o, indices[i]] + x[o, i], i ascending
/// Shapes: take: x [outer, length, inner], y [outer, count, inner]; add: x [outer, count, inner], y [outer, length, inner];
///   contiguous; indices [count].
/// Errors: Status::Value, for an index outside of [0, length): nothing is written.
/// Accuracy: add: float32 sums in the order of the indices.   Determinism: on one thread.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"

namespace fovea {

struct ListedRowsArgs {
  std::size_t outer = 0, length = 0, inner = 1;
  const std::int32_t* indices = nullptr;
  std::size_t count = 0;
  const float* x = nullptr;
  float* y = nullptr;
};

[[nodiscard]] Status take_rows(const ListedRowsArgs& args) noexcept;
[[nodiscard]] Status add_rows(const ListedRowsArgs& args) noexcept;

}  // namespace fovea

#pragma once
/// Rows of a matrix in scratch memory as a view.

#include <cstddef>

#include "core/view.hpp"

namespace fovea {

/// `stride` floats from row to row, or `width`.
template <class T>
MatrixView<T> dense_rows(T* data, std::size_t rows, std::size_t width, std::size_t stride = 0) noexcept {
  return {data, rows, width, static_cast<std::ptrdiff_t>(stride != 0 ? stride : width)};
}

}  // namespace fovea

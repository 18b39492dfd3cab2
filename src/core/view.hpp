#pragma once
/// Views of memory that somebody else owns: a pointer and strides, counted in elements. A stride of 0 broadcasts.

#include <cstddef>
#include <cstdint>

namespace fovea {

/// [B, H, T, width] floats; the width is contiguous. Points at the first element, as the strides may describe any layout.
template <class T>
struct HeadsView {
  T* data = nullptr;
  std::ptrdiff_t batch = 0;
  std::ptrdiff_t head = 0;
  std::ptrdiff_t token = 0;

  T* row(std::size_t b, std::size_t h, std::size_t t) const noexcept {
    return data + static_cast<std::ptrdiff_t>(b) * batch + static_cast<std::ptrdiff_t>(h) * head +
           static_cast<std::ptrdiff_t>(t) * token;
  }
};

/// [B, H, Tq, Tk] entries of a mask. A null pointer is no mask.
template <class T>
struct PairsView {
  const T* data = nullptr;
  std::ptrdiff_t batch = 0;
  std::ptrdiff_t head = 0;
  std::ptrdiff_t query = 0;
  std::ptrdiff_t key = 0;

  const T* row(std::size_t b, std::size_t h, std::size_t i) const noexcept {
    return data + static_cast<std::ptrdiff_t>(b) * batch + static_cast<std::ptrdiff_t>(h) * head +
           static_cast<std::ptrdiff_t>(i) * query;
  }
};

/// rows × columns floats, rows `stride` apart; with column_stride 1 a row is contiguous, with stride 1 it is a transpose.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::ptrdiff_t row_stride = 0;
  std::ptrdiff_t column_stride = 1;

  T* at(std::size_t r, std::size_t c) const noexcept {
    return data + static_cast<std::ptrdiff_t>(r) * row_stride + static_cast<std::ptrdiff_t>(c) * column_stride;
  }
};

}  // namespace fovea

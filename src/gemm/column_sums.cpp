#include "gemm/column_sums.hpp"

#include <algorithm>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;

constexpr std::size_t kChunk = 128;   // rows
constexpr std::size_t kColumns = 64;  // of one task
constexpr std::size_t kVectors = 4;   // whose sums are held in registers

/// The sums of 4 kCount columns.
template <std::size_t kCount>
void add_vectors(const float* x, std::ptrdiff_t stride, std::size_t rows, float* sums) noexcept {
  f32 chunk[kCount];
  for (std::size_t from = 0; from < rows; from += kChunk) {
    for (f32& sum : chunk) sum = simd::splat(0.0f);
    for (std::size_t t = from; t < std::min(rows, from + kChunk); ++t, x += stride) {
      for (std::size_t v = 0; v < kCount; ++v) chunk[v] = chunk[v] + simd::load(x + v * f32::size);
    }
    for (std::size_t v = 0; v < kCount; ++v) {
      float* const to = sums + v * f32::size;
      simd::store(to, simd::load(to) + chunk[v]);
    }
  }
}

void add_column(const float* x, std::ptrdiff_t stride, std::size_t rows, float* sum) noexcept {
  for (std::size_t from = 0; from < rows; from += kChunk) {
    float chunk = 0;
    for (std::size_t t = from; t < std::min(rows, from + kChunk); ++t, x += stride) chunk += *x;
    *sum += chunk;
  }
}

}  // namespace

void add_column_sums(const MatrixView<const float>& x, float* sums, ThreadPool* pool) noexcept {
  if (x.rows == 0) return;  // x may be null
  ThreadPool* const chosen = is_short_work(x.rows, x.columns) ? nullptr : pool;
  parallel_for(chosen, (x.columns + kColumns - 1) / kColumns, [&](std::size_t task, std::size_t) {
    std::size_t j = task * kColumns;
    const std::size_t end = std::min(x.columns, j + kColumns);
    for (; j + kVectors * f32::size <= end; j += kVectors * f32::size)
      add_vectors<kVectors>(x.at(0, j), x.row_stride, x.rows, sums + j);
    for (; j + f32::size <= end; j += f32::size) add_vectors<1>(x.at(0, j), x.row_stride, x.rows, sums + j);
    for (; j < end; ++j) add_column(x.at(0, j), x.row_stride, x.rows, sums + j);
  });
}

}  // namespace fovea

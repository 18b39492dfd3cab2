#include "gemm/transposed_product.hpp"

#include <algorithm>

#include "gemm/panels.hpp"
#include "gemm/task_grid.hpp"
#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;

constexpr std::size_t kRows = 264;  // of c, that share one packing of a column block: whole panels
constexpr std::size_t kColumns = 64;

struct Panels {
  float *a, *b;

  explicit Panels(Workspace& workspace) noexcept
      : a(workspace.take<float>(kRows, kTransposedDepth)), b(workspace.take<float>(kColumns, kTransposedDepth)) {}
};

ThreadWorkspaces take_scratch(std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [](Workspace& own) { Panels{own}; }};
}

/// panel[t][r] <- a[t][r], r < count <= kMr; the others are zeros. A row panel of aᵀ.
void pack_row_panel_of_transpose(const float* a, std::ptrdiff_t stride, std::size_t count, std::size_t depth,
                                 float* panel) noexcept {
  if (count == kMr) {
    for (std::size_t t = 0; t < depth; ++t, a += stride, panel += kMr) {
      // With six rows the two vectors overlap.
      simd::store(panel, simd::load(a));
      if constexpr (kMr > f32::size) simd::store(panel + kMr - f32::size, simd::load(a + kMr - f32::size));
    }
    return;
  }
  for (std::size_t t = 0; t < depth; ++t, a += stride, panel += kMr) {
    for (std::size_t r = 0; r < kMr; ++r) panel[r] = r < count ? a[r] : 0.0f;
  }
}

/// A block of c, at most kRows rows: all chunks of the sum in order.
void multiply_block(const MatrixView<const float>& a, const MatrixView<const float>& b, const MatrixView<float>& c,
                    const GridTask& task, bool replaces, Workspace workspace) noexcept {
  const auto [a_panels, b_panels] = Panels(workspace);
  for (std::size_t from = 0; from < a.rows; from += kTransposedDepth) {
    const std::size_t depth = std::min(kTransposedDepth, a.rows - from);
    for (std::size_t r = 0; r < task.rows; r += kMr) {
      pack_row_panel_of_transpose(a.at(from, task.row + r), a.row_stride, std::min(kMr, task.rows - r), depth,
                                  a_panels + r * depth);
    }
    const bool is_first = replaces && from == 0;
    for (std::size_t j = 0; j < task.columns; j += kColumns) {
      const std::size_t column = task.column + j, columns = std::min(kColumns, task.columns - j);
      pack_columns({b.at(from, column), b.row_stride}, depth, columns, 0, depth, b_panels);
      for (std::size_t r = 0; r < task.rows; r += kMr) {
        const std::size_t rows = std::min(kMr, task.rows - r);
        if (is_first && rows == kMr && columns % kNr == 0) {
          multiply_panels(a_panels + r * depth, b_panels, depth, columns / kNr, c.at(task.row + r, column),
                          static_cast<std::size_t>(c.row_stride));
          continue;
        }
        alignas(16) float tile[kMr][kColumns];
        multiply_panels(a_panels + r * depth, b_panels, depth, round_up(columns, kNr) / kNr, tile[0], kColumns);
        for (std::size_t i = 0; i < rows; ++i) {
          float* const to = c.at(task.row + r + i, column);
          if (is_first) {
            std::copy_n(tile[i], columns, to);
          } else {
            add_onto(to, columns, tile[i]);
          }
        }
      }
    }
  }
}

}  // namespace

std::uint64_t transposed_product_workspace_bytes(std::size_t threads) noexcept {
  return count_bytes([&](Workspace& workspace) { take_scratch(threads, workspace); });
}

Status transposed_product(const MatrixView<const float>& a, const MatrixView<const float>& b, const MatrixView<float>& c,
                          bool replaces, Workspace workspace, ThreadPool* pool) noexcept {
  if (a.rows != b.rows || c.rows != a.columns || c.columns != b.columns) return Status::Shape;
  if (a.column_stride != 1 || b.column_stride != 1 || c.column_stride != 1) return Status::Shape;
  const ThreadWorkspaces scratch = take_scratch(threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  for (std::size_t r = 0; r < c.rows && a.rows == 0 && replaces; ++r) std::fill_n(c.at(r, 0), c.columns, 0.0f);
  const TaskGrid grid({c.rows, c.columns, a.rows}, {kRows, kMr, /*splits_rows=*/true}, threads_of(pool));
  parallel_for(grid.tasks() == 1 ? nullptr : pool, grid.tasks(), [&](std::size_t index, std::size_t thread) {
    multiply_block(a, b, c, grid.task(index), replaces, scratch.of(thread));
  });
  return Status::Ok;
}

}  // namespace fovea

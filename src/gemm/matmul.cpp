#include "gemm/matmul.hpp"

#include <algorithm>
#include <bit>

#include "gemm/few_rows.hpp"
#include "gemm/panels.hpp"
#include "gemm/prefetch.hpp"

namespace fovea {
namespace {

constexpr std::size_t kDepth = 384;  // of a chunk of the sum: a column block is then 96 kB
constexpr std::size_t kRows = 132;   // that share one packing of a column block: whole panels
constexpr std::size_t kColumns = 64;

/// Column panels of a chunk of the sum, `stride` floats from one to the next.
struct ColumnPanels {
  const float* data;
  std::size_t stride;
};

/// Rows [row, row + rows) × columns [column, column + columns) of c, over one chunk of the sum.
struct Block {
  std::size_t row, rows, column, columns, depth;
  bool first_chunk;
};

template <auto multiply>
void for_panels(const Block& block, const float* a_panel, const ColumnPanels& b, float* to, std::size_t stride) noexcept {
  const std::size_t panels = (block.columns + kNr - 1) / kNr, together = b.stride == block.depth * kNr ? panels : 1;
  for (std::size_t p = 0; p < panels; p += together) {
    multiply(a_panel, b.data + p * b.stride, block.depth, together, to + p * kNr, stride);
  }
}

void multiply_strip(const Block& block, const float* a_panel, const ColumnPanels& b, std::size_t row, std::size_t rows,
                    const MatrixView<float>& c) noexcept {
  if (rows == kMr && block.columns % kNr == 0) {
    float* const to = c.at(row, block.column);
    const auto stride = static_cast<std::size_t>(c.row_stride);
    return block.first_chunk ? for_panels<multiply_panels>(block, a_panel, b, to, stride)
                             : for_panels<accumulate_panels>(block, a_panel, b, to, stride);
  }
  // A ragged edge goes through a whole tile of its own.
  alignas(16) float tile[kMr][kColumns] = {};
  for (std::size_t r = 0; r < rows && !block.first_chunk; ++r) std::copy_n(c.at(row + r, block.column), block.columns, tile[r]);
  if (rows <= kFewRows) {
    for_panels<accumulate_few_rows>(block, a_panel, b, tile[0], kColumns);
  } else {
    for_panels<accumulate_panels>(block, a_panel, b, tile[0], kColumns);
  }
  for (std::size_t r = 0; r < rows; ++r) std::copy_n(tile[r], block.columns, c.at(row + r, block.column));
}

void pack_b(const MatrixView<const float>& b, std::size_t from, const Block& block, float* panels) noexcept {
  const float* const corner = b.at(from, block.column);
  if (b.column_stride == 1) {
    pack_columns({corner, b.row_stride}, block.depth, block.columns, 0, block.depth, panels);
  } else {
    // All of its lines at once: packing walks four rows at a time, and would wait for each. Kept where it is overwritten.
    panels[0] = std::bit_cast<float>(prefetch(corner, b.column_stride, block.columns, block.depth));
    pack_columns_of_transpose({corner, b.column_stride}, block.columns, block.depth, panels);
  }
}

struct Panels {
  float *a, *b;

  explicit Panels(Workspace& workspace) noexcept
      : a(workspace.take<float>(kRows, kDepth)), b(workspace.take<float>(kColumns, kDepth)) {}
};

/// A part of c, at most kRows rows: all chunks of the sum in order. Its columns begin at a multiple of 8.
void multiply_block(const MatrixView<const float>& a, const RightFactor& right, const MatrixView<float>& c,
                    const GridTask& task, Workspace workspace) noexcept {
  const auto [a_panels, b_panels] = Panels(workspace);
  for (std::size_t from = 0; from < a.columns; from += kDepth) {
    const std::size_t depth = std::min(kDepth, a.columns - from);
    for (std::size_t r = 0; r < task.rows; r += kMr) {
      const SourceRows rows = {a.at(task.row + r, from), a.row_stride};
      pack_row_panel(rows, std::min(kMr, task.rows - r), depth, 1.0f, a_panels + r * depth);
    }
    for (std::size_t j = 0; j < task.columns; j += kColumns) {
      const std::size_t column = task.column + j;
      const Block block = {task.row, task.rows, column, std::min(kColumns, task.columns - j), depth, from == 0};
      ColumnPanels panels = {right.view.data + column * a.columns + from * kNr, a.columns * kNr};
      if (right.format == WeightFormat::Strided) {
        pack_b(right.view, from, block, b_panels);
        panels = {b_panels, depth * kNr};
      }
      for (std::size_t r = 0; r < task.rows; r += kMr) {
        multiply_strip(block, a_panels + r * depth, panels, task.row + r, std::min(kMr, task.rows - r), c);
      }
    }
  }
  for (std::size_t r = 0; r < task.rows && a.columns == 0; ++r)
    std::fill_n(c.at(task.row + r, task.column), task.columns, 0.0f);
}

void multiply_rows(const MatrixView<const float>& a, const RightFactor& right, const MatrixView<float>& c,
                   const GridTask& task) noexcept {
  float* const to = c.at(0, task.column);
  if (right.format == WeightFormat::Panels) {
    return multiply_few_rows_by_panels(a, right.view.data + task.column * a.columns, task.columns, to, c.row_stride);
  }
  const MatrixView<const float>& b = right.view;
  multiply_few_rows(a, {b.at(0, task.column), b.rows, task.columns, b.row_stride, b.column_stride}, to, c.row_stride);
}

ThreadWorkspaces take_scratch(std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [](Workspace& own) { Panels{own}; }};
}

}  // namespace

void finish_rows(const MatrixView<float>& c, const GridTask& task, const float* bias, const RowEpilogue& epilogue) noexcept {
  for (std::size_t r = task.row; r < task.row + task.rows; ++r) {
    float* const out = c.at(r, task.column);
    for (std::size_t j = 0; j < task.columns && bias != nullptr; ++j) out[j] += bias[task.column + j];
    if (epilogue.apply != nullptr) epilogue.apply(epilogue.context, out, task.columns);
  }
}

std::uint64_t matmul_workspace_bytes(std::size_t threads) noexcept {
  return count_bytes([&](Workspace& workspace) { take_scratch(threads, workspace); });
}

Status matmul(MatrixView<const float> a, const RightFactor& right, const float* bias, MatrixView<float> c, Workspace workspace,
              ThreadPool* pool, RowEpilogue epilogue) noexcept {
  const MatrixView<const float>& b = right.view;
  if (a.columns != b.rows || c.rows != a.rows || c.columns != b.columns) return Status::Shape;
  const bool is_packed = right.format == WeightFormat::Panels;
  if (!is_packed && right.format != WeightFormat::Strided) return Status::Value;
  if (a.column_stride != 1 || c.column_stride != 1) return Status::Shape;
  if (!is_packed && b.column_stride != 1 && b.row_stride != 1) return Status::Shape;
  const ThreadWorkspaces scratch = take_scratch(threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const bool few = c.rows <= (is_packed ? kMostFewPackedRows : most_few_rows(b));
  const TaskGrid grid({c.rows, c.columns, a.columns}, {kRows, kMr, is_packed && !few}, threads_of(pool));
  parallel_for(grid.tasks() == 1 ? nullptr : pool, grid.tasks(), [&](std::size_t index, std::size_t thread) {
    const GridTask task = grid.task(index);
    few ? multiply_rows(a, right, c, task) : multiply_block(a, right, c, task, scratch.of(thread));
    finish_rows(c, task, bias, epilogue);
  });
  return Status::Ok;
}

}  // namespace fovea

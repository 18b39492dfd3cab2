#include "gemm/matmul.hpp"

#include <algorithm>
#include <bit>

#include "gemm/panels.hpp"
#include "gemm/prefetch.hpp"

namespace fovea {
namespace {

constexpr std::size_t kDepth = 384;  // of a chunk of the sum: a column block is then 96 kB
constexpr std::size_t kRows = 132;   // that share one packing of a column block: whole panels
constexpr std::size_t kColumns = 64;

/// Rows [row, row + rows) × columns [column, column + columns) of c, over one chunk of the sum.
struct Block {
  std::size_t row, rows, column, columns, depth;
  bool first_chunk;
};

void multiply_strip(const Block& block, const float* a_panel, const float* b_panels, std::size_t row, std::size_t rows,
                    const MatrixView<float>& c) noexcept {
  const std::size_t panels = (block.columns + kNr - 1) / kNr;
  if (rows == kMr && block.columns % kNr == 0) {
    float* const to = c.at(row, block.column);
    const auto stride = static_cast<std::size_t>(c.row_stride);
    block.first_chunk ? multiply_panels(a_panel, b_panels, block.depth, panels, to, stride)
                      : accumulate_panels(a_panel, b_panels, block.depth, panels, to, stride);
    return;
  }
  // A ragged edge goes through a whole tile of its own.
  alignas(16) float tile[kMr][kColumns] = {};
  for (std::size_t r = 0; r < rows && !block.first_chunk; ++r) std::copy_n(c.at(row + r, block.column), block.columns, tile[r]);
  const auto accumulate = rows <= kFewRows ? accumulate_few_rows : accumulate_panels;
  accumulate(a_panel, b_panels, block.depth, panels, tile[0], kColumns);
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

/// Rows [row, row + rows) of c, all chunks of the sum in order.
void multiply_rows_of(const MatrixView<const float>& a, const MatrixView<const float>& b, const float* bias,
                      const MatrixView<float>& c, std::size_t row, Workspace workspace, RowEpilogue epilogue) noexcept {
  const auto [a_panels, b_panels] = Panels(workspace);
  const std::size_t rows = std::min(kRows, c.rows - row);
  for (std::size_t from = 0; from < a.columns; from += kDepth) {
    const std::size_t depth = std::min(kDepth, a.columns - from);
    for (std::size_t r = 0; r < rows; r += kMr) {
      pack_row_panel({a.at(row + r, from), a.row_stride}, std::min(kMr, rows - r), depth, 1.0f, a_panels + r * depth);
    }
    for (std::size_t column = 0; column < c.columns; column += kColumns) {
      const Block block = {row, rows, column, std::min(kColumns, c.columns - column), depth, from == 0};
      pack_b(b, from, block, b_panels);
      for (std::size_t r = 0; r < rows; r += kMr) {
        multiply_strip(block, a_panels + r * depth, b_panels, row + r, std::min(kMr, rows - r), c);
      }
    }
  }
  for (std::size_t r = row; r < row + rows; ++r) {
    float* const out = c.at(r, 0);
    if (a.columns == 0) std::fill_n(out, c.columns, 0.0f);
    for (std::size_t j = 0; j < c.columns && bias != nullptr; ++j) out[j] += bias[j];
    if (epilogue.apply != nullptr) epilogue.apply(epilogue.context, out, c.columns);
  }
}

ThreadWorkspaces take_scratch(std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [](Workspace& own) { Panels{own}; }};
}

}  // namespace

std::uint64_t matmul_workspace_bytes(std::size_t threads) noexcept {
  return count_bytes([&](Workspace& workspace) { take_scratch(threads, workspace); });
}

Status matmul(MatrixView<const float> a, MatrixView<const float> b, const float* bias, MatrixView<float> c, Workspace workspace,
              ThreadPool* pool, RowEpilogue epilogue) noexcept {
  if (a.columns != b.rows || c.rows != a.rows || c.columns != b.columns) return Status::Shape;
  if (a.column_stride != 1 || (b.column_stride != 1 && b.row_stride != 1) || c.column_stride != 1) return Status::Shape;
  const ThreadWorkspaces scratch = take_scratch(threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const bool is_short = is_short_work(c.rows, c.columns, a.columns);
  parallel_for(is_short ? nullptr : pool, (c.rows + kRows - 1) / kRows, [&](std::size_t index, std::size_t thread) {
    multiply_rows_of(a, b, bias, c, index * kRows, scratch.of(thread), epilogue);
  });
  return Status::Ok;
}

}  // namespace fovea

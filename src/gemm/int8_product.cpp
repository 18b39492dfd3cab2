#include "gemm/int8_product.hpp"

#include <algorithm>

#include "gemm/int8_few_rows.hpp"
#include "gemm/int8_many_rows.hpp"
#include "gemm/int8_task.hpp"

namespace fovea {
namespace {

constexpr std::size_t kMostRows = 132;       // of one task
constexpr std::size_t kTaskBytes = 1 << 19;  // of its activations, which stay in L2; more only where 12 rows need it
constexpr std::size_t kLeastRows = 12;

std::size_t most_rows(std::size_t depth) noexcept {
  return std::clamp(kTaskBytes / (8 * quads(depth) + 1) / kLeastRows * kLeastRows, kLeastRows, kMostRows);
}

/// Rows for which a task of a product of `rows` rows has memory: those of whole strips.
std::size_t reserved_rows(std::size_t rows, std::size_t depth) noexcept {
  return round_up(std::min(rows, most_rows(depth)), kLeastRows);
}

ThreadWorkspaces take_scratch(std::size_t rows, std::size_t depth, std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [=](Workspace& own) { Activations(reserved_rows(rows, depth), depth, own); }};
}

}  // namespace

std::uint64_t int8_product_workspace_bytes(std::size_t rows, std::size_t depth, std::size_t threads) noexcept {
  return count_bytes([=](Workspace& workspace) { take_scratch(rows, depth, threads, workspace); });
}

Status int8_product(MatrixView<const float> a, const Int8Weights& weights, Int8Inputs inputs, const float* bias,
                    MatrixView<float> c, Workspace workspace, ThreadPool* pool, RowEpilogue epilogue) noexcept {
  const std::size_t depth = a.columns;
  if (c.rows != a.rows || depth > kMostInt8Depth || a.column_stride != 1 || c.column_stride != 1) return Status::Shape;
  const std::size_t threads = threads_of(pool);
  const ThreadWorkspaces scratch = take_scratch(c.rows, depth, threads, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const Int8Operands operands = {weights, a, c, inputs};
  const auto multiply = c.rows <= kInt8FewRows ? multiply_few_rows : multiply_many_rows;
  const bool few = c.rows <= kLeastRows;
  const TaskGrid grid({c.rows, c.columns, depth}, {most_rows(depth), kLeastRows, !few}, threads);
  parallel_for(grid.tasks() == 1 ? nullptr : pool, grid.tasks(), [&](std::size_t index, std::size_t thread) {
    const GridTask task = grid.task(index);
    Workspace own = scratch.of(thread);
    multiply(operands, task, Activations(reserved_rows(c.rows, depth), depth, own));
    finish_rows(c, task, bias, epilogue);
  });
  return Status::Ok;
}

}  // namespace fovea

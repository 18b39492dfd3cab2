#include "gemm/int8_product.hpp"

#include <algorithm>

#include "gemm/int8_few_rows.hpp"
#include "gemm/int8_task.hpp"

namespace fovea {
namespace {

using simd::i32;

// Rows of a register tile, whose others have 1 and 2: 4 rows × 8 columns give 186 Gop/s in V8, 6 rows 90 (2026-11): the
// instruction wants registers of its own, and sums would go through the stack.
constexpr std::size_t kStrip = 4;
constexpr std::size_t kMostRows = 132;       // of one task
constexpr std::size_t kTaskBytes = 1 << 19;  // of its activations, which stay in L2; more only where 12 rows need it
constexpr std::size_t kLeastRows = 12;
constexpr RowLevels kSevenBits = {63.0f, 0x1p-119f};

std::size_t most_rows(std::size_t depth) noexcept {
  return std::clamp(kTaskBytes / (8 * quads(depth) + 1) / kLeastRows * kLeastRows, kLeastRows, kMostRows);
}

/// Rows for which a task of a product of `rows` rows has memory: those of whole strips.
std::size_t reserved_rows(std::size_t rows, std::size_t depth) noexcept {
  return round_up(std::min(rows, most_rows(depth)), kLeastRows);
}

/// Rows of the tile that multiplies `rows` rows.
constexpr std::size_t tile_rows(std::size_t rows) noexcept { return rows <= 2 ? rows : kStrip; }

/// Columns that stay in L1 while the strips of a task pass by.
constexpr std::size_t kColumns = 32;

/// A strip of activations times kPanels panels, `distance` bytes apart: out[p][r][0 .. 8).
template <class Dot, std::size_t kRows, std::size_t kPanels>
void multiply_tile(const std::uint32_t* x, const std::int8_t* panel, std::size_t distance, std::size_t depth,
                   std::int32_t* out) noexcept {
  i32 sums[kRows][2 * kPanels];
  for (auto& row : sums) {
    for (i32& sum : row) sum = i32(0);
  }
  for (std::size_t q = 0; q < quads(depth); ++q, x += kRows * Dot::kWords, panel += 32) {
    for (std::size_t p = 0; p < kPanels; ++p) {
      for (std::size_t v = 0; v < 2; ++v) {
        const typename Dot::Weights w = Dot::load(panel + p * distance + 16 * v);
        for (std::size_t r = 0; r < kRows; ++r) sums[r][2 * p + v] = Dot::add(w, x + r * Dot::kWords, sums[r][2 * p + v]);
      }
    }
  }
  for (std::size_t p = 0; p < kPanels; ++p) {
    for (std::size_t r = 0; r < kRows; ++r, out += kNr) {
      for (std::size_t v = 0; v < 2; ++v) sums[r][2 * p + v].store_unaligned(out + 4 * v);
    }
  }
}

/// One strip of at most kRows rows of a task times its columns.
template <class Dot, std::size_t kRows, std::size_t kPanels>
void multiply_strip(const Int8Operands& operands, const GridTask& task, const Activations& activations, std::size_t first,
                    std::size_t rows) noexcept {
  const std::size_t depth = operands.a.columns;
  const std::uint32_t* const x = activations.words + first * quads(depth) * Dot::kWords;
  walk_panels<kPanels>(operands, task, [&](auto panels, const std::int8_t* panel, std::size_t distance, std::size_t from) {
    alignas(16) std::int32_t sums[panels * kRows * kNr];
    multiply_tile<Dot, kRows, panels>(x, panel, distance * int8_panel_bytes(depth), depth, sums);
    for (std::size_t p = 0; p < panels; ++p) {
      const std::size_t column = (from + p * distance) * kNr, columns = std::min(kNr, task.columns - column);
      const std::int32_t* const offsets = operands.weights.offsets + task.column + column;
      write_panel(operands, activations.scales + first, task.row + first, rows, task.column + column, columns,
                  [&](std::size_t r, std::size_t v) {
                    const i32 sum = i32::load_unaligned(sums + (p * kRows + r) * kNr + v);
                    return simd::to_float(sum - i32::load_unaligned(offsets + v));
                  });
    }
  });
}

template <class Dot>
void multiply_task(const Int8Operands& operands, const GridTask& task, const Activations& activations) noexcept {
  const std::size_t depth = operands.a.columns;
  for (std::size_t first = 0; first < task.rows; first += kStrip) {
    const std::size_t rows = std::min(kStrip, task.rows - first), stride = tile_rows(rows);
    for (std::size_t r = 0; r < stride; ++r) {
      std::uint32_t* const words = activations.words + (first * quads(depth) + r) * Dot::kWords;
      const float* const x = operands.a.at(task.row + first + std::min(r, rows - 1), 0);
      activations.scales[first + r] = scale_row(x, depth, kSevenBits, [&](std::size_t q, simd::f32 four) {
        Dot::store(simd::round_to_bytes(four), words + q * stride * Dot::kWords);
      });
    }
  }
  // Columns outermost: a few panels stay in L1 while all rows pass by. Panels of a single strip are read once.
  const std::size_t block = task.rows <= kStrip ? task.columns : kColumns;
  for (std::size_t j = 0; j < task.columns; j += block) {
    const GridTask part = {task.row, task.rows, task.column + j, std::min(block, task.columns - j)};
    for (std::size_t first = 0; first < task.rows; first += kStrip) {
      const std::size_t rows = std::min(kStrip, task.rows - first);
      switch (tile_rows(rows)) {
        case 1: multiply_strip<Dot, 1, 4>(operands, part, activations, first, rows); break;
        case 2: multiply_strip<Dot, 2, 2>(operands, part, activations, first, rows); break;
        default: multiply_strip<Dot, kStrip, 1>(operands, part, activations, first, rows);
      }
    }
  }
}

ThreadWorkspaces take_scratch(std::size_t rows, std::size_t depth, std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [=](Workspace& own) { Activations(reserved_rows(rows, depth), depth, own); }};
}

}  // namespace

std::uint64_t int8_product_workspace_bytes(std::size_t rows, std::size_t depth, std::size_t threads) noexcept {
  return count_bytes([=](Workspace& workspace) { take_scratch(rows, depth, threads, workspace); });
}

Status int8_product(MatrixView<const float> a, const Int8Weights& weights, const float* bias, MatrixView<float> c,
                    Workspace workspace, ThreadPool* pool, RowEpilogue epilogue) noexcept {
  const std::size_t depth = a.columns;
  if (c.rows != a.rows || depth > kMostInt8Depth || a.column_stride != 1 || c.column_stride != 1) return Status::Shape;
  const std::size_t threads = threads_of(pool);
  const ThreadWorkspaces scratch = take_scratch(c.rows, depth, threads, workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const Int8Operands operands = {weights, a, c};
#ifdef __wasm_relaxed_simd__
  const auto multiply_many = simd::Dot8::is_exact() ? multiply_task<simd::Dot8> : multiply_task<simd::Dot16>;
#else
  const auto multiply_many = multiply_task<simd::Dot16>;
#endif
  const auto multiply = c.rows <= kInt8FewRows ? multiply_few_rows : multiply_many;
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

#include "gemm/int8_product.hpp"

#include <algorithm>
#include <limits>

#include "gemm/panels.hpp"
#include "simd/dot8.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::i32;

// Rows of a register tile, whose others have 1 and 2: 4 rows × 8 columns give 186 Gop/s in V8, 6 rows 90 (2026-11): the
// instruction wants registers of its own, and sums would go through the stack.
constexpr std::size_t kStrip = 4;
constexpr std::size_t kMostRows = 132;       // of one task
constexpr std::size_t kTaskBytes = 1 << 19;  // of its activations, which stay in L2; more only where 12 rows need it
constexpr std::size_t kLeastRows = 12;
constexpr float kLeast = 0x1p-119f;  // of a maximum whose quotient by 63 is still a normal number
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::size_t quads(std::size_t depth) noexcept { return (depth + 3) / 4; }

std::size_t most_rows(std::size_t depth) noexcept {
  return std::clamp(kTaskBytes / (8 * quads(depth) + 1) / kLeastRows * kLeastRows, kLeastRows, kMostRows);
}

/// Activations of a task: strips of kStrip rows and a shorter last one, [depth / 4][rows][Dot::kWords].
struct Activations {
  std::uint32_t* words;
  float* scales;

  Activations(std::size_t rows, std::size_t depth, Workspace& workspace) noexcept
      : words(workspace.take<std::uint32_t>(round_up(std::min(rows, most_rows(depth)), kLeastRows), quads(depth),
                                            std::size_t{2})),
        scales(workspace.take<float>(round_up(std::min(rows, most_rows(depth)), kLeastRows))) {}
};

/// Rows of the tile that multiplies `rows` rows.
constexpr std::size_t tile_rows(std::size_t rows) noexcept { return rows <= 2 ? rows : kStrip; }

/// words <- round(63 x / max |x|) + 64, a byte each, for one row of a strip of `stride` rows; returns the scale max |x| / 63.
template <class Dot>
float quantize_row(const float* x, std::size_t depth, std::size_t stride, std::uint32_t* words) noexcept {
  const std::size_t whole = depth / 4 * 4;
  alignas(16) float last[4] = {};
  std::copy_n(x + whole, depth - whole, last);
  i32 most = simd::abs_bits(simd::load(last));
  for (std::size_t k = 0; k < whole; k += 4) most = simd::max(most, simd::abs_bits(simd::load(x + k)));
  const float top = simd::as_largest_float(most);
  const bool is_zero = top < kLeast, is_finite = top < kInfinity;
  const f32 factor = simd::splat(is_zero || !is_finite ? 0.0f : 63.0f / top);
  for (std::size_t q = 0; q < quads(depth); ++q, words += stride * Dot::kWords) {
    const f32 four = q * 4 < whole ? simd::load(x + q * 4) : simd::load(last);
    Dot::store(is_finite ? simd::round_to_bytes(four * factor) : 0, words);
  }
  return is_finite ? (is_zero ? 0.0f : top / 63.0f) : std::numeric_limits<float>::quiet_NaN();
}

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

/// A product, and its panels from a task's first column on.
struct Product {
  const Int8Weights& weights;
  const MatrixView<const float>& a;
  const MatrixView<float>& c;
};

/// c[r][j] <- (sum[r][j] - offset[j]) scale[r] scale[j] for one panel: each operation rounded, so that both kinds of product give
/// these bits. The lesser scale comes first: the product of both may leave float32's range where the result does not. Scales are
/// 0 or normal, so that an integer times one is 0 or normal, too.
void write_panel(const Product& product, const std::int32_t* sums, const float* row_scales, std::size_t row, std::size_t rows,
                 std::size_t column, std::size_t columns) noexcept {
  const float* const scales = product.weights.scales + column;
  const std::int32_t* const offsets = product.weights.offsets + column;
  for (std::size_t r = 0; r < rows; ++r, sums += kNr) {
    alignas(16) float last[kNr];
    float* const to = product.c.at(row + r, column);
    float* const out = columns == kNr ? to : last;
    for (std::size_t v = 0; v < kNr; v += f32::size) {
      const i32 sum = i32::load_unaligned(sums + v) - i32::load_unaligned(offsets + v);
      // Neither is lost where the other is NaN.
      const f32 own = simd::splat(row_scales[r]), other = simd::load(scales + v);
      const auto is_greater = own > other;
      const f32 lesser = simd::select(is_greater, other, own), greater = simd::select(is_greater, own, other);
      simd::store(out + v, simd::to_float(sum) * lesser * greater);
    }
    if (columns < kNr) std::copy_n(last, columns, to);
  }
}

/// One strip of at most kRows rows of a task times its columns. kPanels panels at once, each from a part of its own of the columns:
/// far apart, and each read from front to back, they come from memory at twice the speed of adjacent ones.
template <class Dot, std::size_t kRows, std::size_t kPanels>
void multiply_strip(const Product& product, const GridTask& task, const Activations& activations, std::size_t first,
                    std::size_t rows) noexcept {
  const std::size_t depth = product.a.columns, bytes = int8_panel_bytes(depth);
  const std::uint32_t* const x = activations.words + first * quads(depth) * Dot::kWords;
  const std::int8_t* const panels = product.weights.panels + task.column / kNr * bytes;
  alignas(16) std::int32_t sums[kPanels * kRows * kNr];
  const auto write = [&](std::size_t panel, const std::int32_t* of_panel) noexcept {
    const std::size_t column = panel * kNr;
    write_panel(product, of_panel, activations.scales + first, task.row + first, rows, task.column + column,
                std::min(kNr, task.columns - column));
  };
  const std::size_t count = round_up(task.columns, kNr) / kNr, part = count / kPanels;
  for (std::size_t j = 0; j < part; ++j) {
    multiply_tile<Dot, kRows, kPanels>(x, panels + j * bytes, part * bytes, depth, sums);
    for (std::size_t p = 0; p < kPanels; ++p) write(p * part + j, sums + p * kRows * kNr);
  }
  for (std::size_t j = kPanels * part; j < count; ++j) {
    multiply_tile<Dot, kRows, 1>(x, panels + j * bytes, 0, depth, sums);
    write(j, sums);
  }
}

template <class Dot>
void multiply_task(const Product& product, const GridTask& task, const Activations& activations) noexcept {
  const std::size_t depth = product.a.columns;
  for (std::size_t first = 0; first < task.rows; first += kStrip) {
    const std::size_t rows = std::min(kStrip, task.rows - first), stride = tile_rows(rows);
    for (std::size_t r = 0; r < stride; ++r) {
      std::uint32_t* const words = activations.words + (first * quads(depth) + r) * Dot::kWords;
      const float* const x = product.a.at(task.row + first + std::min(r, rows - 1), 0);
      activations.scales[first + r] = quantize_row<Dot>(x, depth, stride, words);
    }
  }
  // Columns outermost: a few panels stay in L1 while all rows pass by. Panels of a single strip are read once.
  const std::size_t block = task.rows <= kStrip ? task.columns : kColumns;
  for (std::size_t j = 0; j < task.columns; j += block) {
    const GridTask part = {task.row, task.rows, task.column + j, std::min(block, task.columns - j)};
    for (std::size_t first = 0; first < task.rows; first += kStrip) {
      const std::size_t rows = std::min(kStrip, task.rows - first);
      switch (tile_rows(rows)) {
        case 1: multiply_strip<Dot, 1, 4>(product, part, activations, first, rows); break;
        case 2: multiply_strip<Dot, 2, 2>(product, part, activations, first, rows); break;
        default: multiply_strip<Dot, kStrip, 1>(product, part, activations, first, rows);
      }
    }
  }
}

ThreadWorkspaces take_scratch(std::size_t rows, std::size_t depth, std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [=](Workspace& own) { Activations(rows, depth, own); }};
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
  const Product product = {weights, a, c};
#ifdef __wasm_relaxed_simd__
  const auto multiply = simd::Dot8::is_exact() ? multiply_task<simd::Dot8> : multiply_task<simd::Dot16>;
#else
  const auto multiply = multiply_task<simd::Dot16>;
#endif
  const bool few = c.rows <= kLeastRows;
  const TaskGrid grid({c.rows, c.columns, depth}, {most_rows(depth), kLeastRows, !few}, threads);
  parallel_for(grid.tasks() == 1 ? nullptr : pool, grid.tasks(), [&](std::size_t index, std::size_t thread) {
    const GridTask task = grid.task(index);
    Workspace own = scratch.of(thread);
    multiply(product, task, Activations(c.rows, depth, own));
    finish_rows(c, task, bias, epilogue);
  });
  return Status::Ok;
}

}  // namespace fovea

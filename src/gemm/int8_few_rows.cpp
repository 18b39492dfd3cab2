#include "gemm/int8_few_rows.hpp"

namespace fovea {
namespace {

using simd::Dot15;
using simd::i32;

/// Groups of four whose sums, two products each, stay within 31 bits: 512 · 2 · 127 · 16383 < 2^31.
constexpr std::size_t kSegment = 512;

/// out[p][r][0 .. 2 kVectors) += rows times these outputs of kPanels panels, `distance` bytes apart: exact integers below 2^53.
template <std::size_t kRows, std::size_t kPanels, std::size_t kVectors>
void add_products(const std::uint32_t* x, const std::int8_t* panel, std::size_t distance, std::size_t count,
                  double* out) noexcept {
  for (std::size_t left = count; left > 0;) {
    const std::size_t segment = std::min(left, kSegment);
    i32 sums[kRows][kPanels * kVectors];
    for (auto& row : sums) {
      for (i32& sum : row) sum = i32(0);
    }
    for (std::size_t q = 0; q < segment; ++q, x += kRows * Dot15::kWords, panel += 32) {
      for (std::size_t p = 0; p < kPanels; ++p) {
        for (std::size_t v = 0; v < kVectors; ++v) {
          const Dot15::Weights w = Dot15::load(panel + p * distance + 8 * v);
          for (std::size_t r = 0; r < kRows; ++r) {
            i32& sum = sums[r][p * kVectors + v];
            sum = Dot15::add(w, x + r * Dot15::kWords, sum);
          }
        }
      }
    }
    for (std::size_t p = 0; p < kPanels; ++p) {
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kVectors; ++v)
          Dot15::widen(sums[r][p * kVectors + v], out + (p * kRows + r) * kNr + v * Dot15::kOutputs);
      }
    }
    left -= segment;
  }
}

template <std::size_t kRows, std::size_t kPanels>
void multiply_rows(const Int8Operands& operands, const GridTask& task, const Activations& activations) noexcept {
  const std::size_t depth = operands.a.columns;
  walk_panels<kPanels>(operands, task, [&](auto panels, const std::int8_t* panel, std::size_t distance, std::size_t first) {
    alignas(16) double sums[panels * kRows * kNr] = {};
    // Sums of more than two rows of a panel would go through the stack.
    constexpr std::size_t kVectors = kNr / Dot15::kOutputs / (kRows > 2 ? 2 : 1);
    for (std::size_t v = 0; v < kNr / Dot15::kOutputs; v += kVectors) {
      add_products<kRows, panels, kVectors>(activations.words, panel + 8 * v, distance * int8_panel_bytes(depth), quads(depth),
                                            sums + v * Dot15::kOutputs);
    }
    for (std::size_t p = 0; p < panels; ++p) {
      const std::size_t column = (first + p * distance) * kNr, columns = std::min(kNr, task.columns - column);
      write_panel(operands, activations.scales, task.row, kRows, task.column + column, columns,
                  [&](std::size_t r, std::size_t v) { return simd::to_float(sums + (p * kRows + r) * kNr + v); });
    }
  });
}

}  // namespace

void multiply_few_rows(const Int8Operands& operands, const GridTask& task, const Activations& activations) noexcept {
  const RowLevels levels = operands.inputs == Int8Inputs::Precise ? kFourteenBits : kFifteenBits;
  for (std::size_t r = 0; r < task.rows; ++r) {
    std::uint32_t* const words = activations.words + r * Dot15::kWords;
    activations.scales[r] =
        scale_row(operands.a.at(task.row + r, 0), operands.a.columns, levels,
                  [&](std::size_t q, simd::f32 x) { Dot15::store(x, words + q * task.rows * Dot15::kWords); });
  }
  // Two panels of several rows would go through the stack, too.
  switch (task.rows) {
    case 1: return multiply_rows<1, 2>(operands, task, activations);
    case 2: return multiply_rows<2, 1>(operands, task, activations);
    case 3: return multiply_rows<3, 1>(operands, task, activations);
    default: return multiply_rows<kInt8FewRows, 1>(operands, task, activations);
  }
}

}  // namespace fovea

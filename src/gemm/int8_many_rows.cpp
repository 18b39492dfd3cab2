#include "gemm/int8_many_rows.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::i32;

// Rows of a register tile, whose others have 1 and 2: 4 rows × 8 columns give 186 Gop/s in V8, 6 rows 90 (2026-11): the
// instruction wants registers of its own, and sums would go through the stack.
constexpr std::size_t kTileRows = 4;

/// Columns that stay in L1 while the strips of a task pass by.
constexpr std::size_t kColumns = 32;

/// A form of the rounded activations: each row is kTerms rows of a tile, and add() makes the terms' sums of four outputs theirs. A sum
/// of kSegment groups of four stays within 31 bits.
/// 7 bits: u + 64, and the sum is without its offset.
template <class D>
struct SevenBits {
  using Dot = D;
  using Sum = std::int32_t;
  static constexpr RowLevels kLevels = kSevenBits;
  static constexpr bool kHasSmallTiles = true;
  static constexpr std::size_t kTerms = 1, kSegment = quads(kMostInt8Depth);

  static void store(f32 four, std::uint32_t* x) noexcept {
    Dot::store(simd::to_bytes(simd::round_to_integers(four) + i32(64)), x);
  }
  static void add(const std::int32_t* terms, const std::int32_t* offsets, Sum* sums) noexcept {
    (i32::load_unaligned(terms) - i32::load_unaligned(offsets)).store_unaligned(sums);
  }
  static f32 to_float(const Sum* sums) noexcept { return simd::to_float(i32::load_unaligned(sums)); }
};

/// 14 bits: u + 8192 = 128 high + low, whose sum is 128 (Σ high q - 64 Σ q) + Σ low q.
template <class D>
struct FourteenBits {
  using Dot = D;
  using Sum = double;
  static constexpr RowLevels kLevels = kFourteenBits;
  static constexpr bool kHasSmallTiles = false;
  static constexpr std::size_t kTerms = 2, kSegment = quads(kMostInt8Depth);

  static void store(f32 four, std::uint32_t* x) noexcept {
    const i32 u = simd::round_to_integers(four) + i32(8192);
    Dot::store(simd::to_bytes(u >> 7), x);
    Dot::store(simd::to_bytes(u & i32(127)), x + Dot::kWords);
  }
  static void add(const std::int32_t* terms, const std::int32_t* offsets, Sum* sums) noexcept {
    for (std::size_t v = 0; v < f32::size; ++v) {
      sums[v] = 128.0 * static_cast<double>(terms[v] - offsets[v]) + static_cast<double>(terms[kNr + v]);
    }
  }
  static f32 to_float(const Sum* sums) noexcept { return simd::to_float(sums); }
};

/// Numbers of 16 bits hold 14 as they are: 512 · 4 · 127 · 8191 < 2^31.
template <>
struct FourteenBits<simd::Dot16> {
  using Dot = simd::Dot16;
  using Sum = double;
  static constexpr RowLevels kLevels = kFourteenBits;
  static constexpr bool kHasSmallTiles = false;
  static constexpr std::size_t kTerms = 1, kSegment = 512;

  static void store(f32 four, std::uint32_t* x) noexcept { Dot::store_signed(simd::round_to_integers(four), x); }
  static void add(const std::int32_t* terms, const std::int32_t*, Sum* sums) noexcept {
    for (std::size_t v = 0; v < f32::size; ++v) sums[v] += static_cast<double>(terms[v]);
  }
  static f32 to_float(const Sum* sums) noexcept { return simd::to_float(sums); }
};

/// A strip of kRows terms times `count` groups of four of kPanels panels, `distance` bytes apart: out[p][r][0 .. 8).
template <class Dot, std::size_t kRows, std::size_t kPanels>
void multiply_tile(const std::uint32_t* x, const std::int8_t* panel, std::size_t distance, std::size_t count,
                   std::int32_t* out) noexcept {
  i32 sums[kRows][2 * kPanels];
  for (auto& row : sums) {
    for (i32& sum : row) sum = i32(0);
  }
  for (std::size_t q = 0; q < count; ++q, x += kRows * Dot::kWords, panel += 32) {
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

/// Rows of a task that are rounded and multiplied together, and the rows of the tile that takes `rows` of them: precise ones have no
/// smaller tiles, which would make the module larger.
template <class Form>
constexpr std::size_t kStrip = kTileRows / Form::kTerms;
template <class Form>
constexpr std::size_t strip_rows(std::size_t rows) noexcept {
  return rows <= 2 && Form::kHasSmallTiles ? rows : kStrip<Form>;
}

/// One strip of a task, which has `rows` of its kRows rows, times the task's columns.
template <class Form, std::size_t kRows>
void multiply_strip(const Int8Operands& operands, const GridTask& task, const std::uint32_t* words, const float* scales,
                    std::size_t rows) noexcept {
  using Dot = typename Form::Dot;
  constexpr std::size_t kTerms = kRows * Form::kTerms;
  const std::size_t depth = operands.a.columns;
  walk_panels<kTileRows / kTerms>(
      operands, task, [&](auto panels, const std::int8_t* panel, std::size_t distance, std::size_t from) {
        alignas(16) typename Form::Sum sums[panels * kRows * kNr] = {};
        for (std::size_t q = 0; q < quads(depth); q += Form::kSegment) {
          alignas(16) std::int32_t terms[panels * kTerms * kNr];
          multiply_tile<Dot, kTerms, panels>(words + q * kTerms * Dot::kWords, panel + 32 * q,
                                             distance * int8_panel_bytes(depth), std::min(Form::kSegment, quads(depth) - q),
                                             terms);
          for (std::size_t p = 0; p < panels; ++p) {
            const std::int32_t* const offsets = operands.weights.offsets + task.column + (from + p * distance) * kNr;
            for (std::size_t r = p * kRows; r < (p + 1) * kRows; ++r) {
              for (std::size_t v = 0; v < kNr; v += f32::size)
                Form::add(terms + r * Form::kTerms * kNr + v, offsets + v, sums + r * kNr + v);
            }
          }
        }
        for (std::size_t p = 0; p < panels; ++p) {
          const std::size_t column = (from + p * distance) * kNr, columns = std::min(kNr, task.columns - column);
          write_panel(operands, scales, task.row, rows, task.column + column, columns,
                      [&](std::size_t r, std::size_t v) { return Form::to_float(sums + (p * kRows + r) * kNr + v); });
        }
      });
}

/// A strip by the tile of its rows.
template <class Form>
void multiply_rows(const Int8Operands& operands, const GridTask& task, const std::uint32_t* words, const float* scales,
                   std::size_t rows) noexcept {
  if constexpr (Form::kHasSmallTiles) {
    if (rows == 1) return multiply_strip<Form, 1>(operands, task, words, scales, rows);
    if (rows == 2) return multiply_strip<Form, 2>(operands, task, words, scales, rows);
  }
  multiply_strip<Form, kStrip<Form>>(operands, task, words, scales, rows);
}

template <class Form>
void multiply_task(const Int8Operands& operands, const GridTask& task, const Activations& activations) noexcept {
  constexpr std::size_t kWords = Form::kTerms * Form::Dot::kWords;
  const std::size_t depth = operands.a.columns;
  for (std::size_t first = 0; first < task.rows; first += kStrip<Form>) {
    const std::size_t rows = std::min(kStrip<Form>, task.rows - first), stride = strip_rows<Form>(rows);
    for (std::size_t r = 0; r < stride; ++r) {
      std::uint32_t* const words = activations.words + (first * quads(depth) + r) * kWords;
      const float* const x = operands.a.at(task.row + first + std::min(r, rows - 1), 0);
      activations.scales[first + r] =
          scale_row(x, depth, Form::kLevels, [&](std::size_t q, f32 four) { Form::store(four, words + q * stride * kWords); });
    }
  }
  // Columns outermost: a few panels stay in L1 while all rows pass by. Panels of a single strip are read once.
  const std::size_t block = task.rows <= kStrip<Form> ? task.columns : kColumns;
  for (std::size_t j = 0; j < task.columns; j += block) {
    for (std::size_t first = 0; first < task.rows; first += kStrip<Form>) {
      const std::size_t rows = std::min(kStrip<Form>, task.rows - first);
      const GridTask part = {task.row + first, rows, task.column + j, std::min(block, task.columns - j)};
      const std::uint32_t* const words = activations.words + first * quads(depth) * kWords;
      const float* const scales = activations.scales + first;
      multiply_rows<Form>(operands, part, words, scales, rows);
    }
  }
}

}  // namespace

void multiply_many_rows(const Int8Operands& operands, const GridTask& task, const Activations& activations) noexcept {
  const bool is_precise = operands.inputs == Int8Inputs::Precise;
#ifdef __wasm_relaxed_simd__
  using simd::Dot8;
  if (is_precise && Dot8::is_exact() && Dot8::is_single())
    return multiply_task<FourteenBits<Dot8>>(operands, task, activations);
  if (!is_precise && Dot8::is_exact()) return multiply_task<SevenBits<Dot8>>(operands, task, activations);
#endif
  if (is_precise) return multiply_task<FourteenBits<simd::Dot16>>(operands, task, activations);
  multiply_task<SevenBits<simd::Dot16>>(operands, task, activations);
}

}  // namespace fovea

#pragma once
/// The parameter blocks of position vectors. Numbers that float32 would round are doubles, at `parameters`.

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea::wasm {

/// parameters: base.
struct SinusoidalBlock {
  std::uint32_t form, tokens, width;
  std::int32_t start;
  std::uint32_t parameters, y;
};
inline constexpr std::array kSinusoidalFields = std::to_array<std::string_view>({
    "form",
    "tokens",
    "width",
    "start",
    "parameters",
    "y",
});
static_assert(sizeof(SinusoidalBlock) == 4 * kSinusoidalFields.size());

struct TableRowsBlock {
  std::uint32_t table, rows, width, positions;
  std::int32_t start;
  std::uint32_t tokens, y;
};
inline constexpr std::array kTableRowsFields = std::to_array<std::string_view>({
    "table",
    "rows",
    "width",
    "positions",
    "start",
    "tokens",
    "y",
});
static_assert(sizeof(TableRowsBlock) == 4 * kTableRowsFields.size());

/// parameters: base, scale, ntk, and factor, low, high and original of Llama 3.
struct RotaryBlock {
  std::uint32_t interleaved, batch, heads, tokens, width, rotary;
  std::uint32_t x;
  std::int32_t x_batch, x_head, x_token;
  std::uint32_t output;
  std::int32_t output_batch, output_head, output_token;
  std::uint32_t positions;
  std::int32_t positions_batch, start;
  std::uint32_t parameters, cos, sin, table_rows;
};
inline constexpr std::array kRotaryFields = std::to_array<std::string_view>({
    "interleaved", "batch",          "heads",  "tokens",     "width",       "rotary",     "x",
    "xBatch",      "xHead",          "xToken", "output",     "outputBatch", "outputHead", "outputToken",
    "positions",   "positionsBatch", "start",  "parameters", "cos",         "sin",        "tableRows",
});
static_assert(sizeof(RotaryBlock) == 4 * kRotaryFields.size());

}  // namespace fovea::wasm

#pragma once
/// The parameter blocks of equations that know no mechanism.

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea::wasm {

struct MatmulBlock {
  std::uint32_t rows, inner, columns;
  std::uint32_t a;
  std::int32_t a_row, a_column;
  std::uint32_t b;
  std::int32_t b_row, b_column;
  std::uint32_t bias, c;
  std::int32_t c_row;
};
inline constexpr std::array kMatmulFields = std::to_array<std::string_view>({
    "rows",
    "inner",
    "columns",
    "a",
    "aRow",
    "aColumn",
    "b",
    "bRow",
    "bColumn",
    "bias",
    "c",
    "cRow",
});
static_assert(sizeof(MatmulBlock) == 4 * kMatmulFields.size());

struct SoftmaxBlock {
  std::uint32_t kind, x, y, outer, length, inner;
};
inline constexpr std::array kSoftmaxFields = std::to_array<std::string_view>({"kind", "x", "y", "outer", "length", "inner"});
static_assert(sizeof(SoftmaxBlock) == 4 * kSoftmaxFields.size());

}  // namespace fovea::wasm

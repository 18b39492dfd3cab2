#pragma once
/// The parameter blocks that only the entry fovea/score writes.

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea::wasm {

/// `attention` is the address of an AttentionBlock, of which multi_dimensional.hpp reads a part.
struct MultiDimensionalBlock {
  std::uint32_t attention, score;
  float bound;
  std::uint32_t w;
  std::int32_t w_row, w_column;
  std::uint32_t bias;
};
inline constexpr std::array kMultiDimensionalFields =
    std::to_array<std::string_view>({"attention", "score", "bound", "w", "wRow", "wColumn", "bias"});
static_assert(sizeof(MultiDimensionalBlock) == 4 * kMultiDimensionalFields.size());

}  // namespace fovea::wasm

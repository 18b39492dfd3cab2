#pragma once
/// The parameter block of caches of keys and values.

#include <array>
#include <cstdint>
#include <string_view>

namespace fovea::wasm {

/// `rows` is the address of the cache's keys, or values.
struct AppendBlock {
  std::uint32_t batch, heads, tokens, width;
  std::uint32_t from;
  std::int32_t from_batch, from_head, from_token;
  std::uint32_t rows, halves, capacity, at;
};
inline constexpr std::array kAppendFields = std::to_array<std::string_view>({
    "batch",
    "heads",
    "tokens",
    "width",
    "from",
    "fromBatch",
    "fromHead",
    "fromToken",
    "rows",
    "halves",
    "capacity",
    "at",
});
static_assert(sizeof(AppendBlock) == 4 * kAppendFields.size());

}  // namespace fovea::wasm

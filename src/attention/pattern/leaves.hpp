#pragma once
/// The leaves of a pattern: which keys a row has by each, without any rule of the call.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/key_spans.hpp"
#include "attention/pattern/program.hpp"

namespace fovea {

/// A row of the pairs: the query's position, and where it stands.
struct PatternRow {
  std::int64_t p;
  std::size_t batch, head;
  std::size_t keys;
};

/// ⌊a / b⌋ for b > 0, also below 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) noexcept { return a / b - (a % b < 0 ? 1 : 0); }

/// a - b ⌊a / b⌋
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) noexcept { return a - b * floor_div(a, b); }

/// The row of a leaf's own tables for position p; -1 where p is outside of them, and there are no keys.
[[nodiscard]] std::int64_t table_row(PatternNode leaf, const PatternRow& row) noexcept;

/// out <- the keys of `leaf`. `scratch` has room for row.keys words.
void leaf_keys(PatternNode leaf, const PatternRow& row, KeySpans& out, std::uint32_t* scratch) noexcept;

}  // namespace fovea

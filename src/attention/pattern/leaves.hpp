#pragma once
/// The leaves of a pattern: the keys that each gives a query, before the positional mask.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/interval_set.hpp"
#include "attention/pattern/program.hpp"
#include "attention/problem/position_rules.hpp"

namespace fovea {

/// A query's position, batch entry and head, the number of keys, and the range of keys that counts.
struct PatternRow {
  std::int64_t p;
  std::size_t batch, head;
  std::size_t keys;
  KeyRange range;
};

/// ⌊a / b⌋ for b > 0, also below 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) noexcept { return a / b - (a % b < 0 ? 1 : 0); }

/// a - b ⌊a / b⌋
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) noexcept { return a - b * floor_div(a, b); }

/// The row of a leaf's own tables for position p; -1 where p is outside of them, and there are no keys.
[[nodiscard]] std::int64_t table_row(PatternNode leaf, const PatternRow& row) noexcept;

/// Whether the leaf's keys are one interval, known without looking at keys.
[[nodiscard]] constexpr bool is_interval(PatternOp op) noexcept {
  return op == PatternOp::Band || op == PatternOp::Blocks || op == PatternOp::Segments;
}

/// out <- the keys of `leaf` in the row's range. `scratch` has room for row.keys words.
void leaf_keys(PatternNode leaf, const PatternRow& row, IntervalSet& out, std::uint32_t* scratch) noexcept;

}  // namespace fovea

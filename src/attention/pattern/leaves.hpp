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

/// The most intervals that a row of `leaf` has among `keys` keys, and the most words of scratch memory that one takes.
[[nodiscard]] std::size_t max_intervals(PatternNode leaf, std::size_t keys) noexcept;
[[nodiscard]] std::size_t scratch_words(PatternNode leaf, std::size_t keys) noexcept;

/// out <- the keys of `leaf` in the row's range. `out` has room for max_intervals(), `scratch` for scratch_words().
void leaf_keys(PatternNode leaf, const PatternRow& row, IntervalSet& out, std::uint32_t* scratch) noexcept;

}  // namespace fovea

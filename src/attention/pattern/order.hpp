#pragma once
/// The order in which queries are put into blocks: class by class. Queries of one class have the same keys, or nearly: one
/// residue of an atrous pattern, one line of an axial pattern, one bucket of hashing.

#include <cstddef>
#include <cstdint>

#include "attention/pattern/leaves.hpp"
#include "attention/pattern/program.hpp"

namespace fovea {

struct QueryOrder {
  enum class Kind { Natural, Residue, Line, Bucket };
  Kind kind = Kind::Natural;
  std::int64_t length = 0;                // Residue: k. Line: its length
  std::int64_t stride = 0, size = 0;      // Line
  const std::int32_t* buckets = nullptr;  // Bucket: the leaf's operands

  friend bool operator==(const QueryOrder&, const QueryOrder&) = default;

  [[nodiscard]] std::size_t classes() const noexcept;

  /// Below classes(), or classes() for a query that is outside of the leaf's tables.
  [[nodiscard]] std::size_t class_of(const PatternRow& row) const noexcept;
};

/// The order that a leaf prefers for `queries` rows; natural where its classes would have fewer rows than a strip.
[[nodiscard]] QueryOrder preferred_order(PatternNode leaf, std::size_t queries) noexcept;

/// Whether all queries of one class of `order` have the same keys by this leaf.
[[nodiscard]] bool is_uniform(PatternNode leaf, const QueryOrder& order) noexcept;

}  // namespace fovea

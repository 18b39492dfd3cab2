#pragma once
/// The logits of a strip of packed queries and a tile of packed keys, as forward computes them.

#include <cstddef>
#include <cstdint>

#include "attention/backward/packed_rows.hpp"
#include "attention/problem/position_rules.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

/// Columns [from, to) of a strip's tile, whole column panels, that may have pairs; none where both are 0. With `planned` a pattern
/// tells which pairs (plan.hpp): `masks`, null for all.
struct StripColumns {
  std::size_t from = 0, to = 0;
  bool planned = false;
  const std::uint32_t* masks = nullptr;

  [[nodiscard]] bool is_empty() const noexcept { return from == to; }
};

/// Columns [from, to), whole column panels, outside of which the positional mask allows none of the queries a key.
[[nodiscard]] StripColumns columns_of(const AttentionArgs& args, std::size_t batch, std::size_t query, std::size_t rows,
                                      const PackedKeys& keys) noexcept;

/// Whether all of a strip's pairs are allowed by position, and there are no masks.
[[nodiscard]] bool allows_strip(const AttentionArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                                std::size_t row, const StripColumns& columns) noexcept;

/// The tile of the strip that begins at `row` of the block, its pairs marked.
[[nodiscard]] ScoreTile marked_tile(const AttentionArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                                    std::size_t row, const StripColumns& columns, bool all_allowed) noexcept;

/// s <- the finished logits;  capped <- those before the biases, where it is not null
void compute_scores(const AttentionArgs& args, const PackedQueries& queries, const PackedKeys& keys, std::size_t row,
                    ScoreTile& tile, float (*capped)[kKeyTile]) noexcept;

}  // namespace fovea

#pragma once
/// Tables by clipped distance (Shaw et al. 2018, arXiv:1803.02155 §3.2), and the columns of a score tile by it.
///   c = clip(j - p, -clip, clip) + clip,   j the key, p the query's position;   2 clip + 1 distances

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"
#include "gemm/panels.hpp"

namespace fovea {

/// c
inline std::size_t clipped_distance(std::size_t key, std::int64_t p, std::size_t clip) noexcept {
  const auto most = static_cast<std::int64_t>(clip);
  return static_cast<std::size_t>(std::clamp(static_cast<std::int64_t>(key) - p, -most, most) + most);
}

/// p of query row r of the tile
inline std::int64_t position_of(const AttentionArgs& args, const ScoreTile& tile, std::size_t r) noexcept {
  return args.position_rules(tile.batch).position(tile.query_of(r));
}

/// Columns [from, to) of a tile of consecutive keys are not clipped: they take table entries from `first` on, one each. Columns
/// before `from` take entry 0, columns from `to` on the last one.
struct UnclippedColumns {
  std::size_t from, to, first;

  UnclippedColumns(const ScoreTile& tile, std::int64_t p, std::size_t clip) noexcept;
};

/// The rows of a table that the keys of a tile of one query take.
struct GatheredTableRows {
  std::uint32_t list[kKeyTile];
  SourceRows rows;

  GatheredTableRows(const AttentionArgs& args, const ScoreTile& tile, const RelativeTable& table, std::size_t width) noexcept;
};

/// s[r][j] <- s[r][j] + table[r stride + c]
void add_by_distance(const AttentionArgs& args, ScoreTile& tile, const float* table, std::size_t stride,
                     std::size_t clip) noexcept;

}  // namespace fovea

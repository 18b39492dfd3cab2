#pragma once
/// A score tile: the scores of a few queries and 64 keys, which stay in L1 between the product that writes them and the softmax
/// that reads them. Every step in between (masks, softcap, biases) is a plain function, called once per tile.

#include <cstddef>
#include <cstdint>

#include "attention/problem/head_index.hpp"
#include "attention/problem/position_rules.hpp"
#include "attention/problem/token_list.hpp"
#include "gemm/panels.hpp"

namespace fovea {

/// Keys per tile. 64: K and V panels of a tile are 16 kB each at width 64, so both stay in L1 while queries stream by.
inline constexpr std::size_t kKeyTile = 64;
static_assert(kKeyTile == kRowStride, "the tile's exponentials are multiplied as rows");

struct ScoreTile : HeadIndex {
  alignas(16) float s[kMr][kKeyTile];
  /// Bit j of allowed[r]: query row r may attend to key column j. Bits past the last key and rows past the last query are 0.
  std::uint64_t allowed[kMr];
  bool all_allowed = false;
  /// The largest allowed score of a row is the largest of its four lanes here; -inf if there is none.
  alignas(16) float row_max[kMr][4];
  std::size_t query, queries;  // the first query, and how many there are
  std::size_t rows;            // that are computed: at least `queries`
  std::size_t key, keys;       // the first key, and how many of the 64 columns exist

  /// Columns [from, to), multiples of 4, are computed. In others nothing is allowed.
  std::size_t from = 0, to = kKeyTile;
  /// Index lists of queries and keys; null: consecutive.
  const std::uint32_t* query_list = nullptr;
  const std::uint32_t* key_list = nullptr;
  /// Added to the products of each row, by clipped distance; rows `relative_stride` apart (relative_keys.hpp).
  const float* relative = nullptr;
  std::size_t relative_stride = 0;
  /// Whether a pattern's plan has marked `allowed`, the positional mask included. Other tiles hold the pairs it leaves out.
  bool planned = false;

  /// Scores and masks are not written yet.
  ScoreTile(const HeadIndex& index, const TokenList& query_rows, std::size_t computed_rows,
            const TokenList& key_columns) noexcept
      : HeadIndex(index),
        query(query_rows.first),
        queries(query_rows.count),
        rows(computed_rows),
        key(key_columns.first),
        keys(key_columns.count),
        query_list(query_rows.list),
        key_list(key_columns.list) {}

  [[nodiscard]] std::size_t query_of(std::size_t r) const noexcept { return query_list != nullptr ? query_list[r] : query + r; }
  [[nodiscard]] std::size_t key_of(std::size_t j) const noexcept { return key_list != nullptr ? key_list[j] : key + j; }
  [[nodiscard]] bool is_whole() const noexcept { return from == 0 && to == kKeyTile; }
};

/// Columns [0, n) have keys with a position. The others are appended keys, which always come last.
inline std::size_t positioned_columns(const PositionRules& rules, const ScoreTile& tile) noexcept {
  std::size_t count = tile.keys;
  if (rules.appended > 0) {
    while (count > 0 && tile.key_of(count - 1) >= rules.keys) --count;
  }
  return count;
}

inline constexpr std::size_t kTileLanes = 4;

/// Calls body(j) for every vector of columns that is computed.
template <class Body>
inline void over_columns(const ScoreTile& tile, Body body) noexcept {
  if (tile.is_whole()) {
    for (std::size_t j = 0; j < kKeyTile; j += kTileLanes) body(j);
  } else {
    for (std::size_t j = tile.from; j < tile.to; j += kTileLanes) body(j);
  }
}

}  // namespace fovea

#pragma once
/// A score tile: the scores of a few queries and 64 keys, which stay in L1 between the product that makes it and the softmax
/// that uses it up. What is done to it in between (cap, biases, masks, rules) are plain functions, one call per tile.

#include <cstddef>
#include <cstdint>

#include "attention/attention.hpp"
#include "ops/panels.hpp"

namespace fovea {

/// Keys per tile. 64: K and V panels of a tile are 16 kB each at width 64, so both stay in L1 while queries stream by.
inline constexpr std::size_t kKeyTile = 64;
static_assert(kKeyTile == kRowStride, "the tile's exponentials are multiplied as rows");

struct ScoreTile {
  alignas(16) float s[kPanelRows][kKeyTile];
  /// Bit j of allowed[r]: query row r may attend to key `key + j`. Bits past the last key and rows past the last query are 0.
  std::uint64_t allowed[kPanelRows];
  bool all_allowed;
  /// The highest allowed score of each row is the highest of its four lanes here; -inf if there is none.
  alignas(16) float highest[kPanelRows][4];
  std::size_t batch, head, kv_head;
  std::size_t query, queries;  // the first query, and how many there are
  std::size_t rows;            // that are computed: at least `queries`
  std::size_t key, keys;       // the first key, and how many of the 64 columns exist

  /// Columns [from, to), multiples of 4, are computed. In others nothing is allowed.
  std::size_t from = 0, to = kKeyTile;
  /// The queries and the keys, where they do not follow one another.
  const std::uint32_t* query_list = nullptr;
  const std::uint32_t* key_list = nullptr;
  /// What is added to the products of each row, by clipped distance; rows `relative_stride` apart (relative_positions.hpp).
  const float* relative = nullptr;
  std::size_t relative_stride = 0;
  /// Whether the rules of place are in `allowed` from the start, and pairs that are not may be in other tiles.
  bool planned = false;

  [[nodiscard]] std::size_t query_of(std::size_t r) const noexcept { return query_list != nullptr ? query_list[r] : query + r; }
  [[nodiscard]] std::size_t key_of(std::size_t j) const noexcept { return key_list != nullptr ? key_list[j] : key + j; }
  [[nodiscard]] bool is_whole() const noexcept { return from == 0 && to == kKeyTile; }
};

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

/// Keys [from, to) that the rules of place (lengths, causal, window) allow to any of `count` >= 1 queries; in between a ring
/// may have evicted some. Both ends only grow from query to query.
KeyRange allowed_keys(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t count) noexcept;

/// Whether every query of [first, first + count) may attend to every key of [key, key + kKeyTile).
bool allows_all(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t count, std::size_t key) noexcept;

/// Whether a ring has evicted the keys [key, key + count) before the turn of query `first`, and so of all after it.
bool ring_evicts(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t key, std::size_t count) noexcept;
inline bool all_evicted(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t key,
                        std::size_t count) noexcept {
  return args.store.window != kUnbounded && ring_evicts(args, batch, first, key, count);
}

/// The first tile from `key` on that is not all evicted for query `first`.
std::size_t skip_evicted(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t key) noexcept;

/// s <- -inf where a ring has evicted the key before the query's turn: of logits before the rules, too.
void forbid_evicted(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// allowed, all_allowed <- the rules of place (unless the tile is planned: then what is marked stays) and the masks
void mark_allowed(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// The same where it is known that every pair is allowed.
void mark_all_allowed(ScoreTile& tile) noexcept;

/// Whether the scale goes on the finished scores, with one rounding each: where there is a cap, and where a score is no
/// product.
inline bool scales_scores(const AttentionArgs& args) noexcept {
  return args.softcap > 0.0f || args.axes.score == Score::Additive;
}

/// What the queries are multiplied by before their products with the keys.
inline float query_scale(const AttentionArgs& args) noexcept { return scales_scores(args) ? 1.0f : args.scale; }

/// From the products (score_products.hpp), to which the tile's relative ones are added, to the logits after `stage`; Biased
/// divides them by the temperature, and leaves -inf at forbidden pairs, and `highest`.
/// Large dot products are computed again in double: a float32 sum of products near 1000 is off by several 1e-4, and softmax
/// turns that into a relative error as large. They are few: a row of large scores is a peaked one.
void finish_scores(const AttentionArgs& args, ScoreTile& tile, LogitStage stage) noexcept;

}  // namespace fovea

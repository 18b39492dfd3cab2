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
  std::size_t batch, head;
  std::size_t query, queries;  // the first query, and how many of the rows exist
  std::size_t key, keys;       // the first key, and how many of the 64 columns exist
};

/// Keys [from, to) that the rules of place (lengths, causal, window) allow.
struct KeyRange {
  std::size_t from, to;
};

KeyRange allowed_keys(const AttentionArgs& args, std::size_t batch, std::size_t query) noexcept;

/// Whether every query of [first, first + count) may attend to every key of [key, key + kKeyTile).
bool allows_all(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t count, std::size_t key) noexcept;

/// allowed, all_allowed <- the rules of place and the masks
void mark_allowed(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// The same where it is known that every pair is allowed.
void mark_all_allowed(ScoreTile& tile) noexcept;

/// highest <- the scores as they are now
void find_highest(ScoreTile& tile) noexcept;

/// A float32 sum of products near 1000 is off by several 1e-4, and softmax turns that into a relative error as large. So
/// scores beyond kLarge that count beside the highest of their row and tile are computed again in double. They are few: a
/// row of large scores is a peaked one.
inline constexpr float kLarge = 16.0f;
inline constexpr float kNegligible = 16.0f;  // exp(-16) = 1e-7 of the highest weight

/// Bit j: score j of row r is such a one. Only allowed scores count; they must have their scale, and `highest` be found.
std::uint64_t large_scores(const ScoreTile& tile, std::size_t r) noexcept;

/// False if no row has such scores, by a look at `highest` alone.
bool may_have_large_scores(const ScoreTile& tile) noexcept;

/// s <- scale * s: what the queries' packing does where there is no cap
void scale_scores(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// s <- softcap * tanh(s / softcap)
void cap(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// s <- s - slope * |p - j|
void add_alibi(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// s <- s + float_mask
void add_float_mask(const AttentionArgs& args, ScoreTile& tile) noexcept;

/// s <- -inf where not allowed, whatever s is there
void forbid(ScoreTile& tile) noexcept;

}  // namespace fovea

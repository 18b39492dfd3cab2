#pragma once
/// The positional mask and the mask arrays of a score tile, as one bit for every pair.

#include <cstddef>

#include "attention/problem/attention_args.hpp"
#include "attention/score/score_tile.hpp"

namespace fovea {

/// Whether every query of [first, first + count) may attend to every key of [key, key + kKeyTile).
[[nodiscard]] bool allows_all(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t count,
                              std::size_t key) noexcept;

/// Whether a ring has evicted the keys [key, key + count) before the turn of query `first`, and so of all after it.
[[nodiscard]] bool ring_evicts(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t key,
                               std::size_t count) noexcept;
[[nodiscard]] inline bool all_evicted(const AttentionArgs& args, std::size_t batch, std::size_t first, std::size_t key,
                                      std::size_t count) noexcept {
  return args.kv_layout.window != kUnbounded && ring_evicts(args, batch, first, key, count);
}

/// The first tile from `key` on that is not all evicted for query `first`.
[[nodiscard]] std::size_t skip_evicted(const AttentionArgs& args, std::size_t batch, std::size_t first,
                                       std::size_t key) noexcept;

/// False if none of the keys is in the range of a query, or appended.
[[nodiscard]] inline bool may_attend(const AttentionInputs& inputs, const KeyRange& range, const KeyRange& keys) noexcept {
  return (range.from < keys.to && range.to > keys.from) || keys.to > inputs.positioned_keys();
}

/// allowed, all_allowed <- the positional mask `rules` (unless the tile is planned: then `allowed` is narrowed) and the mask
/// arrays of `inputs`
void mark_allowed(const AttentionInputs& inputs, const PositionRules& rules, ScoreTile& tile) noexcept;

/// allowed, all_allowed <- every pair
void mark_all_allowed(ScoreTile& tile) noexcept;

/// s <- -inf where not allowed, whatever s holds
void mask_scores(ScoreTile& tile) noexcept;

/// s <- -inf where a ring has evicted the key before the query's turn, in logits before the masks, too
void mask_evicted(const AttentionArgs& args, ScoreTile& tile) noexcept;

}  // namespace fovea

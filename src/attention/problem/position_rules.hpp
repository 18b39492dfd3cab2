#pragma once
/// The positional mask of one batch entry: which keys a query may attend to, by the positions of both. Appended keys follow the
/// others and have no position: every query may attend to them.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fovea {

inline constexpr std::ptrdiff_t kUnbounded = -1;

/// Keys [from, to).
struct KeyRange {
  std::size_t from, to;
};

/// Forward: keys before the query's position; Backward: keys after it (Shen et al. 2018, arXiv:1709.04696 §4.2).
enum class Direction : std::uint32_t { Both, Forward, Backward };

struct PositionRules {
  std::int64_t offset = 0;  // of positions: p = query + offset
  std::size_t keys = 0;     // that have a position
  std::size_t length = 0;   // <= keys; those from there on are padding
  bool causal = false;
  std::ptrdiff_t window_left = kUnbounded;
  std::ptrdiff_t window_right = kUnbounded;
  Direction direction = Direction::Both;
  /// The window and the first tokens that a ring keeps (kv_layout.hpp).
  std::ptrdiff_t kept_window = kUnbounded;
  std::size_t keep_first = 0;
  std::size_t appended = 0;  // keys behind `keys`

  [[nodiscard]] std::int64_t position(std::size_t query) const noexcept { return static_cast<std::int64_t>(query) + offset; }

  /// Whether every query sees the same keys.
  [[nodiscard]] bool is_uniform() const noexcept {
    return !causal && window_left == kUnbounded && window_right == kUnbounded && direction == Direction::Both &&
           kept_window == kUnbounded;
  }

  /// All appended keys, in any number.
  [[nodiscard]] KeyRange appended_keys() const noexcept { return {keys, keys + appended}; }

  /// The range of the keys with a position, regardless of what a ring has evicted. Both ends only grow from query to query.
  [[nodiscard]] KeyRange keys_of(std::size_t query) const noexcept {
    // Farther than any key is from any query: a wider window is no wider, and sums of positions stay in range.
    constexpr std::int64_t kFar = std::int64_t{1} << 50;
    const std::int64_t p = position(query), all = static_cast<std::int64_t>(keys);
    std::int64_t from = 0, to = static_cast<std::int64_t>(length);
    if (causal) to = std::min(to, p + 1);
    if (window_left != kUnbounded) from = std::max(from, p - std::min<std::int64_t>(window_left, kFar));
    if (window_right != kUnbounded) to = std::min(to, p + std::min<std::int64_t>(window_right, kFar) + 1);
    if (direction == Direction::Forward) to = std::min(to, p);
    if (direction == Direction::Backward) from = std::max(from, p + 1);
    from = std::clamp<std::int64_t>(from, 0, all);
    to = std::clamp<std::int64_t>(to, from, all);
    return {static_cast<std::size_t>(from), static_cast<std::size_t>(to)};
  }

  /// The keys from the first to the last that any of `count` >= 1 queries may attend to; a ring may have evicted some between.
  [[nodiscard]] KeyRange keys_of(std::size_t first, std::size_t count) const noexcept {
    return {keys_of(first).from, keys_of(first + count - 1).to};
  }

  /// The keys that a ring has evicted before the query's turn: allowed to none. The end only grows from query to query.
  [[nodiscard]] KeyRange evicted_for(std::size_t query) const noexcept {
    if (kept_window == kUnbounded) return {0, 0};
    const auto first = static_cast<std::int64_t>(std::min(keep_first, keys));
    const std::int64_t end = position(query) - kept_window + 1;
    return {static_cast<std::size_t>(first),
            static_cast<std::size_t>(std::clamp<std::int64_t>(end, first, static_cast<std::int64_t>(keys)))};
  }
};

}  // namespace fovea

#pragma once
/// Arrays, sizes and mask of every kind of attention over pairs.
/// Shapes: q [B, H, Tq, Dk]; k [B, Hkv, Tk, Dk]; v [B, Hkv, Tk, Dv]; output [B, H, Tq, Dv].

#include <cstddef>
#include <cstdint>

#include "attention/problem/head_index.hpp"
#include "attention/problem/position_rules.hpp"
#include "core/status.hpp"
#include "core/view.hpp"

namespace fovea {

struct AttentionInputs {
  std::size_t batch = 0, heads = 0, kv_heads = 0, queries = 0, keys = 0, width = 0, value_width = 0;
  HeadsView<const float> q, k, v;
  HeadsView<float> output;
  float* weights = nullptr;  // [B, H, Tq, Tk], of multi-dimensional attention [B, H, Tq, Tk, Dv]; null: not asked for

  bool causal = false;
  std::ptrdiff_t window_left = kUnbounded;
  std::ptrdiff_t window_right = kUnbounded;
  Direction direction = Direction::Both;
  const std::int32_t* offsets = nullptr;  // [B]; null = 0
  /// The last of the keys, which have no position: every mask allows them, and no bias or relative key or value applies.
  std::size_t appended_keys = 0;
  const std::int32_t* key_lengths = nullptr;  // [B], at most positioned_keys(); null = positioned_keys()
  /// Over the keys with a position. A pair must be allowed by all masks; a second one of a kind is one of key padding.
  PairsView<std::uint8_t> bool_mask, key_bool_mask;  // 0 = forbid
  PairsView<float> float_mask, key_float_mask;       // added; -inf = forbid

  [[nodiscard]] std::size_t positioned_keys() const noexcept { return keys - appended_keys; }
  [[nodiscard]] bool has_mask() const noexcept {
    return bool_mask.data != nullptr || key_bool_mask.data != nullptr || has_float_mask();
  }
  [[nodiscard]] bool has_float_mask() const noexcept { return float_mask.data != nullptr || key_float_mask.data != nullptr; }

  /// The positional mask of a batch entry.
  [[nodiscard]] PositionRules positional_mask(std::size_t b) const noexcept {
    PositionRules rules = {offsets != nullptr ? offsets[b] : 0,
                           positioned_keys(),
                           key_lengths != nullptr ? static_cast<std::size_t>(key_lengths[b]) : positioned_keys(),
                           causal,
                           window_left,
                           window_right,
                           direction};
    rules.appended = appended_keys;
    return rules;
  }
  [[nodiscard]] std::size_t row_index(std::size_t b, std::size_t h, std::size_t i) const noexcept {
    return (b * heads + h) * queries + i;
  }
  /// The indices of query head `index`, counted over all batch entries.
  [[nodiscard]] HeadIndex head_at(std::size_t index) const noexcept {
    const std::size_t head = index % heads;
    return {index / heads, head, head / (heads / kv_heads)};
  }
};

/// Status::Shape or Status::Value for sizes, windows and key lengths that no call may have.
[[nodiscard]] Status check_inputs(const AttentionInputs& inputs) noexcept;

}  // namespace fovea

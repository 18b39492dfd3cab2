#pragma once
/// The arguments of an attention call: data only. Their meaning is in attention/attention.hpp.

#include <cstddef>
#include <cstdint>

#include "attention/problem/attention_inputs.hpp"
#include "attention/problem/attention_variant.hpp"
#include "attention/problem/kv_layout.hpp"
#include "attention/problem/position_rules.hpp"

namespace fovea {

/// Which logits `attention_logits` writes: scale*score; after the cap; after bias, masks and rules (forbidden = -inf).
enum class LogitStage : std::uint32_t { Raw, Capped, Biased };

inline constexpr std::size_t kAllQueries = ~std::size_t{0};

/// Weights of the allowed pairs only: those of row (b H + h) Tq + i are values[indptr[row]...], of the keys indices[...],
/// ascending.
struct SparseWeights {
  const std::int32_t* indptr = nullptr;   // [B H Tq + 1]
  const std::int32_t* indices = nullptr;  // exactly the allowed pairs: pattern_pairs() finds them
  float* values = nullptr;                // null: not asked for
};

struct AttentionArgs : AttentionInputs {
  float* lse = nullptr;  // [B, H, Tq]
  SparseWeights sparse_weights;
  /// The queries [query_from, query_to) of every head are computed, the rows of others not written: one call in slices.
  std::size_t query_from = 0, query_to = kAllQueries;

  float scale = 1.0f;
  float softcap = 0.0f;                 // 0 = no cap
  const float* alibi_slopes = nullptr;  // [H]
  const float* sinks = nullptr;         // [H]
  AttentionVariant variant;
  /// The number of query head 0 in the whole call, of which this may be a part: global_head() numbers all of its heads.
  std::size_t first_head = 0, all_heads = 0;  // all_heads of a batch entry; 0: as many as here
  KvLayout kv_layout;

  /// The pattern of every batch entry and head, compiled with the positional mask (compile_pattern()). Null: all pairs.
  const std::uint32_t* const* plans = nullptr;  // [B, H]
  /// The units [unit_from, unit_to) of all plans together are computed: one call in slices.
  std::size_t unit_from = 0, unit_to = kAllQueries;
  float* state = nullptr;  // sparse_state_floats() of them, kept from slice to slice; may be null where that is 0

  /// The positional mask of a batch entry, and what a ring has evicted.
  [[nodiscard]] PositionRules position_rules(std::size_t b) const noexcept {
    PositionRules rules = positional_mask(b);
    rules.kept_window = kv_layout.window;
    rules.keep_first = kv_layout.keep_first;
    return rules;
  }
  [[nodiscard]] std::size_t global_head(std::size_t b, std::size_t h) const noexcept {
    return first_head + b * (all_heads == 0 ? heads : all_heads) + h;
  }
};

}  // namespace fovea

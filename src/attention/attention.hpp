#pragma once
/// Scaled dot-product attention, dense (Vaswani et al. 2017, eq. 1) with the masks, biases and caps in use since.
///   s[i,j]   = Cap(scale * q[i] · (k[j] + rK[c])) + bias(i,j) + float_mask[i,j]
///   For Score::Additive w · tanh(q[i] + k[j]) in place of the product, without rK (additive_score.hpp).
///   Cap(x)   = softcap * tanh(x / softcap), or x
///   bias     = - slope[h] |p - j| + table[h, c] + buckets[bucket(j - p), h] - (j - centre)² / (2 sigma²), where given
///   c        = clip(j - p, -clip, clip) + clip, each table with a clip of its own; rK and rV where given
///   w[i,j]   = exp(s[i,j]) / (Σ_j exp(s[i,j]) + exp(sink)) over the allowed j, 0 elsewhere
///   out[i]   = Σ_j w[i,j] (v[j] + rV[c])   lse[i] = ln Σ_j exp(s[i,j]), without the sink
///   With a temperature T, s / T stands for s; with another normalizer (normalizer.hpp) its weights for w.
///   Allowed: j < key_lengths[b], j <= p (causal), p - left <= j <= p + right (window), j < p or j > p (direction),
///   boolean mask true, float mask not -inf; p = i + offset[b] is the query's position.
///   Key/value head of query head h: floor(h / (H / Hkv)).
/// Shapes: q [B, H, Tq, Dk]; k [B, Hkv, Tk, Dk]; v [B, Hkv, Tk, Dv]; output [B, H, Tq, Dv]; weights [B, H, Tq, Tk] and
///   lse [B, H, Tq], contiguous or null.
/// Large products: an allowed |scale * q·(k + rK)| beyond 16 T that counts beside the highest of its row and tile is made in
///   double, where a float32 sum of products would make a relative error of its size in the weights.
/// Range: s / T above 3e38 is infinite; scale * q, and sums of up to Tk values times e^5.5, are float32: beyond 3e38 they
///   overflow.
/// Requires: Dk >= 1; Hkv divides H; 0 <= key_lengths <= Tk; windows >= -1; rows of a store that is not plain lie side by side.
/// Cache: k and v may be those of a cache (key_store.hpp): Tk counts all tokens it has seen. Of evicted keys weights are 0 and
///   logits of every stage -inf. With plans these must leave them out themselves.
/// Rows: without an allowed key: out 0, weights 0, lse -inf. A NaN or +inf logit in an allowed pair makes that row NaN and
///   no other. Forbidden keys and values may hold anything.
/// Errors: Status::Shape, Status::Value, Status::Option (lse or sinks without softmax), Status::Memory (workspace too small, or
///   no sparse weights where a pattern needs them: normalizes_lists()).
/// Workspace: attention_workspace_floats(), independent of Tq and Tk; for a few queries (decode.hpp) a hundredth of the keys
///   and values; for normalizers of whole rows kPanelScores more, for top-k twice as many, or what one row needs where that
///   is more.
/// Accuracy: <= 2x the error of the float32 definition + 8 eps (tests/cpp/support/tolerance.hpp).
/// Determinism: a row's bits depend on its own q, its allowed keys and values and the options, and not on whether weights
///   or lse are asked for, nor on the number of threads. Keys are walked in tiles of kKeyTile from key 0. Calls of at most
///   kDecodeQueries queries sum in another order than calls of more.
/// Paper: arXiv:1706.03762 §3.2.1; online softmax: arXiv:1805.02867; tiles: arXiv:2205.14135; ALiBi: arXiv:2108.12409 §3.

#include <cstddef>
#include <cstdint>

#include "attention/axes.hpp"
#include "attention/key_store.hpp"
#include "attention/place.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// Which logits `attention_logits` writes: scale*score; after the cap; after bias, masks and rules (forbidden = -inf).
enum class LogitStage : std::uint32_t { Raw, Capped, Biased };

inline constexpr std::size_t kAllQueries = ~std::size_t{0};

/// Weights of the allowed pairs only: those of row (b H + h) Tq + i are values[indptr[row]...], of the keys indices[...],
/// ascending.
struct SparseWeights {
  const std::int32_t* indptr = nullptr;   // [B H Tq + 1]
  const std::int32_t* indices = nullptr;  // exactly the allowed pairs: attention/pattern/pairs.hpp finds them
  float* values = nullptr;                // null: not asked for
};

struct AttentionArgs {
  std::size_t batch = 0, heads = 0, kv_heads = 0, queries = 0, keys = 0, width = 0, value_width = 0;
  HeadsView<const float> q, k, v;
  HeadsView<float> output;
  float* weights = nullptr;  // [B, H, Tq, Tk]
  float* lse = nullptr;      // [B, H, Tq]
  SparseWeights sparse_weights;
  /// The queries [query_from, query_to) of every head are computed, the rows of others not written: one call in slices.
  std::size_t query_from = 0, query_to = kAllQueries;

  float scale = 1.0f;
  float softcap = 0.0f;  // 0 = no cap
  bool causal = false;
  std::ptrdiff_t window_left = kUnbounded;
  std::ptrdiff_t window_right = kUnbounded;
  const std::int32_t* offsets = nullptr;      // [B]; null = 0
  const std::int32_t* key_lengths = nullptr;  // [B]; null = Tk
  PairsView<std::uint8_t> bool_mask;          // 0 = forbid
  PairsView<float> float_mask;                // added; -inf = forbid
  const float* alibi_slopes = nullptr;        // [H]
  const float* sinks = nullptr;               // [H]
  Axes axes;
  /// Where the heads stand among those of the whole call, of which this may be a part: (b, h) is head_of_all().
  std::size_t first_head = 0, all_heads = 0;  // all_heads of a batch entry; 0: as many as here
  KeyStore store;

  /// The pattern of every batch entry and head, compiled with the rules of place above: sparse.hpp. Null: all pairs.
  const std::uint32_t* const* plans = nullptr;  // [B, H]
  /// Of the units of all plans together, those of [unit_from, unit_to) are computed: one call in slices.
  std::size_t unit_from = 0, unit_to = kAllQueries;
  float* state = nullptr;  // sparse_state_floats() of them, kept from slice to slice; may be null where that is 0

  [[nodiscard]] Place place(std::size_t b) const noexcept {
    return {offsets != nullptr ? offsets[b] : 0,
            keys,
            key_lengths != nullptr ? static_cast<std::size_t>(key_lengths[b]) : keys,
            causal,
            window_left,
            window_right,
            axes.direction,
            store.window,
            store.keep_first};
  }
  [[nodiscard]] std::size_t row_index(std::size_t b, std::size_t h, std::size_t i) const noexcept {
    return (b * heads + h) * queries + i;
  }
  [[nodiscard]] std::size_t head_of_all(std::size_t b, std::size_t h) const noexcept {
    return first_head + b * (all_heads == 0 ? heads : all_heads) + h;
  }
};

/// For a pool of `threads` threads.
[[nodiscard]] std::size_t attention_workspace_floats(const AttentionArgs& args, std::size_t threads = 1) noexcept;
[[nodiscard]] std::size_t attention_logits_workspace_floats(const AttentionArgs& args, std::size_t threads = 1) noexcept;

/// On the threads of `pool`, where there is one and the work is long enough to share.
[[nodiscard]] Status attention(const AttentionArgs& args, Workspace workspace, ThreadPool* pool = nullptr) noexcept;

/// Writes the logits of `stage` to [B, H, Tq, Tk]. Raw and Capped hold the true value at forbidden pairs too.
[[nodiscard]] Status attention_logits(const AttentionArgs& args, LogitStage stage, float* logits, Workspace workspace,
                                      ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

#pragma once
/// Scaled dot-product attention, dense (Vaswani et al. 2017, eq. 1) with the masks, biases and caps in use since.
///   s[i,j]   = Cap(scale * q[i] · (k[j] + rK[c])) + bias(i,j) + float_mask[i,j] + key_float_mask[i,j]
///   For Score::Additive w · f(q[i] + k[j]) in place of the product, without rK (additive_score.hpp).
///   Cap(x)   = softcap * tanh(x / softcap), or x
///   bias     = - slope[h] |p - j| + table[h, c] + buckets[bucket(j - p), h] - (j - center)² / (2 sigma²), where given
///   c        = clip(j - p, -clip, clip) + clip, each table with a clip of its own; rK and rV where given
///   w[i,j]   = exp(s[i,j]) / (Σ_j exp(s[i,j]) + exp(sink)) over the allowed j, 0 elsewhere
///   w[i,j]  <- w[i,j] weight_scale(i,j), where given, 0 staying 0: not normalized again (softmax/weight_scale.hpp)
///   out[i]   = Σ_j w[i,j] (v[j] + rV[c])   lse[i] = ln Σ_j exp(s[i,j]), without the sink
///   With a temperature T, s / T stands for s; with another normalizer (normalizer.hpp) its weights for w.
///   Allowed: j < key_lengths[b], j <= p (causal), p - left <= j <= p + right (window), j < p or j > p (direction),
///   boolean masks true, float masks not -inf; p = i + offset[b] is the query's position.
///   Key/value head of query head h: floor(h / (H / Hkv)).
/// Shapes: q [B, H, Tq, Dk]; k [B, Hkv, Tk, Dk]; v [B, Hkv, Tk, Dv]; output [B, H, Tq, Dv]; weights [B, H, Tq, Tk] and
///   lse [B, H, Tq], contiguous or null.
/// Large products: an allowed |scale * q·(k + rK)| beyond 16 T that counts beside the highest of its row and tile is made in
///   double, where a float32 sum of products would make a relative error of its size in the weights.
/// Range: s / T above 3e38 is infinite; scale * q, and sums of up to Tk values times e^5.5, are float32: beyond 3e38 they
///   overflow.
/// Appended keys: the last of Tk have no position. Every mask above allows them, and they have no bias and no rK, rV;
///   weight_scale.of_appended tells whether they are scaled.
/// Requires: Dk >= 1; Hkv divides H; 0 <= key_lengths <= Tk less the appended keys; windows >= -1; the rows of a cache that is
///   float16 or a ring lie side by side.
/// Cache: k and v may be those of a cache (kv_layout.hpp): Tk counts all tokens it has seen. Of evicted keys weights are 0 and
///   logits of every stage -inf. With plans these must leave them out themselves.
/// Rows: without an allowed key: out 0, weights 0, lse -inf. A NaN or +inf logit in an allowed pair makes that row NaN and
///   no other. Forbidden keys and values may hold anything.
/// Errors: Status::Shape, Status::Value, Status::Option (lse or sinks without softmax), Status::Memory (workspace too small, or
///   no sparse weights where a pattern needs them: normalizes_lists()).
/// Workspace: attention_workspace_bytes(), independent of Tq and Tk; for a few queries as decode.hpp states; for normalizers of
///   whole rows kPanelScores (dense/block_tiles.hpp) more, for top-k twice as many, or what one row needs where that is more.
/// Accuracy: <= 2x the error of the float32 definition + 8 eps (tests/cpp/support/tolerance.hpp).
/// Determinism: a row's bits depend on its own q, its allowed keys and values and the options, and not on whether weights
///   or lse are asked for, nor on the number of threads. Keys are walked in tiles of kKeyTile from key 0. Calls of at most
///   kDecodeQueries queries (kAdditiveDecodeQueries of additive scores) sum in another order than calls of more.
/// Paper: arXiv:1706.03762 §3.2.1; online softmax: arXiv:1805.02867; tiles: arXiv:2205.14135; ALiBi: arXiv:2108.12409 §3.

#include <cstddef>

#include "attention/problem/attention_args.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// For a pool of `threads` threads.
[[nodiscard]] std::uint64_t attention_workspace_bytes(const AttentionArgs& args, std::size_t threads = 1) noexcept;
[[nodiscard]] std::uint64_t attention_logits_workspace_bytes(const AttentionArgs& args, std::size_t threads = 1) noexcept;

/// On the threads of `pool`, where there is one and the work is long enough to share.
[[nodiscard]] Status attention(const AttentionArgs& args, Workspace workspace, ThreadPool* pool = nullptr) noexcept;

/// Writes the logits of `stage` to [B, H, Tq, Tk]. Raw and Capped hold the true value at forbidden pairs too.
[[nodiscard]] Status attention_logits(const AttentionArgs& args, LogitStage stage, float* logits, Workspace workspace,
                                      ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

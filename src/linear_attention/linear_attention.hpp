#pragma once
/// Linear attention: similarity is a product of features, so that keys and values are summed into a state of constant size
/// (Katharopoulos et al. 2020, arXiv:2006.16236), with the update rules of ONNX LinearAttention (opset 27).
///   linear        S[t] = S[t-1] + φ(k[t]) v[t]ᵀ
///   gated         S[t] = exp(g[t]) S[t-1] + φ(k[t]) v[t]ᵀ
///   delta         S[t] = S[t-1] + β[t] φ(k[t]) (v[t] - S[t-1]ᵀ φ(k[t]))ᵀ
///   gatedDelta    S[t] = exp(g[t]) S[t-1] + β[t] φ(k[t]) (v[t] - (exp(g[t]) S[t-1])ᵀ φ(k[t]))ᵀ
///   out[t] = output_scale φ(q[t])ᵀ S[t] / D[t],    D[t] = φ(q[t]) · z[t] + eps where normalize (z is S of v = 1), else 1
/// Not causal: every query sees the state of all keys; only the linear rule has that form.
/// Softmax features (Efficient Attention, Shen et al. 2021): not causal, no normalize; s is written, not read: φ(K)ᵀ V, the
///   columns of φ(K) having the sum 1.
/// Shapes: q [B, H, Tq, Dk]; k [B, Hkv, Tk, Dk]; v [B, Hkv, Tk, Dv]; output [B, H, Tq, Dv]; decay [B, Hkv, Tk, 1 or F]; beta
///   [B, Hkv, Tk, 1]. Key/value head of query head h: floor(h / (H / Hkv)). F = features.count().
/// State: s [B, Hkv, F, Dv], z [B, Hkv, F], m [B, Hkv, F] (stabilizers of exponential features; -inf = no key yet), contiguous,
///   read and written. z only where normalize, m only where the features are stabilized; with s both are required there.
/// Keys from key_lengths[b] on are left out before anything is computed of them. A row that no key comes before is 0.
/// Stabilizers: each feature of the keys is exp(x[f] - m[f]), m[f] the largest exponent of this feature so far. When it rises,
///   the feature's row of the state is rescaled, so that whole, in chunks and token by token are one function. A query's
///   features are exp(x[f] + m[f] - t), t the largest of these exponents, and exp(t) is multiplied back. So no term of a row
///   is above 1, and only terms below exp(-60) of the row's largest may be lost, however far apart features and keys lie.
/// A NaN or an infinity reaches the rows of its token and later ones (not causal: all), one in v only its own column.
/// Requires: causal: Tq = Tk. Dk, Dv >= 1. output overlaps nothing that is read.
/// Errors: Status::Shape, Status::Value, Status::Memory.
/// Accuracy: <= 2x the error of the float32 definition + 8 eps. Over 200,000 tokens of the linear rule in one call outputs are
///   within 8 eps of Σ |terms| (measured 5.0; plain loops 96), the state within 2 (0.94): sums run over 1024 tokens, and these
///   sums are added with their rounding errors kept.
/// Determinism: bits depend neither on threads nor on other heads.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/view.hpp"
#include "core/workspace.hpp"
#include "linear_attention/feature_maps.hpp"

namespace fovea {

enum class UpdateRule : std::uint32_t { Linear, Gated, Delta, GatedDelta };

struct LinearArgs {
  std::size_t batch = 0, heads = 0, kv_heads = 0, queries = 0, keys = 0, width = 0, value_width = 0;
  HeadsView<const float> q, k, v;
  HeadsView<float> output;
  Features features;
  UpdateRule rule = UpdateRule::Linear;
  bool causal = false;
  bool normalize = false;
  float query_scale = 1.0f, key_scale = 1.0f;  // before the features
  float output_scale = 1.0f;
  float eps = 0.0f;
  const std::int32_t* key_lengths = nullptr;  // [B]; null = Tk
  HeadsView<const float> decay, beta;
  std::size_t decay_width = 0;  // 1 = one for the head, F = one for every feature
  std::size_t chunk = 64;       // tokens that are computed together where causal; at most kLinearChunk are
  float* s = nullptr;           // null: starts from nothing, and is not kept
  float* z = nullptr;
  float* m = nullptr;  // [B, Hkv, F]

  [[nodiscard]] std::size_t group() const noexcept { return heads / kv_heads; }
  [[nodiscard]] std::size_t length(std::size_t b) const noexcept {
    return key_lengths != nullptr ? static_cast<std::size_t>(key_lengths[b]) : keys;
  }
  [[nodiscard]] bool is_gated() const noexcept { return rule == UpdateRule::Gated || rule == UpdateRule::GatedDelta; }
  [[nodiscard]] bool is_delta() const noexcept { return rule == UpdateRule::Delta || rule == UpdateRule::GatedDelta; }
};

/// Tokens of a chunk of a causal call. Whole strips of 4 as of 6 rows, whole panels of 8. D=64, N=16,384, ms at 48, 24, 12: 8.1, 7.3, 7.2 of
/// identity features, 9.6, 8.8, 8.9 of elu1 (Node 24, the lowest of 25, 2026-11-21).
inline constexpr std::size_t kLinearChunk = 24;

[[nodiscard]] std::uint64_t linear_workspace_bytes(const LinearArgs& args, std::size_t threads = 1) noexcept;

[[nodiscard]] Status linear_attention(const LinearArgs& args, Workspace workspace, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

#pragma once
/// The gradient of attention() (attention/attention.hpp) by its arrays. With A the gradient of the weights, f their factors:
///   A[i,j]  = d_output[i] · (v[j] + rV[c]) + d_weights[i,j]
///   D[i]    = Σ_j w[i,j] f A[i,j] = d_output[i] · output[i] + Σ_j weights[i,j] d_weights[i,j]
///   dS[i,j] = w[i,j] (f A[i,j] - D[i]) + d_lse[i] exp(s[i,j] - lse[i])       of the finished logits s
///   dB[i,j] = dS[i,j] / temperature                                          of biases and float masks
///   dX[i,j] = scale dB[i,j] (1 - (capped / softcap)²)                        of the products q[i] · (k[j] + rK[c])
///   d_v[j] += Σ_i w f d_output[i]     d_q[i] += Σ_j dX (k[j] + rK[c])     d_k[j] += Σ_i dX q[i]
///   d_rV[c] += Σ w f d_output[i]      d_rK[c] += Σ dX q[i]                d_f += w A       over the pairs of an entry
///   d_bias += Σ dB over the pairs that an entry is added to               d_sink -= Σ_i D[i] times the sink's share of row i
///   Query heads that share a key/value head are summed. The sums over j and over i run in order.
/// These equations are those of softmax, and of top-k among the keys that it keeps. For the other normalizers (row_terms.hpp):
///   relu       dS = [s > 0] f A / n, or undivided           sigmoid    dS = w (1 - w) f A
///   sparsemax  dS = [w > 0] (f A - mean of f A over w > 0)  entmax15   dS = g (f A - Σ g f A / Σ g),  g = sqrt(w)
/// Additive scores: additive_gradients.hpp. Patterns: sums over the pairs of their plans.
/// s is computed as forward computes it, large products in double, and softmax's w = exp(s - lse) from it. lse is a float32:
///   where it is beyond 16 in size the row's weights are summed first, and divided by their sum.
/// Constants: slopes of ALiBi, centers and sigmas of Gaussians, the pairs of masks and patterns.
/// Shapes: those of attention(). Each gradient has the strides of its array, and is added to; d_output has strides of its own.
///   d_q, d_k and d_v may be one array. A null gradient of an input is not computed, one of a result is zero.
/// Requires: the arrays of `forward` as they were when it ran, its output and, with d_weights, its weights included.
/// Rows: without an allowed key all gradients of a row are 0. Forbidden pairs have gradient 0; arrays may hold NaN there.
/// Errors: Status::Shape, Status::Value (the gradient of an array that the call has not), Status::Option (a call of a cache, of
///   argmax or sampled, of top-k, sparsemax or entmax15 with a pattern; lse or weights missing), Status::Memory.
/// Workspace: attention_backward_workspace_bytes(), independent of Tq Tk: two floats for each row, three more for normalizers of
///   whole rows, and for each thread tiles, a few hundred rows of what relative tables tell apart, and panels of whole rows of
///   at most kPanelScores (dense/block_tiles.hpp), or of one row.
/// Accuracy: <= 2x the error of the float32 definition + 8 eps (tests/cpp/support/tolerance.hpp).
/// Determinism: bits do not depend on the threads.
/// Paper: Dao 2024, arXiv:2307.08691, algorithm 2.

#include <cstddef>
#include <cstdint>

#include "attention/problem/attention_args.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct AttentionBackwardArgs {
  AttentionArgs forward;
  const float* lse = nullptr;               // [B, H, Tq], of the forward call with softmax
  HeadsView<const float> d_output;          // [B, H, Tq, Dv]
  const float* d_weights = nullptr;         // [B, H, Tq, Tk]
  const float* d_sparse_weights = nullptr;  // as forward.sparse_weights.values
  const float* d_lse = nullptr;             // [B, H, Tq]
  HeadsView<float> d_q, d_k, d_v;
  float* d_float_mask = nullptr;  // each as the array that it is the gradient of, by the strides of that
  float* d_key_float_mask = nullptr;
  float* d_pair_bias = nullptr;
  float* d_relative_bias = nullptr;
  float* d_bucket_table = nullptr;
  float* d_relative_keys = nullptr;
  float* d_relative_values = nullptr;
  float* d_weight_scale = nullptr;  // variant.weight_scale.pairs
  float* d_sinks = nullptr;
  float* d_score_weights = nullptr;
  float* d_edge_biases = nullptr;
};

/// For a pool of `threads` threads.
[[nodiscard]] std::uint64_t attention_backward_workspace_bytes(const AttentionBackwardArgs& args,
                                                               std::size_t threads = 1) noexcept;

[[nodiscard]] Status attention_backward(const AttentionBackwardArgs& args, Workspace workspace,
                                        ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

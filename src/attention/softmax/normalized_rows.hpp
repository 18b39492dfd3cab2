#pragma once
/// Results of a row by the call's normalizer, when all its keys have been seen.

#include <cstddef>
#include <cstdint>

#include "attention/problem/attention_args.hpp"
#include "attention/softmax/pointwise_rows.hpp"
#include "attention/softmax/selected_rows.hpp"
#include "core/workspace.hpp"
#include "ops/threshold.hpp"

namespace fovea {

/// Output and weights of a row of relu or sigmoid, of argmax or sampled, of top-k (whose heap is used up).
void write_pointwise_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query,
                         PointwiseRows sums) noexcept;
void write_argmax_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query,
                      const ArgmaxState& state) noexcept;
void write_top_k_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, RowKind kind,
                     TopKHeap heap) noexcept;

/// Writes the row of top-k from the scores of all keys; `best` has top_k_of() places.
void write_top_k_of(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, const float* scores,
                    Ranked* best) noexcept;

/// s <- the weights of a whole row of `n` scores, which needs_full_row(); `scratch` has n floats.
RowKind normalize_row(const AttentionArgs& args, float* s, std::size_t n, float* scratch) noexcept;

/// Output and weights of a row that is normalized: `weights` of all keys, o = Σ_j weights[j] v[j].
void write_normalized(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, RowKind kind,
                      const float* weights, const float* o) noexcept;

/// Output and weights of a row whose scores args.sparse_weights holds; they become weights. The workspace holds
/// list_workspace_bytes().
void normalize_list(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query,
                    Workspace workspace) noexcept;
[[nodiscard]] std::uint64_t list_workspace_bytes(const AttentionArgs& args) noexcept;

}  // namespace fovea

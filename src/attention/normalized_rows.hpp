#pragma once
/// What is written for a row when all its keys have been seen, by the normalizer of the call.

#include <cstddef>

#include "attention/attention.hpp"
#include "attention/online_softmax.hpp"
#include "ops/threshold.hpp"

namespace fovea {

/// Output, weights and lse of a row whose running state is the first of `row`; of top-k that is used up.
void finish_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, RunningRows row) noexcept;

/// s <- the weights of a whole row of `n` scores, which is_row_global(); `scratch` has n floats.
RowKind normalize_row(const AttentionArgs& args, float* s, std::size_t n, float* scratch) noexcept;

/// Output and weights of a row that is normalized: `weights` of all keys, o = Σ_j weights[j] v[j].
void write_normalized(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, RowKind kind,
                      const float* weights, const float* o) noexcept;

/// The same for rows whose scores are args.sparse_weights: those become weights. Needs list_workspace_floats().
void normalize_list(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, float* scratch) noexcept;
[[nodiscard]] std::size_t list_workspace_floats(const AttentionArgs& args) noexcept;

}  // namespace fovea

#pragma once
/// T5's relative position bias (Raffel et al. 2020, arXiv:1910.10683 §2.1): one learned scalar per head and bucket of
/// distances: one bucket for each near distance, logarithmically wider buckets for far ones.
///   d = j - p. Bidirectional: half of the buckets, n = buckets / 2, for d <= 0, the other half for d > 0, by |d|.
///   Else n = buckets, by -d, or by 0 for keys after the query.
///   bucket(d) = d for d < e = n / 2, else min(n - 1, e + floor((n - e) ln(d / e) / ln(max_distance / e)))
/// This is _relative_position_bucket of T5's authors; bucket e + k begins at the least whole d whose logarithm reaches it.
/// Distances beyond max_distance share its bucket: a table by distance is built once per call.
/// Requires: n >= 2; max_distance > e.   Workspace: a float for each head and distance that occurs.

#include <cstddef>

#include "attention/problem/attention_args.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// Whether the buckets are possible ones; true where there are none.
[[nodiscard]] bool has_valid_buckets(const AttentionArgs& args) noexcept;

/// Room for the table by distance: empty where there are no buckets.
float* take_bucket_bias(const AttentionArgs& args, Workspace& workspace) noexcept;

/// `args` with variant.bucket_bias, in memory of the workspace if that suffices.
[[nodiscard]] AttentionArgs with_bucket_bias(const AttentionArgs& args, Workspace& workspace) noexcept;

/// d_table <- d_table + the gradients of variant.bucket_bias, summed by bucket; d_table has the strides of the table.
void add_by_bucket(const AttentionArgs& args, const float* d_bias, float* d_table) noexcept;

}  // namespace fovea

#pragma once
/// Memory of a gradient's walks, and the steps that all of them share.

#include <array>

#include "attention/backward/attention_backward.hpp"
#include "attention/backward/packed_rows.hpp"
#include "attention/backward/pair_gradients.hpp"
#include "attention/backward/row_terms.hpp"
#include "attention/backward/whole_rows.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// For one thread.
struct BackwardScratch {
  PairGradients pairs;
  PairSums sums;
  WholeRows whole;
  std::array<PackedQueries, kBlocksTogether> queries;
  std::array<PackedKeys, kTilesTogether> keys;

  BackwardScratch(const AttentionBackwardArgs& args, Workspace& workspace) noexcept;
};

/// For a pool of `threads` threads.
struct BackwardWorkspace {
  RowTerms rows;
  float* by_bucket;  // gradients of variant.bucket_bias, where those of the buckets are wanted
  ThreadWorkspaces threads;

  BackwardWorkspace(const AttentionBackwardArgs& args, std::size_t threads, Workspace& workspace) noexcept;
};

[[nodiscard]] WantedGradients wanted_of(const AttentionBackwardArgs& args) noexcept;

/// Whether rows of different heads have one gradient: then one thread adds to it.
[[nodiscard]] bool shares_gradients(const AttentionBackwardArgs& args) noexcept;

/// d_sinks, once the terms of rows are written.
void add_to_sinks(const AttentionBackwardArgs& args, ThreadPool* pool) noexcept;

/// The gradients of the buckets, before and after all walks.
void begin_buckets(const AttentionBackwardArgs& args, const BackwardWorkspace& workspace) noexcept;
void end_buckets(const AttentionBackwardArgs& args, const BackwardWorkspace& workspace) noexcept;

}  // namespace fovea

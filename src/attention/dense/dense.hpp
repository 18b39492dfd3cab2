#pragma once
/// Attention of many queries: blocks of queries (attend_block.hpp) on the threads of the pool. Determinism: a row's bits depend
/// neither on the threads nor on how its head is cut into blocks.

#include <cstddef>

#include "attention/problem/attention_args.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// For a pool of `threads` threads.
ThreadWorkspaces take_dense_scratch(const AttentionArgs& args, std::size_t threads, Workspace& workspace) noexcept;

/// The arguments must have been checked; query_from <= query_to <= Tq.
[[nodiscard]] Status attend_dense(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept;

/// Writes the logits of all pairs.
[[nodiscard]] Status dense_logits(const AttentionArgs& args, LogitStage stage, float* logits, Workspace workspace,
                                  ThreadPool* pool) noexcept;

}  // namespace fovea

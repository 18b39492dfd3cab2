#pragma once
/// Attention by compiled patterns (plan.hpp): scores, masks and normalizers are those of dense attention, and time follows the
/// kept pairs. The passes of a plan share the softmax state of its rows. Normalizers that need full rows, and top-k, store the
/// scores of all pairs first, in args.sparse_weights, which must be given, and normalize row by row in units of their own.
/// Determinism: a row's bits depend on what dense attention's do, and on the plan: which keys share a tile, and which pairs have
/// none, follows from the keys of all queries of a block. They do not depend on threads or slices of units, but a call on some of the
/// queries has a plan of its own.

#include <cstddef>
#include <cstdint>

#include "attention/problem/attention_args.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// For a pool of `threads` threads.
struct SparseWorkspace {
  std::uint32_t* ends;  // of each head: one past its last unit
  ThreadWorkspaces units;

  SparseWorkspace(const AttentionArgs& args, std::size_t threads, Workspace& workspace) noexcept;
};

/// Floats of args.state: Dv + 5 for every row where some plan has more than one pass, and one for each distance of relative
/// values. 0 with one pass, and for normalizes_lists().
[[nodiscard]] std::uint64_t sparse_state_floats(const AttentionArgs& args) noexcept;

/// Units of work: what unit_from and unit_to count.
[[nodiscard]] std::size_t sparse_units(const AttentionArgs& args) noexcept;

/// The arguments must have been checked.
[[nodiscard]] Status attend_sparse(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept;

/// Writes the logits of the plans' pairs, -inf elsewhere. Raw and Capped include pairs that the mask arrays forbid.
[[nodiscard]] Status sparse_logits(const AttentionArgs& args, LogitStage stage, float* logits, Workspace workspace,
                                   ThreadPool* pool) noexcept;

}  // namespace fovea

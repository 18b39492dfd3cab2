#pragma once
/// Attention by compiled patterns (plan.hpp): the same scores, rules and softmax as dense attention, in time that follows the
/// kept pairs. The passes of a plan share the running state of its rows. Normalizers of whole rows, and top-k, list the scores
/// of all pairs first (args.sparse_weights, which must be given), and normalize the lists in units of their own. Determinism: a
/// row's bits depend on what dense attention's do, and on the pattern; not on threads or slices of units.

#include <cstddef>

#include "attention/attention.hpp"
#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

/// Of args.plans, for a pool of `threads` threads.
[[nodiscard]] std::size_t sparse_workspace_floats(const AttentionArgs& args, std::size_t threads) noexcept;

/// Floats that args.state holds: (Dv + 5) for every row where some plan has more than one pass, and one for each distance of
/// relative values; else, and where lists are normalized, 0.
[[nodiscard]] std::size_t sparse_state_floats(const AttentionArgs& args) noexcept;

/// Units of work: what unit_from and unit_to count.
[[nodiscard]] std::size_t sparse_units(const AttentionArgs& args) noexcept;

/// The arguments must have been checked.
[[nodiscard]] Status attend_sparse(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept;

/// Writes the logits of the plans' pairs, -inf elsewhere. Raw and Capped tell those of pairs that masks forbid, too.
[[nodiscard]] Status sparse_logits(const AttentionArgs& args, LogitStage stage, float* logits, Workspace workspace,
                                   ThreadPool* pool) noexcept;

}  // namespace fovea

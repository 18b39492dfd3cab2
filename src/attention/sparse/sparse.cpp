#include "attention/sparse/sparse.hpp"

#include <algorithm>

#include "attention/pattern/plan_units.hpp"
#include "attention/score/score_products.hpp"
#include "attention/softmax/normalized_rows.hpp"
#include "attention/softmax/normalizer.hpp"
#include "attention/sparse/sparse_rows.hpp"
#include "attention/sparse/sparse_unit.hpp"
#include "core/infinity.hpp"

namespace fovea {
namespace {

bool is_short(const AttentionArgs& args) noexcept {
  return planned_pairs(args, args.plans) * static_cast<double>(pair_work(args)) < kMinParallelWork;
}

std::size_t planned_units(const AttentionArgs& args) noexcept {
  std::size_t units = 0;
  for (std::size_t head = 0; head < heads_of(args); ++head) units += Plan(args.plans[head]).units();
  return units;
}

/// Rows whose lists are normalized as one unit of work.
constexpr std::size_t kListRows = 64;

/// Units that follow those of the plans where scores are listed first.
std::size_t list_units(const AttentionArgs& args) noexcept {
  if (!normalizes_lists(args)) return 0;
  return (heads_of(args) * args.queries + kListRows - 1) / kListRows;
}

/// The scratch of one thread, for any unit.
std::uint64_t unit_workspace_bytes(const AttentionArgs& args) noexcept {
  const std::uint64_t unit = sparse_unit_workspace_bytes(args);
  return normalizes_lists(args) ? std::max(unit, list_workspace_bytes(args)) : unit;
}

/// Calls visit(unit, workspace) for the units [unit_from, unit_to), pass after pass, on the threads of the pool.
template <class Visit>
void for_each_unit(const AttentionArgs& args, const SparseWorkspace& scratch, ThreadPool* pool, Visit visit) noexcept {
  ThreadPool* const helpers = is_short(args) ? nullptr : pool;
  std::size_t before = 0;
  for (std::size_t pass = 0; pass < passes_of(args, args.plans); ++pass) {
    const PassUnits units(args, args.plans, pass, scratch.ends);
    const std::size_t from = std::clamp(args.unit_from, before, before + units.count()) - before;
    const std::size_t to = std::clamp(args.unit_to, before + from, before + units.count()) - before;
    parallel_for(helpers, to - from,
                 [&](std::size_t index, std::size_t thread) { visit(units.at(from + index), scratch.units.of(thread)); });
    before += units.count();
  }
}

/// The weights and outputs of all rows, out of the lists of their scores.
void normalize_lists(const AttentionArgs& args, const SparseWorkspace& scratch, ThreadPool* pool) noexcept {
  const std::size_t before = planned_units(args), units = list_units(args);
  const std::size_t from = std::clamp(args.unit_from, before, before + units) - before;
  const std::size_t to = std::clamp(args.unit_to, before + from, before + units) - before;
  parallel_for(is_short(args) ? nullptr : pool, to - from, [&](std::size_t index, std::size_t thread) {
    const std::size_t first = (from + index) * kListRows, last = std::min(first + kListRows, heads_of(args) * args.queries);
    for (std::size_t row = first; row < last; ++row) {
      const std::size_t head = row / args.queries;
      normalize_list(args, head / args.heads, head % args.heads, row % args.queries, scratch.units.of(thread));
    }
  });
}

}  // namespace

SparseWorkspace::SparseWorkspace(const AttentionArgs& args, std::size_t threads, Workspace& workspace) noexcept
    : ends(workspace.take<std::uint32_t>(heads_of(args))),
      units(workspace, threads, [&](Workspace& own) { own.take<std::byte>(unit_workspace_bytes(args)); }) {}

std::uint64_t sparse_state_floats(const AttentionArgs& args) noexcept {
  if (passes_of(args, args.plans) <= 1 || normalizes_lists(args)) return 0;
  return saturated_product(heads_of(args), args.queries, RowStates::saved_floats(args));
}

std::size_t sparse_units(const AttentionArgs& args) noexcept { return planned_units(args) + list_units(args); }

Status attend_sparse(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const SparseWorkspace scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  if (!normalizes_lists(args)) {
    if (args.state == nullptr && sparse_state_floats(args) > 0) return Status::Memory;
    for_each_unit(args, scratch, pool, [&](const PlanUnit& unit, Workspace own) { attend_unit(args, unit, own); });
    return Status::Ok;
  }
  if (args.sparse_weights.values == nullptr) return Status::Memory;
  for_each_unit(args, scratch, pool, [&](const PlanUnit& unit, Workspace own) { list_unit_scores(args, unit, own); });
  normalize_lists(args, scratch, pool);
  return Status::Ok;
}

Status sparse_logits(const AttentionArgs& args, LogitStage stage, float* logits, Workspace workspace,
                     ThreadPool* pool) noexcept {
  const SparseWorkspace scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  if (args.unit_from == 0) std::fill_n(logits, heads_of(args) * args.queries * args.keys, kMinusInfinity);
  for_each_unit(args, scratch, pool,
                [&](const PlanUnit& unit, Workspace own) { write_unit_logits(args, unit, stage, logits, own); });
  return Status::Ok;
}

}  // namespace fovea

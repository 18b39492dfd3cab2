#include "attention/sparse.hpp"

#include <algorithm>

#include "attention/normalized_rows.hpp"
#include "attention/normalizer.hpp"
#include "attention/pattern/plan.hpp"
#include "attention/score_products.hpp"
#include "attention/sparse_rows.hpp"
#include "attention/sparse_unit.hpp"
#include "core/infinity.hpp"

namespace fovea {
namespace {

std::size_t heads_of(const AttentionArgs& args) noexcept { return args.batch * args.heads; }

std::size_t passes_of(const AttentionArgs& args) noexcept {
  std::size_t most = 0;
  for (std::size_t head = 0; head < heads_of(args); ++head) most = std::max(most, Plan(args.plans[head]).passes());
  return most;
}

bool is_short(const AttentionArgs& args) noexcept {
  double pairs = 0;
  for (std::size_t head = 0; head < heads_of(args); ++head) pairs += static_cast<double>(Plan(args.plans[head]).pairs());
  return pairs * static_cast<double>(pair_work(args)) < kShortWork;
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

/// What one thread needs for any unit.
std::size_t unit_workspace_floats(const AttentionArgs& args) noexcept {
  const std::size_t lists = normalizes_lists(args) ? list_workspace_floats(args) : 0;
  return std::max(sparse_unit_workspace_floats(args), workspace_round(lists));
}

/// The units of one pass of all plans, counted through.
class PassUnits {
 public:
  /// `ends` has room for every head.
  PassUnits(const AttentionArgs& args, std::size_t pass, std::uint32_t* ends) noexcept : args_(args), pass_(pass), ends_(ends) {
    std::uint32_t count = 0;
    for (std::size_t head = 0; head < heads_of(args); ++head) {
      const Plan plan(args.plans[head]);
      if (pass < plan.passes()) count += static_cast<std::uint32_t>(plan.units_of(pass));
      ends[head] = count;
    }
    count_ = count;
  }

  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  [[nodiscard]] SparseUnit at(std::size_t index) const noexcept {
    const std::uint32_t* const end = std::upper_bound(ends_, ends_ + heads_of(args_), static_cast<std::uint32_t>(index));
    const auto head = static_cast<std::size_t>(end - ends_);
    const std::size_t within = index - (head == 0 ? 0 : ends_[head - 1]), h = head % args_.heads;
    const Plan plan(args_.plans[head]);
    return {head / args_.heads, h, h / (args_.heads / args_.kv_heads), plan.unit(plan.first_unit(pass_) + within)};
  }

 private:
  const AttentionArgs& args_;
  std::size_t pass_, count_;
  std::uint32_t* ends_;
};

/// Calls visit(unit, workspace) for the units [unit_from, unit_to), pass after pass, on the threads of the pool.
template <class Visit>
Status for_each_unit(const AttentionArgs& args, Workspace workspace, ThreadPool* pool, Visit visit) noexcept {
  const std::size_t threads = threads_of(pool), each = unit_workspace_floats(args);
  auto* const ends = reinterpret_cast<std::uint32_t*>(workspace.take(heads_of(args)));
  float* const scratch = workspace.take(threads * each);
  if (!workspace.sufficed()) return Status::Memory;
  ThreadPool* const helpers = is_short(args) ? nullptr : pool;
  std::size_t before = 0;
  for (std::size_t pass = 0; pass < passes_of(args); ++pass) {
    const PassUnits units(args, pass, ends);
    const std::size_t from = std::clamp(args.unit_from, before, before + units.count()) - before;
    const std::size_t to = std::clamp(args.unit_to, before + from, before + units.count()) - before;
    run_on(helpers, to - from, [&](std::size_t index, std::size_t thread) {
      visit(units.at(from + index), Workspace(scratch + thread * each, each));
    });
    before += units.count();
  }
  return Status::Ok;
}

/// The weights and outputs of all rows, out of the lists of their scores.
Status normalize_lists(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const std::size_t each = unit_workspace_floats(args), before = planned_units(args), units = list_units(args);
  float* const scratch = workspace.take(threads_of(pool) * each);
  if (!workspace.sufficed()) return Status::Memory;
  const std::size_t from = std::clamp(args.unit_from, before, before + units) - before;
  const std::size_t to = std::clamp(args.unit_to, before + from, before + units) - before;
  run_on(is_short(args) ? nullptr : pool, to - from, [&](std::size_t index, std::size_t thread) {
    const std::size_t first = (from + index) * kListRows, last = std::min(first + kListRows, heads_of(args) * args.queries);
    for (std::size_t row = first; row < last; ++row) {
      const std::size_t head = row / args.queries;
      normalize_list(args, head / args.heads, head % args.heads, row % args.queries, scratch + thread * each);
    }
  });
  return Status::Ok;
}

}  // namespace

std::size_t sparse_workspace_floats(const AttentionArgs& args, std::size_t threads) noexcept {
  return workspace_round(heads_of(args)) + workspace_round(threads * unit_workspace_floats(args));
}

std::size_t sparse_state_floats(const AttentionArgs& args) noexcept {
  return passes_of(args) > 1 && !normalizes_lists(args) ? heads_of(args) * args.queries * SparseRows::state_floats(args) : 0;
}

std::size_t sparse_units(const AttentionArgs& args) noexcept { return planned_units(args) + list_units(args); }

Status attend_sparse(const AttentionArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  if (!normalizes_lists(args)) {
    if (args.state == nullptr && sparse_state_floats(args) > 0) return Status::Memory;
    return for_each_unit(args, workspace, pool,
                         [&](const SparseUnit& unit, Workspace scratch) { attend_unit(args, unit, scratch); });
  }
  if (args.sparse_weights.values == nullptr) return Status::Memory;
  const Status listed = for_each_unit(
      args, workspace, pool, [&](const SparseUnit& unit, Workspace scratch) { list_unit_scores(args, unit, scratch); });
  return listed == Status::Ok ? normalize_lists(args, workspace, pool) : listed;
}

Status sparse_logits(const AttentionArgs& args, LogitStage stage, float* logits, Workspace workspace,
                     ThreadPool* pool) noexcept {
  if (args.unit_from == 0) std::fill_n(logits, heads_of(args) * args.queries * args.keys, kMinusInfinity);
  return for_each_unit(args, workspace, pool, [&](const SparseUnit& unit, Workspace scratch) {
    write_unit_logits(args, unit, stage, logits, scratch);
  });
}

}  // namespace fovea

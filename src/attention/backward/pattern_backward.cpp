#include "attention/backward/pattern_backward.hpp"

#include <algorithm>

#include "attention/backward/row_scans.hpp"
#include "attention/pattern/plan_units.hpp"
#include "attention/score/score_products.hpp"
#include "core/bits.hpp"

namespace fovea {
namespace {

constexpr std::size_t kStrips = kBackwardRows / kMr;  // of a block

/// One unit of a plan: its rows in packed blocks, and the tiles of their pairs.
class PatternUnit {
 public:
  PatternUnit(const AttentionBackwardArgs& args, const HeadIndex& head, const std::uint32_t* unit,
              BackwardScratch& scratch) noexcept
      : args_(args), head_(head), plan_(unit), scratch_(scratch) {}

  [[nodiscard]] const TokenList& rows() const noexcept { return plan_.rows; }

  /// Calls visit(queries, keys, strips, row of the unit) for the blocks and tiles that share pairs, and end(keys) after each tile.
  template <class Visit, class End>
  void for_each_block(const RowTerms& terms, const WantedGradients& wanted, Visit visit, End end) noexcept {
    const std::size_t blocks = (rows().count + kBackwardRows - 1) / kBackwardRows;
    PackedKeys& keys = scratch_.keys[0];
    if (plan_.tiles > 0) {
      for (std::size_t n = 0; n < blocks; ++n) pack_rows(scratch_.queries[n], n * kBackwardRows, kBackwardRows, terms, wanted);
    }
    for (std::size_t t = 0; t < plan_.tiles; ++t) {
      std::size_t entries = 0;
      keys.pack(args_, head_.batch, head_.kv_head, plan_.tile(entries), wanted);
      StripColumns strips[kBlocksTogether * kStrips] = {};
      for (; entries > 0; --entries) {
        const PlanBlock block = plan_.entry();
        strips[block.strip] = {block.from, block.to, /*planned=*/true, block.masks};
      }
      for (std::size_t n = 0; n < blocks; ++n) visit(scratch_.queries[n], keys, strips + n * kStrips, n * kBackwardRows);
      end(keys);
    }
    for (std::size_t n = 0; n < plan_.leftover_rows; ++n) {
      std::size_t row = 0;
      const TokenList pairs = plan_.leftover_pairs(row);
      pack_rows(scratch_.queries[0], row, 1, terms, wanted);
      for (std::size_t first = 0; first < pairs.count; first += kKeyTile) {
        keys.pack(args_, head_.batch, head_.kv_head, pairs.part(first, std::min(kKeyTile, pairs.count - first)), wanted);
        const std::uint64_t all = bit_range(0, keys.tokens.count);
        const std::uint32_t masks[kMaskWords] = {static_cast<std::uint32_t>(all), static_cast<std::uint32_t>(all >> 32)};
        const StripColumns strip = {0, round_up(keys.tokens.count, kNr), /*planned=*/true, masks};
        visit(scratch_.queries[0], keys, &strip, row);
        end(keys);
      }
    }
  }

 private:
  void pack_rows(PackedQueries& queries, std::size_t row, std::size_t count, const RowTerms& terms,
                 const WantedGradients& wanted) const noexcept {
    const TokenList part = rows().part(row, std::min(count, rows().count - row));
    queries.pack(args_, terms, {head_, part.first, part.count}, wanted, part.list);
  }

  const AttentionBackwardArgs& args_;
  HeadIndex head_;
  PlanReader plan_;
  BackwardScratch& scratch_;
};

/// Calls visit(unit) for the units of a head's plan, pass after pass.
template <class Visit>
void for_each_unit(const AttentionBackwardArgs& args, const HeadIndex& head, BackwardScratch& scratch, Visit visit) noexcept {
  const Plan plan(args.forward.plans[head.batch * args.forward.heads + head.head]);
  for (std::size_t n = 0; n < plan.units(); ++n) {
    PatternUnit unit(args, head, plan.unit(n), scratch);
    visit(unit);
  }
}

/// The terms of a head's rows. Their sums are gathered where the terms will be, as a row may be in several units.
void compute_terms(const AttentionBackwardArgs& args, const HeadIndex& head, const RowTerms& terms,
                   BackwardScratch& scratch) noexcept {
  const AttentionArgs& forward = args.forward;
  const std::size_t first = forward.row_index(head.batch, head.head, 0);
  bool any_sum = false;
  for (std::size_t i = 0; i < forward.queries; ++i) any_sum = any_sum || needs_sum(args, first + i);
  std::fill_n(terms.weight + first, forward.queries, 0.0f);
  std::fill_n(terms.offset + first, forward.queries, 0.0f);
  if (any_sum) {
    for_each_unit(args, head, scratch, [&](PatternUnit& unit) {
      const auto add = [&](const PackedQueries& queries, const PackedKeys& keys, const StripColumns* strips, std::size_t row) {
        double sums[kBackwardRows] = {};
        add_row_sums(args, queries, keys, sums, strips);
        for (std::size_t i = 0; i < queries.block.count; ++i) {
          terms.weight[first + unit.rows().at(row + i)] += static_cast<float>(sums[i]);
        }
      };
      unit.for_each_block(terms, {}, add, [](const PackedKeys&) {});
    });
  }
  for (std::size_t i = 0; i < forward.queries; i += kBackwardRows) {
    const QueryBlock block = {head, i, std::min(kBackwardRows, forward.queries - i)};
    double sums[kBackwardRows];
    std::copy_n(terms.weight + first + i, block.count, sums);
    terms.write(args, block, sums);
  }
}

void add_gradients(const AttentionBackwardArgs& args, const HeadIndex& head, const BackwardWorkspace& workspace,
                   const WantedGradients& wanted, BackwardScratch& scratch) noexcept {
  for_each_unit(args, head, scratch, [&](PatternUnit& unit) {
    if (wanted.pairs) scratch.sums.begin(args, workspace.by_bucket);
    const auto add = [&](const PackedQueries& queries, const PackedKeys& keys, const StripColumns* strips, std::size_t row) {
      scratch.pairs.add_planned(args, queries, keys, wanted, strips, &scratch.sums, row);
    };
    unit.for_each_block(workspace.rows, wanted, add, [&](const PackedKeys& keys) { keys.add_sums(args, wanted); });
    if (wanted.pairs) scratch.sums.finish(args, head, unit.rows());
  });
}

}  // namespace

void pattern_backward(const AttentionBackwardArgs& args, const BackwardWorkspace& workspace, ThreadPool* pool) noexcept {
  const AttentionArgs& forward = args.forward;
  const WantedGradients wanted = wanted_of(args);
  const auto with_scratch = [&](std::size_t thread, auto walk) {
    Workspace own = workspace.threads.of(thread);
    BackwardScratch scratch(args, own);
    walk(scratch);
  };
  if (planned_pairs(forward, forward.plans) * static_cast<double>(pair_work(forward)) < kMinParallelWork) pool = nullptr;
  parallel_for(pool, heads_of(forward), [&](std::size_t index, std::size_t thread) {
    with_scratch(thread, [&](auto& scratch) { compute_terms(args, forward.head_at(index), workspace.rows, scratch); });
  });
  add_to_sinks(args, pool);

  begin_buckets(args, workspace);
  const std::size_t group = forward.heads / forward.kv_heads, kv_heads = forward.batch * forward.kv_heads;
  parallel_for(wanted.pairs || shares_gradients(args) ? nullptr : pool, kv_heads, [&](std::size_t index, std::size_t thread) {
    with_scratch(thread, [&](auto& scratch) {
      for (std::size_t n = index * group; n < (index + 1) * group; ++n) {
        add_gradients(args, forward.head_at(n), workspace, wanted, scratch);
      }
    });
  });
  end_buckets(args, workspace);
}

}  // namespace fovea

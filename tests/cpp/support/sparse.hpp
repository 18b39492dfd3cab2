#pragma once
/// Attention by patterns as a test calls it: plans in memory that moves whenever it grows, state, the pairs of the weights.

#include <memory>

#include "attention/pattern/compile.hpp"
#include "attention/pattern/plan.hpp"
#include "core/word_sink.hpp"
#include "support/pattern.hpp"
#include "support/problem.hpp"

namespace fovea::test {

/// Memory for a sink: a few words more at a time, each time elsewhere, so that AddressSanitizer sees who held on to the old.
/// Beyond `limit` words it is refused. A sink's callback knows no object: one of these at a time.
class GrowingWords {
 public:
  explicit GrowingWords(std::size_t limit = ~std::size_t{0});
  ~GrowingWords() { current_ = nullptr; }
  GrowingWords(const GrowingWords&) = delete;
  GrowingWords& operator=(const GrowingWords&) = delete;

  WordSink sink() { return {words_.get(), capacity_, grow}; }
  std::size_t times_grown() const { return grown_; }

 private:
  static bool grow(std::uint32_t*& words, std::size_t& capacity, std::size_t wanted);

  static inline GrowingWords* current_ = nullptr;
  std::unique_ptr<std::uint32_t[]> words_;
  std::size_t capacity_ = 0, limit_, grown_ = 0;
};

/// The arguments to compile a pattern for batch entry b and head h of a problem, with its positional mask or without.
PatternArgs pattern_args(const Problem& problem, const Program& program, std::size_t b, std::size_t h, bool places = true);

struct CompiledPlan {
  Status status = Status::Internal;
  std::vector<std::uint32_t> words;
};
CompiledPlan compile(const PatternArgs& args);

/// The allowed pairs of all batch entries and heads, by pattern_pairs.
struct Pairs {
  std::vector<std::int32_t> indptr, indices;
};
Pairs pairs_of(const Problem& problem, const Program& program);

/// A problem with a pattern. Holds what the arguments point to.
class SparseCall {
 public:
  SparseCall(const Problem& problem, const Program& program, bool places = true);

  AttentionArgs args();
  /// Arguments that ask for the weights of `pairs`.
  AttentionArgs args_with(const Pairs& pairs);
  std::span<const float> values() const { return values_; }

  const std::vector<std::vector<std::uint32_t>>& plans() const { return plans_; }
  std::size_t units() { return sparse_units_of(args()); }

 private:
  static std::size_t sparse_units_of(const AttentionArgs& args);

  const Problem& problem_;
  std::vector<std::vector<std::uint32_t>> plans_;
  std::vector<const std::uint32_t*> addresses_;
  std::vector<float> state_, values_;
};

/// Computes all that is made of a program that check_pattern passed, at positions inside and outside of its tables.
void evaluate(const Program& program, const PatternSizes& sizes, std::size_t batch, std::size_t head);

/// The problem without the pattern, but with a boolean mask and biases that say the same.
Problem with_pattern_as_masks(const Problem& problem, const Program& program);

/// Counts of the parts of a plan.
struct PlanCounts {
  std::size_t passes = 0, units = 0, tiles = 0, gathered_tiles = 0, full_entries = 0, partial_entries = 0, edges = 0,
              listed_units = 0;
};
PlanCounts counts_of(const std::vector<std::uint32_t>& plan);

/// visit(unit, row of the block, query, key, is an edge) for every pair of a plan, in the order of its units.
template <class Visit>
void for_each_pair(const std::vector<std::uint32_t>& words, Visit visit);

/// Output, dense weights, lse within tolerance of the definition with the masks, sparse weights those at the pairs.
testing::AssertionResult agrees(const Problem& problem, const Program& program);

template <class Visit>
void for_each_pair(const std::vector<std::uint32_t>& words, Visit visit) {
  const Plan plan(words.data());
  for (std::size_t u = 0; u < plan.units(); ++u) {
    PlanReader unit(plan.unit(u));
    for (std::size_t t = 0; t < unit.tiles; ++t) {
      std::size_t entries = 0;
      const TokenList keys = unit.tile(entries);
      for (; entries > 0; --entries) {
        const PlanBlock entry = unit.entry();
        for (std::size_t r = 0; r < kMr; ++r) {
          const std::size_t row = entry.strip * kMr + r;
          if (row >= unit.rows.count) continue;
          for (std::size_t j = 0; j < 64; ++j) {
            if (entry.masks != nullptr && (entry.mask(r) >> j & 1) == 0) continue;
            ASSERT_TRUE(j < keys.count && entry.from <= j && j < entry.to) << "column " << j;
            visit(u, row, unit.rows.at(row), keys.at(j), false);
          }
        }
      }
    }
    for (std::size_t n = 0; n < unit.leftover_rows; ++n) {
      std::size_t row = 0;
      const TokenList keys = unit.leftover_pairs(row);
      for (std::size_t j = 0; j < keys.count; ++j) visit(u, row, unit.rows.at(row), keys.at(j), true);
    }
  }
}

}  // namespace fovea::test

#include "support/sparse.hpp"

#include "attention/pattern/pairs.hpp"
#include "attention/sparse/sparse.hpp"
#include "reference/pattern.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

std::int64_t offset_of(const Problem& problem, std::size_t b) { return problem.offsets.empty() ? 0 : problem.offsets[b]; }

/// visit(b, h, i, j, pair)
template <class Visit>
void for_all_pairs(const Problem& problem, Visit visit) {
  const Sizes& s = problem.sizes;
  for (std::size_t b = 0; b < s.batch; ++b)
    for (std::size_t h = 0; h < s.heads; ++h)
      for (std::size_t i = 0; i < s.queries; ++i)
        for (std::size_t j = 0; j < s.keys; ++j) {
          const auto p = static_cast<std::int64_t>(i) + offset_of(problem, b);
          visit(b, h, i, j, PatternPair{p, static_cast<std::int64_t>(j), b, h, s.keys - problem.appended_keys});
        }
}

}  // namespace

GrowingWords::GrowingWords(std::size_t limit) : limit_(limit) { current_ = this; }

bool GrowingWords::grow(std::uint32_t*& words, std::size_t& capacity, std::size_t) {
  GrowingWords& self = *current_;
  const std::size_t next = capacity < 1000 ? capacity + 7 : capacity + capacity / 3;
  if (next > self.limit_) return false;
  auto moved = std::make_unique<std::uint32_t[]>(next);
  std::copy_n(words, capacity, moved.get());
  self.words_ = std::move(moved);
  self.capacity_ = next;
  ++self.grown_;
  words = self.words_.get();
  capacity = next;
  return true;
}

PatternArgs pattern_args(const Problem& problem, const Program& program, std::size_t b, std::size_t h, bool places) {
  PatternArgs args;
  args.program = program.data();
  args.program_words = program.size();
  args.queries = problem.sizes.queries;
  args.batch = b;
  args.head = h;
  args.rules = problem.args().position_rules(b);
  args.edges = problem.variant.edge_biases.data != nullptr;
  if (!places) {
    args.rules = {args.rules.offset, args.rules.keys, args.rules.keys, false, kUnbounded, kUnbounded};
    args.rules.appended = problem.appended_keys;
  }
  return args;
}

CompiledPlan compile(const PatternArgs& args) {
  GrowingWords memory;
  WordSink sink = memory.sink();
  Scratch scratch(compile_workspace_bytes(args), 0, kPoison);
  CompiledPlan plan;
  plan.status = compile_pattern(args, sink, scratch.workspace());
  if (!scratch.guard_intact()) plan.status = Status::Internal;
  plan.words.assign(sink.words(), sink.words() + sink.size());
  plan.words.shrink_to_fit();
  return plan;
}

Pairs pairs_of(const Problem& problem, const Program& program) {
  Pairs pairs;
  pairs.indptr = {0};
  const Sizes& s = problem.sizes;
  for (std::size_t b = 0; b < s.batch; ++b)
    for (std::size_t h = 0; h < s.heads; ++h) {
      PairsArgs args;
      args.pattern = pattern_args(problem, program, b, h);
      const auto of_head = [&](auto mask) {
        if (mask.data != nullptr) mask.data = mask.row(b, h, 0);
        return mask;
      };
      args.bool_mask = of_head(problem.bool_mask.view());
      args.float_mask = of_head(problem.float_mask.view());
      args.key_bool_mask = of_head(problem.key_bool_mask.view());
      args.key_float_mask = of_head(problem.key_float_mask.view());
      std::vector<std::int32_t> counts(s.queries, -1), indices(s.queries * s.keys, -1);
      Scratch scratch(pairs_workspace_bytes(args), 0, kPoison);
      EXPECT_EQ(pattern_pairs(args, counts.data(), indices.data(), scratch.workspace()), Status::Ok);
      EXPECT_TRUE(scratch.guard_intact());
      std::size_t count = 0;
      for (const std::int32_t n : counts) {
        pairs.indptr.push_back(pairs.indptr.back() + n);
        count += static_cast<std::size_t>(n);
      }
      pairs.indices.insert(pairs.indices.end(), indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(count));
    }
  return pairs;
}

SparseCall::SparseCall(const Problem& problem, const Program& program, bool places) : problem_(problem) {
  for (std::size_t b = 0; b < problem.sizes.batch; ++b)
    for (std::size_t h = 0; h < problem.sizes.heads; ++h) {
      CompiledPlan plan = compile(pattern_args(problem, program, b, h, places));
      EXPECT_EQ(plan.status, Status::Ok);
      plans_.push_back(std::move(plan.words));
    }
  for (const auto& plan : plans_) addresses_.push_back(plan.data());
  AttentionArgs args = problem.args();
  args.plans = addresses_.data();
  state_.assign(static_cast<std::size_t>(sparse_state_floats(args)), kPoison);
}

AttentionArgs SparseCall::args() {
  AttentionArgs args = problem_.args();
  args.plans = addresses_.data();
  args.state = state_.empty() ? nullptr : state_.data();
  return args;
}

AttentionArgs SparseCall::args_with(const Pairs& pairs) {
  values_.assign(pairs.indices.size() + 1, kPoison);
  AttentionArgs with = args();
  with.sparse_weights = {pairs.indptr.data(), pairs.indices.data(), values_.data()};
  return with;
}

std::size_t SparseCall::sparse_units_of(const AttentionArgs& args) { return sparse_units(args); }

void evaluate(const Program& program, const PatternSizes& sizes, std::size_t batch, std::size_t head) {
  for (const std::int64_t offset : {-5, 0, 9}) {
    PairsArgs args;
    args.pattern = {.program = program.data(),
                    .program_words = program.size(),
                    .queries = sizes.queries,
                    .batch = batch,
                    .head = head,
                    .rules = {.offset = offset, .keys = sizes.keys, .length = sizes.keys}};
    std::vector<std::int32_t> counts(sizes.queries), indices(sizes.queries * sizes.keys);
    Scratch scratch(pairs_workspace_bytes(args), 0, kPoison);
    ASSERT_EQ(pattern_pairs(args, counts.data(), indices.data(), scratch.workspace()), Status::Ok);
    ASSERT_TRUE(scratch.guard_intact());
    std::size_t row = 0;
    for (const std::int32_t count : counts) {
      for (std::int32_t n = 0; n < count; ++n) {
        ASSERT_TRUE(indices[row] >= 0 && static_cast<std::size_t>(indices[row]) < sizes.keys);
        ++row;
      }
    }
    ASSERT_EQ(compile(args.pattern).status, Status::Ok);
  }
}

Problem with_pattern_as_masks(const Problem& problem, const Program& program) {
  const Sizes& s = problem.sizes;
  Problem masked = problem;
  Problem source = problem;
  masked.bool_mask = PairsMask<std::uint8_t>(s.batch, s.heads, s.queries, s.keys, 0);
  for_all_pairs(problem, [&](std::size_t b, std::size_t h, std::size_t i, std::size_t j, const PatternPair& pair) {
    if (j >= s.keys - problem.appended_keys) return;
    const bool open = source.bool_mask.empty() || source.bool_mask.at(b, h, i, j) != 0;
    masked.bool_mask.at(b, h, i, j) = open && allows(program.data(), pair) ? 1 : 0;
  });
  if (!has_bias(program.data(), problem.variant.edge_biases.data != nullptr)) return masked;
  masked.float_mask = PairsMask<float>(s.batch, s.heads, s.queries, s.keys, 0);
  for_all_pairs(problem, [&](std::size_t b, std::size_t h, std::size_t i, std::size_t j, const PatternPair& pair) {
    if (j >= s.keys - problem.appended_keys) return;
    const float added = source.float_mask.empty() ? 0.0f : source.float_mask.at(b, h, i, j);
    const EdgeBiases& edges = problem.variant.edge_biases;
    masked.float_mask.at(b, h, i, j) = added + bias_of(program.data(), pair, edges.data ? edges.of(b, h) : nullptr);
  });
  return masked;
}

PlanCounts counts_of(const std::vector<std::uint32_t>& words) {
  const Plan plan(words.data());
  PlanCounts counts;
  counts.passes = plan.passes();
  counts.units = plan.units();
  for (std::size_t u = 0; u < plan.units(); ++u) {
    PlanReader unit(plan.unit(u));
    counts.tiles += unit.tiles;
    counts.listed_units += unit.rows.list != nullptr;
    for (std::size_t t = 0; t < unit.tiles; ++t) {
      std::size_t entries = 0;
      counts.gathered_tiles += unit.tile(entries).list != nullptr;
      for (; entries > 0; --entries) ++(unit.entry().masks == nullptr ? counts.full_entries : counts.partial_entries);
    }
    for (std::size_t n = 0; n < unit.leftover_rows; ++n) {
      std::size_t row = 0;
      counts.edges += unit.leftover_pairs(row).count;
    }
  }
  return counts;
}

testing::AssertionResult agrees(const Problem& problem, const Program& program) {
  SparseCall call(problem, program);
  const Pairs pairs = pairs_of(problem, program);
  const Outcome outcome = run(call.args_with(pairs), Want::All, problem.arrangement);
  const auto fails = [&problem](const auto& message) {
    return testing::AssertionFailure() << message << "\n  in " << problem.describe();
  };
  if (const auto ok = agrees(outcome, with_pattern_as_masks(problem, program).oracle()); !ok) return fails(ok.message());
  for (std::size_t row = 0; row + 1 < pairs.indptr.size(); ++row)
    for (std::int32_t n = pairs.indptr[row]; n < pairs.indptr[row + 1]; ++n) {
      const auto at = static_cast<std::size_t>(n);
      const float dense = outcome.weights[row * problem.sizes.keys + static_cast<std::size_t>(pairs.indices[at])];
      if (!same_bits(call.values()[at], dense)) {
        return fails(testing::Message() << "sparse weight " << call.values()[at] << ", dense " << dense << ", row " << row);
      }
    }
  if (!is_poison(call.values().back())) return fails("written past the sparse weights");
  return testing::AssertionSuccess();
}

}  // namespace fovea::test

/// A plan holds every allowed pair once and no other, and is whole or not there.

#include "attention/pattern/compile.hpp"

#include <map>

#include "reference/pattern.hpp"
#include "support/draw.hpp"
#include "support/scratch.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

/// Every row starts once and ends once; of each pass the units have falling work, and tell their size.
void check_frame(const std::vector<std::uint32_t>& words, std::size_t queries) {
  const Plan plan(words.data());
  ASSERT_EQ(plan.first_unit(0), 0u);
  ASSERT_EQ(plan.first_unit(plan.passes()), plan.units());
  std::vector<std::size_t> starts(queries), ends(queries);
  for (std::size_t pass = 0; pass < plan.passes(); ++pass) {
    std::vector<bool> seen(queries);
    for (std::size_t u = plan.first_unit(pass); u < plan.first_unit(pass + 1); ++u) {
      const PlanReader unit(plan.unit(u));
      ASSERT_TRUE(unit.rows.count > 0 && unit.rows.count <= 264);
      ASSERT_EQ((unit.flags & kFirstPass) != 0, pass == 0);
      ASSERT_EQ((unit.flags & kLastPass) != 0, pass + 1 == plan.passes());
      if (u > plan.first_unit(pass)) {
        ASSERT_GE(plan.unit(u - 1)[1], plan.unit(u)[1]);
      }
      for (std::size_t row = 0; row < unit.rows.count; ++row) {
        const std::size_t query = unit.rows.at(row);
        ASSERT_LT(query, queries);
        ASSERT_FALSE(seen[query]) << "query " << query << " is twice in pass " << pass;
        seen[query] = true;
        starts[query] += unit.flags & kFirstPass;
        ends[query] += (unit.flags & kLastPass) != 0;
      }
    }
  }
  ASSERT_EQ(starts, std::vector<std::size_t>(queries, 1));
  ASSERT_EQ(ends, std::vector<std::size_t>(queries, 1));
}

void check_pairs(const std::vector<std::uint32_t>& words, const PatternArgs& args, const Program& program) {
  const std::size_t keys = args.rules.keys;
  std::vector<int> held(args.queries * keys);
  for_each_pair(words, [&](std::size_t, std::size_t, std::size_t query, std::size_t key, bool) {
    if (query < args.queries && key < keys) ++held[query * keys + key];
  });
  for (std::size_t i = 0; i < args.queries; ++i) {
    const KeyRange range = args.rules.keys_of(i);
    for (std::size_t j = 0; j < keys; ++j) {
      const bool expected = range.from <= j && j < range.to &&
                            allows(program, args.rules.position(i), static_cast<std::int64_t>(j), args.batch, args.head, keys);
      ASSERT_EQ(held[i * keys + j], expected ? 1 : 0) << "query " << i << ", key " << j;
    }
  }
}

/// Every listed pair's biases, summed over the plan's tables; edge n has n / 4.
void check_bias(const std::vector<std::uint32_t>& words, const PatternArgs& args, const Program& program) {
  const Plan plan(words.data());
  std::map<std::pair<std::size_t, std::uint32_t>, float> sums;
  std::vector<float> edges(program.size());
  for (std::size_t n = 0; n < edges.size(); ++n) edges[n] = 0.25f * static_cast<float>(n);
  const std::uint32_t* table = plan.first_table();
  for (std::size_t n = 0; n < plan.tables(); ++n, table += table[0]) {
    const std::uint32_t *const starts = table + 2, *const keys = starts + args.queries + 1;
    for (std::size_t i = 0; i < args.queries; ++i)
      for (std::uint32_t at = starts[i]; at < starts[i + 1]; ++at) {
        const std::uint32_t word = keys[starts[args.queries] + at];
        sums[{i, keys[at]}] += table[1] != 0 ? edges[word] : std::bit_cast<float>(word);
      }
  }
  ASSERT_EQ(table, words.data() + words.size());
  for (std::size_t i = 0; i < args.queries; ++i)
    for (std::uint32_t j = 0; j < args.rules.keys; ++j) {
      const auto found = sums.find({i, j});
      const PatternPair pair = {args.rules.position(i), j, args.batch, args.head, args.rules.keys};
      const float expected = bias_of(program.data(), pair, args.edges ? edges.data() : nullptr);
      ASSERT_EQ(found == sums.end() ? 0.0f : found->second, expected) << "query " << i << ", key " << j;
    }
}

void check_plan(const Problem& problem, const Program& program) {
  for (std::size_t b = 0; b < problem.sizes.batch; ++b)
    for (std::size_t h = 0; h < problem.sizes.heads; ++h) {
      PatternArgs args = pattern_args(problem, program, b, h);
      for (const bool edges : {false, true}) {
        args.edges = edges;
        const CompiledPlan plan = compile(args);
        ASSERT_EQ(plan.status, Status::Ok);
        check_frame(plan.words, args.queries);
        check_pairs(plan.words, args, program);
        check_bias(plan.words, args, program);
      }
    }
}

}  // namespace

TEST(CompilePattern, APlanHoldsEveryAllowedPairOnceAndNoOther) {
  const DrawnSizes from = {.queries = {1, 3, 5, 31, 63, 65, 130, 300}, .keys = {1, 3, 5, 63, 64, 65, 130, 300}, .widths = {1}};
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Problem problem = draw_problem(seed, from);
    Random random(seed + 1000);
    check_plan(problem,
               draw_pattern({problem.sizes.batch, problem.sizes.heads, problem.sizes.queries, problem.sizes.keys}, random));
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << ", " << problem.describe();
  }
}

TEST(CompilePattern, EveryKindOfLeafAloneIsHeldWhole) {
  Random random(31);
  for (const PatternOp op : leaf_ops())
    for (int again = 0; again < 6; ++again) {
      const Problem problem({1, 2, 2, random.size(60, 200), random.size(60, 200), 1, 1}, 1);
      check_plan(problem, draw_leaf(op, {1, 2, problem.sizes.queries, problem.sizes.keys}, random));
      ASSERT_FALSE(HasFatalFailure()) << "op " << static_cast<int>(op) << ", draw " << again;
    }
}

TEST(CompilePattern, ManyQueriesAndKeysAreHeldWhole) {
  const Problem problem({1, 1, 1, 2300, 200, 1, 1}, 1);
  for (const Program& program :
       {band(20, 20), atrous(7), or_({band(3, 0), atrous(64)}), random_keys(2, 16, 3), axial(2300, 23, 10)}) {
    check_plan(problem, program);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(CompilePattern, RowsWithMoreKeysApartThanAreKeptFromTheFirstLookAreHeldWhole) {
  // Blocks of 264 rows, some 190 intervals each: 32,768 intervals hold 172 of these rows.
  const Problem problem({1, 1, 1, 2200, 400, 1, 1}, 1);
  for (const Program& program : {random_keys(190, 1, 7), and_({not_(atrous(2)), random_keys(380, 1, 8)})}) {
    const PatternArgs args = pattern_args(problem, program, 0, 0);
    const CompiledPlan plan = compile(args);
    ASSERT_EQ(plan.status, Status::Ok);
    check_frame(plan.words, args.queries);
    check_pairs(plan.words, args, program);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(CompilePattern, PartsWhoseKeysLieFarFromThoseBeforeAreHeldWhole) {
  const Problem problem({1, 1, 1, 330, 330, 1, 1}, 1);
  const Program far = and_({not_(band(60, 60)), atrous(8)}), near = and_({band(40, 3), not_(band(2, 1))});
  for (const Program& program :
       {or_({far, near}), or_({atrous(8), near, random_keys(2, 1, 3)}), or_({atrous(8), not_(all())})}) {
    check_plan(problem, program);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(CompilePattern, EmptyExtentsHaveEmptyPlans) {
  for (const std::size_t queries : {0u, 5u})
    for (const std::size_t keys : {0u, 5u}) {
      if (queries > 0 && keys > 0) continue;
      const Problem problem({1, 1, 1, queries, keys, 1, 1}, 1);
      for (const Program& program : {all(), not_(all()), or_({atrous(2), random_keys(2, 2, 1)})}) {
        check_plan(problem, program);
        ASSERT_FALSE(HasFatalFailure()) << queries << " queries, " << keys << " keys";
      }
    }
}

TEST(CompilePattern, AWorkspaceThatIsTooSmallIsToldBeforeAnythingIsWritten) {
  const Problem problem({1, 1, 1, 70, 90, 1, 1}, 1);
  const Program program = or_({band(2, 2), atrous(3)});
  const PatternArgs args = pattern_args(problem, program, 0, 0);
  const std::uint64_t bytes = compile_workspace_bytes(args);
  for (const std::size_t short_by : {std::size_t{1}, std::size_t{16}, floats_of(bytes)}) {
    GrowingWords memory;
    WordSink sink = memory.sink();
    Scratch scratch(bytes, short_by, kPoison);
    EXPECT_EQ(compile_pattern(args, sink, scratch.workspace()), Status::Memory);
    EXPECT_TRUE(scratch.guard_intact());
    EXPECT_EQ(sink.size(), 0u);
  }
}

TEST(CompilePattern, WhereverMemoryIsRefusedItIsTold) {
  const Problem problem({1, 1, 1, 70, 90, 1, 1}, 1);
  std::vector<std::vector<std::int32_t>> keys(70);
  std::vector<float> bias;
  for (std::int32_t n = 0; n < 70; ++n) {
    keys[static_cast<std::size_t>(n)] = {n, n + 5, n + 20};
    bias.insert(bias.end(), 3, 0.5f);
  }
  const Program program = or_({lists({1, 1, 70, 90}, keys, bias), atrous(3), random_keys(3, 1, 9)});
  const PatternArgs args = pattern_args(problem, program, 0, 0);
  const CompiledPlan whole = compile(args);
  ASSERT_EQ(whole.status, Status::Ok);
  for (std::size_t limit = 0; limit < whole.words.size() + 1000; limit += 29) {
    GrowingWords memory(limit);
    WordSink sink = memory.sink();
    Scratch scratch(compile_workspace_bytes(args), 0, kPoison);
    const Status status = compile_pattern(args, sink, scratch.workspace());
    ASSERT_TRUE(scratch.guard_intact());
    ASSERT_EQ(sink.failed(), status != Status::Ok);
    if (limit < whole.words.size()) {
      ASSERT_EQ(status, Status::Memory) << limit << " words";
    } else if (status == Status::Ok) {
      ASSERT_EQ(std::vector<std::uint32_t>(sink.words(), sink.words() + sink.size()), whole.words);
    }
  }
}

TEST(CompilePattern, WhatIsNoPatternOrNoPlaceIsRefused) {
  const Problem problem({1, 1, 1, 70, 90, 1, 1}, 1);
  const Program malformed = atrous(0), fine = all();
  PatternArgs args = pattern_args(problem, malformed, 0, 0);
  EXPECT_EQ(compile_workspace_bytes(args), 0u);
  EXPECT_EQ(compile(args).status, Status::Value);
  args = pattern_args(problem, fine, 0, 0);
  args.rules.length = 91;
  EXPECT_EQ(compile(args).status, Status::Value);
}

}  // namespace fovea::test

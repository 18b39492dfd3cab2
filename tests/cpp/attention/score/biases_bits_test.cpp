/// Biases leave a row's bits its own: independent of threads, slices, other heads, and of the other outputs asked for.

#include "support/biases.hpp"
#include "support/scratch.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

Problem busy(const Sizes& sizes, std::uint64_t seed) {
  Problem problem(sizes, seed);
  set_bias(problem, BiasKind::All, seed, 20);
  for (std::size_t b = 0; b < sizes.batch; ++b) problem.offsets.push_back(static_cast<std::int32_t>(30 * b + 5));
  return problem;
}

Program pattern() { return or_({band(20, 30), atrous(8), random_keys(2, 1, 3)}); }

}  // namespace

TEST(BiasesBits, AnyNumberOfThreadsGivesTheSameBits) {
  for (const std::size_t queries : {3u, 300u}) {
    const Problem problem = busy({2, 4, 2, queries, queries == 3 ? 3000u : 300u, 16, 9}, 31);
    SparseCall call(problem, pattern());
    const Outcome dense = run(problem), sparse = run(call.args());
    for (const std::size_t threads : {2u, 3u}) {
      ThreadPool pool;
      ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
      EXPECT_TRUE(same_bits(run_on_pool(problem.args(), pool), dense)) << threads;
      EXPECT_TRUE(same_bits(run_on_pool(call.args(), pool), sparse)) << threads;
    }
  }
}

TEST(BiasesBits, ARangeOfQueriesOrOfUnitsIsTheWholeCalls) {
  const Problem problem = busy({2, 2, 1, 300, 170, 16, 9}, 32);
  const Outcome whole = run(problem);
  for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>{0, 64}, {64, 192}, {128, kAllQueries}}) {
    AttentionArgs args = problem.args();
    args.query_from = from;
    args.query_to = to;
    const Outcome part = run(args);
    for (std::size_t row = 0; row < 4 * 300; ++row) {
      if (row % 300 < from || row % 300 >= to) continue;
      ASSERT_TRUE(same_bits(part.output_row(row, 9), whole.output_row(row, 9))) << row;
      ASSERT_TRUE(same_bits(part.lse[row], whole.lse[row])) << row;
    }
  }
  SparseCall call(problem, pattern());
  const Outcome sparse = run(call.args());
  std::vector<float> output(whole.output.size(), kPoison);
  AttentionArgs args = call.args();
  args.output = {output.data(), 2 * 300 * 9, 300 * 9, 9};
  for (std::size_t unit = 0; unit < call.units(); unit += 3) {
    args.unit_from = unit;
    args.unit_to = unit + 3;
    std::vector<float> workspace(floats_of(attention_workspace_bytes(args)) + 16);
    ASSERT_EQ(attention(args, Workspace(workspace.data(), workspace.size() * sizeof(float))), Status::Ok);
  }
  EXPECT_TRUE(same_bits(std::span<const float>(output), std::span<const float>(sparse.output)));
}

TEST(BiasesBits, AskingForWeightsOrLseChangesNoBitAndNeitherDoesTheWorkspace) {
  for (const std::size_t queries : {3u, 70u}) {
    const Problem problem = busy({1, 2, 1, queries, 150, 16, 9}, 33);
    const Outcome all = run(problem, Want::All);
    EXPECT_TRUE(same_bits(run(problem, Want::Output).output, all.output));
    EXPECT_TRUE(same_bits(run(problem, Want::Weights).output, all.output));
    EXPECT_TRUE(same_bits(run(problem, Want::Lse).lse, all.lse));
    for (const float filler : {0.0f, kHuge, kInfinity, kNan}) {
      EXPECT_TRUE(same_bits(run(problem.args(), Want::All, {}, 0, filler), all)) << filler;
    }
  }
}

TEST(BiasesBits, ATableSharedByAllHeadsIsThatOfEach) {
  for (const std::size_t queries : {3u, 70u}) {
    Problem shared({1, 2, 1, queries, 150, 16, 9}, 34), each = shared;
    for (Problem* problem : {&shared, &each}) {
      for (auto [table, width] : {std::pair{&problem->variant.relative_bias, 1u},
                                  {&problem->variant.relative_keys, 16u},
                                  {&problem->variant.relative_values, 9u}}) {
        const RelativeTable one = relative_table(*problem, 7, width, false, 35);
        std::vector<float> both(one.data, one.data + 15 * width);
        both.insert(both.end(), one.data, one.data + 15 * width);
        *table = problem == &shared ? one
                                    : RelativeTable{problem->hold(std::move(both)), static_cast<std::ptrdiff_t>(15 * width), 7};
      }
    }
    EXPECT_TRUE(same_bits(run(shared), run(each)));
    EXPECT_TRUE(same_bits(run(SparseCall(shared, pattern()).args()), run(SparseCall(each, pattern()).args())));
  }
}

}  // namespace fovea::test

/// Relative keys and values: tables of every size, what they may hold, and what they are summed in.

#include "attention/score/clipped_distance.hpp"
#include "support/biases.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

Problem shaw(const Sizes& sizes, std::size_t clip, std::uint64_t seed, bool per_head = true) {
  Problem problem(sizes, seed, kGaps);
  problem.variant.relative_keys = relative_table(problem, clip, sizes.width, per_head, seed + 1);
  problem.variant.relative_values = relative_table(problem, clip, sizes.value_width, per_head, seed + 2);
  return problem;
}

/// The table with NaN in the rows of distances from `from` to `to`.
RelativeTable broken(Problem& problem, const RelativeTable& table, std::size_t width, std::ptrdiff_t from, std::ptrdiff_t to) {
  std::vector<float> numbers(table.data, table.data + table.distances() * width);
  for (std::ptrdiff_t d = from; d <= to; ++d)
    for (std::size_t c = 0; c < width; ++c) {
      numbers[static_cast<std::size_t>(d + static_cast<std::ptrdiff_t>(table.clip)) * width + c] = kNan;
    }
  return {problem.hold(std::move(numbers)), 0, table.clip};
}

const std::vector<Program>& programs() {
  static const std::vector<Program> kPrograms = {all(), band(9, 9), columns(16, 3, 5), random_keys(2, 1, 5),
                                                 or_({band(5, 5), atrous(8), atrous(6)})};
  return kPrograms;
}

}  // namespace

TEST(RelativePositions, TablesShorterThanTheSequenceAndLongerAgree) {
  for (const std::size_t clip : {0u, 1u, 3u, 4u, 31u, 32u, 33u, 64u, 70u, 300u})
    for (const std::size_t queries : {1u, 8u, 9u, 65u}) {
      EXPECT_TRUE(agrees(shaw({1, 2, 1, queries, 130, 7, 5}, clip, clip + queries))) << clip;
    }
}

TEST(RelativePositions, KeysAndValuesMayHaveClipsOfTheirOwnAndEitherMayBeLeftOut) {
  for (const std::size_t queries : {3u, 40u}) {
    Problem both = shaw({1, 2, 2, queries, 70, 8, 12}, 5, queries);
    both.variant.relative_values = relative_table(both, 40, 12, false, 9);
    EXPECT_TRUE(agrees(both));
    for (const Program& program : programs()) EXPECT_TRUE(agrees(both, program));
    Problem keys = both, values = both;
    keys.variant.relative_values = {};
    values.variant.relative_keys = {};
    EXPECT_TRUE(agrees(keys));
    EXPECT_TRUE(agrees(values));
  }
}

TEST(RelativePositions, ValuesWithoutWidthAreOk) {
  EXPECT_TRUE(agrees(shaw({1, 1, 1, 5, 9, 4, 0}, 3, 1)));
  EXPECT_TRUE(agrees(shaw({1, 1, 1, 30, 9, 4, 0}, 3, 2)));
}

TEST(RelativePositions, TheKeysPartIsInTheScoreBeforeTheCapAndIsScaled) {
  for (const std::size_t queries : {2u, 20u}) {
    Problem problem = shaw({1, 1, 1, queries, 30, 16, 4}, 4, 5);
    problem.scale = 4;
    problem.softcap = 2;
    EXPECT_TRUE(agrees(problem));
    EXPECT_TRUE(within_tolerance(run_logits(problem.args(), LogitStage::Raw).logits, problem.logits_oracle().raw));
  }
}

TEST(RelativePositions, LargeProductsWithTheTableAreComputedInDouble) {
  for (const std::size_t queries : {2u, 30u})
    for (const float size : {100.0f, 1000.0f}) {
      Problem problem({1, 1, 1, queries, 90, 128, 4}, 6);
      std::vector<float> table(9 * 128);
      Random random(7);
      for (float& x : table) x = size * random.normal();
      problem.variant.relative_keys = {problem.hold(std::move(table)), 0, 4};
      EXPECT_TRUE(agrees(problem)) << size;
      for (const Program& program : programs()) EXPECT_TRUE(agrees(problem, program)) << size;
    }
}

TEST(RelativePositions, RowsOfDistancesThatNoAllowedKeyHasReachNothing) {
  for (const std::size_t queries : {5u, 70u}) {
    Problem problem = shaw({1, 2, 1, queries, 70, 8, 6}, 6, 11, false);
    problem.causal = true;
    problem.offsets = {10};
    const auto& axes = problem.variant;
    Problem loud = problem;
    loud.variant.relative_keys = broken(loud, axes.relative_keys, 8, 1, 6);
    loud.variant.relative_values = broken(loud, axes.relative_values, 6, 1, 6);
    ASSERT_TRUE(agrees(problem));
    EXPECT_TRUE(same_bits(run(loud), run(problem)));
    for (const Program& program : programs()) {
      EXPECT_TRUE(same_bits(run(SparseCall(loud, program).args()), run(SparseCall(problem, program).args())));
    }
  }
}

TEST(RelativePositions, ANanRowOfTheTableReachesTheRowsThatTakeItAndNoOthers) {
  for (const std::size_t queries : {8u, 70u}) {
    Problem problem = shaw({1, 1, 1, queries, 70, 8, 6}, 100, 12, false);
    problem.window_left = problem.window_right = 3;
    // Only the first two queries have a key two places before... none: keys start at 0. All from the third on do.
    Problem keys = problem, values = problem;
    keys.variant.relative_keys = broken(keys, problem.variant.relative_keys, 8, -2, -2);
    values.variant.relative_values = broken(values, problem.variant.relative_values, 6, -2, -2);
    const Outcome expected = run(problem), by_key = run(keys), by_value = run(values);
    for (std::size_t i = 0; i < queries; ++i) {
      if (i < 2) {
        EXPECT_TRUE(same_bits(by_key.output_row(i, 6), expected.output_row(i, 6)));
        EXPECT_TRUE(same_bits(by_value.output_row(i, 6), expected.output_row(i, 6)));
      } else {
        EXPECT_TRUE(all_nan(by_key.output_row(i, 6))) << i;
        EXPECT_TRUE(all_nan(by_value.output_row(i, 6))) << i;
        EXPECT_TRUE(std::isnan(by_key.lse[i]));
      }
      EXPECT_TRUE(same_bits(by_value.lse[i], expected.lse[i]));
    }
  }
}

TEST(RelativePositions, RisingMaximaRescaleTheSumsByDistance) {
  for (const std::size_t queries : {2u, 20u}) {
    Problem problem = shaw({1, 1, 1, queries, 2100, 4, 3}, 50, 13);
    for (std::size_t j = 0; j < 2100; ++j)
      for (std::size_t d = 0; d < 4; ++d) problem.k.at(0, 0, j, d) *= 0.002f * static_cast<float>(j);
    EXPECT_TRUE(agrees(problem));
    EXPECT_TRUE(agrees(problem, or_({band(400, 900), random_keys(9, 1, 3)})));
  }
}

TEST(RelativePositions, AWorkspaceThatIsTooSmallIsTold) {
  for (const std::size_t queries : {3u, 70u}) {
    const Problem problem = shaw({1, 2, 1, queries, 90, 8, 6}, 40, 14);
    SparseCall call(problem, band(9, 9));
    for (const AttentionArgs& args : {problem.args(), call.args()})
      for (const std::size_t short_by : {1u, 200u, 2000u}) {
        const Outcome outcome = run(args, Want::All, {}, short_by);
        EXPECT_EQ(outcome.status, Status::Memory);
        EXPECT_TRUE(all_poison(outcome.output));
        EXPECT_EQ(run_logits(args, LogitStage::Raw, short_by).status, Status::Memory);
      }
  }
}

TEST(RelativePositions, AnInfiniteQueryMeetsTheSumOfKeyAndRow) {
  for (const float huge : {kInfinity, -kInfinity}) {
    for (const std::size_t queries : {2u, 20u}) {
      Problem problem = shaw({1, 1, 1, queries, 90, 3, 2}, 7, 15);
      problem.q.at(0, 0, 1, 0) = huge;
      SparseCall call(problem, or_({band(3, 3), random_keys(4, 1, 3)}));
      const RelativeTable& table = problem.variant.relative_keys;
      for (const AttentionArgs& args : {problem.args(), call.args()}) {
        const LogitsOutcome raw = run_logits(args, LogitStage::Raw);
        ASSERT_EQ(raw.status, Status::Ok);
        for (std::size_t j = 0; j < 90; ++j) {
          const float logit = raw.logits[90 + j];
          if (args.plans != nullptr && logit == -kInfinity) continue;  // outside of the pattern, or a sum below 0
          const float sum = problem.k.at(0, 0, j, 0) + table.of(0)[clipped_distance(j, 1, table.clip) * 3];
          EXPECT_EQ(logit, sum * huge) << j;
        }
      }
    }
  }
}

}  // namespace fovea::test

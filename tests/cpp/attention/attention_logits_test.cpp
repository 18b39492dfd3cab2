/// The three stages of the logits.

#include "support/problem.hpp"

namespace fovea::test {
namespace {

testing::AssertionResult logits_agree(const Problem& problem) {
  const LogitsOracle oracle = problem.logits_oracle();
  for (const auto& [stage, expected] :
       {std::pair{LogitStage::Raw, &oracle.raw}, {LogitStage::Capped, &oracle.capped}, {LogitStage::Biased, &oracle.biased}}) {
    const LogitsOutcome outcome = run_logits(problem.args(), stage);
    if (outcome.status != Status::Ok) return testing::AssertionFailure() << to_string(outcome.status);
    if (const auto ok = within_tolerance(outcome.logits, *expected); !ok) {
      return testing::AssertionFailure() << "stage " << static_cast<int>(stage) << ok.message() << "\n  in "
                                         << problem.describe();
    }
  }
  return testing::AssertionSuccess();
}

Problem full(const Sizes& sizes, std::uint64_t seed) {
  Problem problem(sizes, seed, kGaps);
  Random random(seed);
  problem.softcap = 2;
  problem.causal = true;
  problem.window_left = 50;
  problem.offsets.assign(sizes.batch, 20);
  problem.key_lengths.assign(sizes.batch, static_cast<std::int32_t>(sizes.keys - sizes.keys / 4));
  problem.slopes.assign(sizes.heads, 0.3f);
  problem.bool_mask = PairsMask<std::uint8_t>(1, 1, sizes.queries, sizes.keys, 0);
  problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.8)); });
  problem.float_mask = PairsMask<float>(1, sizes.heads, 1, sizes.keys, 0);
  problem.float_mask.fill([&] { return random.chance(0.1) ? -kInfinity : random.normal(); });
  return problem;
}

}  // namespace

TEST(AttentionLogits, EveryStageIsRightForEveryLength) {
  std::uint64_t seed = 80;
  for (const std::size_t queries : {1u, 4u, 5u, 64u, 130u})
    for (const std::size_t keys : {1u, 3u, 8u, 63u, 64u, 65u, 130u}) {
      const std::size_t width = std::vector<std::size_t>{1, 7, 16, 80}[seed % 4];
      ASSERT_TRUE(logits_agree(Problem({1, 2, 1, queries, keys, width, 4}, seed)));
      ASSERT_TRUE(logits_agree(full({2, 2, 1, queries, keys, width, 4}, ++seed)));
    }
}

TEST(AttentionLogits, TheStagesDifferWhereACapAndABiasAreSetAndNowhereElse) {
  Problem problem({1, 1, 1, 5, 70, 8, 4}, 81);
  const auto logits = [&](LogitStage stage) { return run_logits(problem.args(), stage).logits; };
  const std::vector<float> plain = logits(LogitStage::Raw);
  EXPECT_TRUE(same_bits(logits(LogitStage::Capped), plain));
  EXPECT_TRUE(same_bits(logits(LogitStage::Biased), plain));
  problem.softcap = 1;
  EXPECT_FALSE(same_bits(logits(LogitStage::Capped), logits(LogitStage::Raw)));
  EXPECT_TRUE(same_bits(logits(LogitStage::Biased), logits(LogitStage::Capped)));
  problem.slopes = {0.5f};
  EXPECT_FALSE(same_bits(logits(LogitStage::Biased), logits(LogitStage::Capped)));
}

TEST(AttentionLogits, ForbiddenPairsKeepTheirTrueValueBeforeTheLastStage) {
  const Problem open({1, 1, 1, 70, 90, 8, 4}, 82);
  Problem masked = open;
  masked.causal = true;
  masked.key_lengths = {50};
  masked.bool_mask = PairsMask<std::uint8_t>(1, 1, 1, 1, 0);
  for (const LogitStage stage : {LogitStage::Raw, LogitStage::Capped}) {
    EXPECT_TRUE(same_bits(run_logits(masked.args(), stage).logits, run_logits(open.args(), stage).logits));
  }
  EXPECT_TRUE(all_equal(run_logits(masked.args(), LogitStage::Biased).logits, -kInfinity));
}

TEST(AttentionLogits, ForbiddenPairsAreMinusInfinityWhateverTheyHeld) {
  Problem problem({1, 1, 1, 5, 70, 8, 4}, 83);
  problem.key_lengths = {33};
  for (std::size_t j = 33; j < 70; ++j)
    for (std::size_t d = 0; d < 8; ++d) problem.k.at(0, 0, j, d) = kNan;
  const std::vector<float> biased = run_logits(problem.args(), LogitStage::Biased).logits;
  const std::vector<float> raw = run_logits(problem.args(), LogitStage::Raw).logits;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 70; ++j) {
      EXPECT_EQ(biased[i * 70 + j] == -kInfinity, j >= 33);
      EXPECT_EQ(std::isnan(raw[i * 70 + j]), j >= 33);
    }
}

TEST(AttentionLogits, TheBiasedStageIsWhatTheWeightsAreMadeOf) {
  const Problem problem = full({1, 1, 1, 30, 90, 8, 4}, 84);
  const std::vector<float> logits = run_logits(problem.args(), LogitStage::Biased).logits;
  const Outcome outcome = run(problem);
  for (std::size_t i = 0; i < 30; ++i) {
    if (outcome.lse[i] == -kInfinity) continue;
    for (std::size_t j = 0; j < 90; ++j) {
      const double weight = std::exp(static_cast<double>(logits[i * 90 + j]) - static_cast<double>(outcome.lse[i]));
      ASSERT_NEAR(static_cast<double>(outcome.weights[i * 90 + j]), weight, 2e-6);
    }
  }
}

TEST(AttentionLogits, EmptyExtentsAreOk) {
  for (const Sizes& sizes :
       {Sizes{0, 1, 1, 3, 4, 5, 6}, Sizes{1, 0, 1, 3, 4, 5, 6}, Sizes{1, 1, 1, 0, 4, 5, 6}, Sizes{1, 1, 1, 3, 0, 5, 6}}) {
    const Problem problem(sizes, 1);
    EXPECT_EQ(run_logits(problem.args(), LogitStage::Biased).status, Status::Ok);
  }
}

}  // namespace fovea::test

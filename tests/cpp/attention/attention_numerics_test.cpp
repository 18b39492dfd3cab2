/// Large logits, growing maxima, and the sums that must survive them.

#include "support/problem.hpp"

namespace fovea::test {
namespace {

/// One head, Dk = Tk, so that set_logits can name every logit.
Problem with_logits(std::size_t queries, std::size_t keys) { return Problem({1, 1, 1, queries, keys, keys, 5}, 21); }

double row_sum(std::span<const float> row) {
  double sum = 0;
  for (const float w : row) sum += static_cast<double>(w);
  return sum;
}

}  // namespace

TEST(AttentionNumerics, WeightsOfARowSumToOneWithinEightEps) {
  for (const std::size_t keys : {1u, 5u, 64u, 130u, 1000u}) {
    const Problem problem({1, 1, 1, 6, keys, 16, 1}, keys);
    const Outcome outcome = run(problem);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(row_sum(outcome.weights_row(i, keys)), 1.0, 8 * static_cast<double>(kEpsilon));
    }
  }
}

TEST(AttentionNumerics, LogitsWhoseExponentialOverflowsAreNoProblem) {
  Random random(1);
  Problem problem = with_logits(9, 130);
  problem.set_logits([&](auto...) { return random.uniform(90, 100); });
  EXPECT_TRUE(agrees(problem));
  problem.set_logits([&](auto...) { return random.uniform(-100, -90); });
  EXPECT_TRUE(agrees(problem));
  problem.set_logits([&](auto...) { return random.uniform(-100, 100); });
  EXPECT_TRUE(agrees(problem));
}

TEST(AttentionNumerics, LogitsOfTenThousandAreNoProblem) {
  Random random(2);
  Problem problem = with_logits(9, 130);
  for (const float middle : {1e4f, -1e4f}) {
    problem.set_logits([&](auto...) { return middle + random.uniform(-20, 20); });
    EXPECT_TRUE(agrees(problem));
  }
  problem.set_logits([&](auto...) { return random.uniform(-1e4f, 1e4f); });
  EXPECT_TRUE(agrees(problem));
}

TEST(AttentionNumerics, AmongHugeLogitsTheLargestTakesAll) {
  for (const float size : {1e4f, 1e10f, 1e30f, 3e38f}) {
    for (std::size_t winner = 0; winner < 130; winner += 13) {
      Problem problem = with_logits(2, 130);
      problem.set_logits([&](std::size_t, std::size_t, std::size_t i, std::size_t j) {
        return j == winner ? size : i == 0 ? -size : size / 2;
      });
      const Outcome outcome = run(problem);
      for (std::size_t i = 0; i < 2; ++i) {
        for (std::size_t j = 0; j < 130; ++j) ASSERT_EQ(outcome.weights[i * 130 + j], j == winner ? 1.0f : 0.0f);
        for (std::size_t d = 0; d < 5; ++d) ASSERT_EQ(outcome.output[i * 5 + d], problem.v.at(0, 0, winner, d));
        ASSERT_EQ(outcome.lse[i], size);
      }
    }
  }
}

TEST(AttentionNumerics, EqualHugeLogitsShareEqually) {
  for (const float size : {1e4f, 1e30f, -1e30f, 3e38f, -3e38f}) {
    Problem problem = with_logits(2, 128);
    problem.set_logits([&](auto...) { return size; });
    EXPECT_TRUE(all_equal(run(problem).weights, 1.0f / 128));
    EXPECT_TRUE(agrees(problem));
  }
}

TEST(AttentionNumerics, TheMaximumMayComeInAnyTileAndByAnyStep) {
  // Steps around the lazy threshold, and far from it; up, down, and a spike in one tile.
  constexpr std::size_t kKeys = 320;
  for (const float step : {0.5f, 5.4f, 5.5f, 5.6f, 20.0f, 86.0f, 88.0f, 89.0f, 500.0f}) {
    Problem problem = with_logits(8, kKeys);
    Random random(3);
    problem.set_logits([&](std::size_t, std::size_t, std::size_t i, std::size_t j) {
      const auto tile = static_cast<float>(j / 64);
      const float noise = random.uniform(-1, 1);
      switch (i) {
        case 0: return step * tile + noise;
        case 1: return -step * tile + noise;
        case 2: return (j == 200 ? step : 0) + noise;
        case 3: return (j / 64 == 2 ? -step : 0) + noise;
        case 4: return step * tile;
        case 5: return j == 319 ? step : 0.0f;
        case 6: return j == 0 ? step : 0.0f;
        default: return step * static_cast<float>(j) / 64;
      }
    });
    ASSERT_TRUE(agrees(problem)) << "step " << step;
  }
}

TEST(AttentionNumerics, AMaximumRaisedManyTimesKeepsTheSum) {
  // Every tile exceeds the maximum by a little more than the lazy threshold, so that each one rescales what was summed.
  Problem problem({1, 1, 1, 4, 64 * 24, 1, 3}, 4);
  problem.scale = 1;
  problem.q.fill([] { return 1.0f; });
  for (const float step : {5.6f, 1.0f, 5.5001f}) {
    for (std::size_t j = 0; j < 64 * 24; ++j) problem.k.at(0, 0, j, 0) = step * static_cast<float>(j / 64);
    ASSERT_TRUE(agrees(problem));
  }
}

TEST(AttentionNumerics, RowsDecideForThemselvesWhenToRescale) {
  // In every strip of four, one row climbs, one falls, one spikes, one is flat.
  Problem problem = with_logits(12, 256);
  problem.set_logits([](std::size_t, std::size_t, std::size_t i, std::size_t j) {
    const auto at = static_cast<float>(j);
    switch (i % 4) {
      case 0: return at;
      case 1: return -at;
      case 2: return j == 150 + i ? 300.0f : 0.0f;
      default: return 0.0f;
    }
  });
  EXPECT_TRUE(agrees(problem));
}

TEST(AttentionNumerics, AnAverageOfManyEqualValuesDriftsNoFurtherThanThePlainSum) {
  Problem problem({1, 1, 1, 3, 4096, 4, 2}, 5);
  problem.scale = 0;
  problem.v.fill([] { return 0.1f; });
  EXPECT_TRUE(agrees(problem));
}

TEST(AttentionNumerics, WeightsFallToZeroWithoutBecomingNan) {
  Problem problem = with_logits(1, 128);
  problem.set_logits([](std::size_t, std::size_t, std::size_t, std::size_t j) { return -static_cast<float>(j); });
  const Outcome outcome = run(problem);
  EXPECT_TRUE(agrees(problem));
  for (std::size_t j = 0; j < 80; ++j) EXPECT_GT(outcome.weights[j], 0) << j;
  for (std::size_t j = 110; j < 128; ++j) EXPECT_EQ(outcome.weights[j], 0) << j;
}

TEST(AttentionNumerics, LargeValuesStayFinite) {
  Problem problem({1, 1, 1, 5, 130, 8, 6}, 6);
  problem.v.fill([random = Random(7)]() mutable { return 1e30f * random.normal(); });
  EXPECT_TRUE(agrees(problem));
}

TEST(AttentionNumerics, SubnormalInputsAreNotSpecial) {
  Problem problem({1, 1, 1, 5, 70, 8, 6}, 6);
  problem.q.fill([] { return std::numeric_limits<float>::denorm_min(); });
  EXPECT_TRUE(agrees(problem));
  problem.v.fill([] { return 0x1p-130f; });
  EXPECT_TRUE(agrees(problem));
}

}  // namespace fovea::test

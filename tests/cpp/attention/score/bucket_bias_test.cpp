/// T5's buckets, against tables written by hand, the authors' function in long double, and exact integers.

#include "support/biases.hpp"

namespace fovea::test {
namespace {

/// The bucket of every distance from -reach to reach: scale 0, and a table that holds its own indices.
std::vector<std::size_t> buckets_of(std::size_t count, std::size_t max_distance, bool bidirectional, std::size_t reach) {
  Problem problem({1, 1, 1, 1, 2 * reach + 1, 1, 1}, 1);
  problem.scale = 0;
  problem.offsets = {static_cast<std::int32_t>(reach)};
  std::vector<float> table(count);
  for (std::size_t n = 0; n < count; ++n) table[n] = static_cast<float>(n);
  problem.variant.buckets = {problem.hold(std::move(table)), 1, 1, count, max_distance, bidirectional};
  const LogitsOutcome outcome = run_logits(problem.args(), LogitStage::Biased);
  EXPECT_EQ(outcome.status, Status::Ok);
  std::vector<std::size_t> buckets;
  for (const float x : outcome.logits) buckets.push_back(static_cast<std::size_t>(x));
  return buckets;
}

/// The bucket of a distance by integers alone: e + k is reached where d^m e^k >= M^k e^m, m = n - e. Small numbers only.
std::size_t exact_bucket(std::size_t distance, std::size_t n, std::size_t max_distance) {
  const std::size_t e = n / 2, m = n - e;
  if (distance < e) return distance;
  __extension__ typedef unsigned __int128 Wide;
  const auto power = [](std::size_t base, std::size_t exponent) {
    Wide result = 1;
    for (; exponent > 0; --exponent) result *= base;
    return result;
  };
  std::size_t k = 0;
  while (k + 1 < m && power(distance, m) * power(e, k + 1) >= power(max_distance, k + 1) * power(e, m)) ++k;
  return e + k;
}

}  // namespace

TEST(BucketBias, TheBucketsOfThirtyTwoAndOneHundredTwentyEightAreThoseWrittenByHand) {
  const std::vector<std::size_t> two_ways = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91};
  const std::vector<std::size_t> one_way = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                            16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113};
  const auto bucket_in = [](const std::vector<std::size_t>& starts, std::size_t distance) {
    return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), distance) - starts.begin()) - 1;
  };
  const std::vector<std::size_t> both = buckets_of(32, 128, true, 200), one = buckets_of(32, 128, false, 200);
  for (std::size_t j = 0; j <= 400; ++j) {
    const std::size_t away = j < 200 ? 200 - j : j - 200;
    EXPECT_EQ(both[j], bucket_in(two_ways, away) + (j > 200 ? 16 : 0)) << j;
    EXPECT_EQ(one[j], bucket_in(one_way, j < 200 ? away : 0)) << j;
  }
}

TEST(BucketBias, EveryNumberOfBucketsIsTheAuthorsFunctionAndThatOfIntegers) {
  for (const bool bidirectional : {true, false})
    for (const std::size_t buckets : {2u, 3u, 4u, 5u, 7u, 8u, 12u, 16u, 17u})
      for (const std::size_t max_distance : {3u, 9u, 16u, 27u, 64u, 100u}) {
        const std::size_t n = bidirectional ? buckets / 2 : buckets;
        if (n < 2 || max_distance <= n / 2) continue;
        const std::vector<std::size_t> got = buckets_of(buckets, max_distance, bidirectional, 130);
        for (std::size_t j = 0; j <= 260; ++j) {
          const auto distance = static_cast<std::int64_t>(j) - 130;
          ASSERT_EQ(got[j], bucket_ref(distance, bidirectional, buckets, max_distance)) << buckets << ", " << max_distance;
          const auto away = static_cast<std::size_t>(bidirectional || distance < 0 ? std::abs(distance) : 0);
          ASSERT_EQ(got[j], exact_bucket(away, n, max_distance) + (bidirectional && distance > 0 ? n : 0)) << distance;
        }
      }
}

TEST(BucketBias, AFarthestDistanceBeyondTheSequenceCostsNoMoreThanTheSequence) {
  Problem problem({1, 2, 1, 20, 30, 4, 3}, 2);
  problem.variant.buckets = bucket_table(problem, 32, 1u << 30, true, 3);
  EXPECT_TRUE(agrees(problem));
  Problem without = problem;
  without.variant.buckets = {};
  EXPECT_LE(attention_workspace_bytes(problem.args()),
            attention_workspace_bytes(without.args()) + sizeof(float) * (2 * 64 + 32));
}

TEST(BucketBias, ATableMayLieAsItIsStoredOrTransposed) {
  Problem problem({1, 3, 1, 20, 50, 4, 3}, 4);
  const BucketTable table = bucket_table(problem, 16, 30, true, 5);
  std::vector<float> transposed(3 * 16);
  for (std::size_t h = 0; h < 3; ++h)
    for (std::size_t n = 0; n < 16; ++n) transposed[h * 16 + n] = table.data[n * 3 + h];
  problem.variant.buckets = table;
  const Outcome expected = run(problem);
  problem.variant.buckets = {problem.hold(std::move(transposed)), 1, 16, 16, 30, true};
  EXPECT_TRUE(same_bits(run(problem), expected));
}

TEST(BucketBias, BucketsThatAreNoneAreAnError) {
  Problem problem({1, 1, 1, 4, 5, 4, 3}, 6);
  for (const auto& [buckets, max_distance, bidirectional] : {std::tuple<std::size_t, std::size_t, bool>{3, 128, true},
                                                             {1, 128, false},
                                                             {32, 8, true},
                                                             {32, 16, false},
                                                             {0, 1, false}}) {
    problem.variant.buckets = bucket_table(problem, buckets, max_distance, bidirectional, 7);
    if (problem.variant.buckets.data == nullptr) problem.variant.buckets.data = problem.q.data();
    EXPECT_EQ(run(problem).status, Status::Value) << buckets;
    EXPECT_EQ(run_logits(problem.args(), LogitStage::Raw).status, Status::Value) << buckets;
  }
}

TEST(BucketBias, AWorkspaceThatIsTooSmallIsTold) {
  for (const std::size_t queries : {3u, 30u}) {
    Problem problem({1, 2, 1, queries, 300, 4, 3}, 8);
    problem.variant.buckets = bucket_table(problem, 32, 128, true, 9);
    for (const std::size_t short_by : {1u, 64u, 1u << 20}) {
      EXPECT_EQ(run(problem.args(), Want::All, {}, short_by).status, Status::Memory);
      EXPECT_EQ(run_logits(problem.args(), LogitStage::Raw, short_by).status, Status::Memory);
    }
  }
}

}  // namespace fovea::test

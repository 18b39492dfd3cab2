/// Every size against every other: tiles, their tails, and single rows.

#include "support/problem.hpp"

namespace fovea::test {
namespace {

const std::vector<std::size_t> kLengths = {1, 3, 4, 5, 63, 64, 65, 130};
const std::vector<std::size_t> kWidths = {1, 7, 16, 64, 80, 256};

}  // namespace

TEST(AttentionShapes, EveryLengthAgainstEveryLengthAndWidth) {
  std::uint64_t seed = 1;
  for (const std::size_t queries : kLengths)
    for (const std::size_t keys : kLengths)
      for (std::size_t w = 0; w < kWidths.size(); ++w) {
        ++seed;
        // The value width walks through its own list, so that every pair of widths comes up.
        const std::size_t value_width = kWidths[(w + seed / kWidths.size()) % kWidths.size()];
        const Arrangement around = seed % 2 == 0 ? Arrangement{} : kGaps;
        const Problem problem({1, 1, 1, queries, keys, kWidths[w], value_width}, seed, around);
        ASSERT_TRUE(agrees(problem));
      }
}

TEST(AttentionShapes, EveryLengthAndWidthIsRightUnderACausalMask) {
  std::uint64_t seed = 1000;
  for (const std::size_t queries : kLengths)
    for (const std::size_t keys : kLengths) {
      Problem problem({1, 1, 1, queries, keys, kWidths[seed % 5], kWidths[(seed / 5) % 5]}, seed,
                      seed % 2 == 0 ? Arrangement{} : kGaps);
      ++seed;
      problem.causal = true;
      ASSERT_TRUE(agrees(problem));
      problem.offsets = {static_cast<std::int32_t>(keys) - static_cast<std::int32_t>(queries)};
      ASSERT_TRUE(agrees(problem));
    }
}

TEST(AttentionShapes, EveryWidthUpToTwoPanelsAndOne) {
  for (std::size_t width = 1; width <= 17; ++width) {
    ASSERT_TRUE(agrees(Problem({1, 1, 1, 5, 9, width, 8}, width, kGaps)));
    ASSERT_TRUE(agrees(Problem({1, 1, 1, 5, 9, 8, width}, width, kGaps)));
  }
}

TEST(AttentionShapes, EveryNumberOfKeysUpToTwoTilesAndOne) {
  for (std::size_t keys = 1; keys <= 129; ++keys) ASSERT_TRUE(agrees(Problem({1, 1, 1, 2, keys, 4, 4}, keys)));
}

TEST(AttentionShapes, EveryNumberOfQueriesUpToTwoBlocksAndOne) {
  for (std::size_t queries = 1; queries <= 257; ++queries) ASSERT_TRUE(agrees(Problem({1, 1, 1, queries, 6, 4, 4}, queries)));
}

TEST(AttentionShapes, WidthsBeyondTheUsual) {
  ASSERT_TRUE(agrees(Problem({1, 1, 1, 9, 70, 515, 301}, 1, kGaps)));
  ASSERT_TRUE(agrees(Problem({1, 1, 1, 3, 66, 1024, 1}, 2)));
  ASSERT_TRUE(agrees(Problem({1, 1, 1, 3, 66, 1, 1024}, 3)));
}

TEST(AttentionShapes, OneQueryOverManyKeys) {
  for (const std::size_t keys : {511u, 512u, 1023u, 1024u, 1025u, 2500u}) {
    ASSERT_TRUE(agrees(Problem({1, 2, 1, 1, keys, 16, 16}, keys)));
  }
}

TEST(AttentionShapes, ManyQueriesAndKeys) { ASSERT_TRUE(agrees(Problem({1, 1, 1, 300, 500, 32, 24}, 7))); }

TEST(AttentionShapes, QueryHeadsShareKeyHeadsByTheFloorOfTheirGroup) {
  std::uint64_t seed = 30;
  struct Heads {
    std::size_t heads, kv_heads;
  };
  for (const auto& [heads, kv_heads] : {Heads{1, 1}, {2, 2}, {4, 2}, {6, 3}, {6, 2}, {5, 1}, {8, 4}}) {
    for (const std::size_t batch : {1u, 2u, 3u}) {
      ASSERT_TRUE(agrees(Problem({batch, heads, kv_heads, 6, 10, 8, 5}, ++seed, kGaps)));
    }
  }
}

TEST(AttentionShapes, WithoutKeysRowsAreZeroAndLseMinusInfinity) {
  const Problem problem({2, 4, 2, 5, 0, 8, 6}, 1);
  const Outcome outcome = run(problem);
  EXPECT_EQ(outcome.status, Status::Ok);
  EXPECT_EQ(outcome.output.size(), 2u * 4 * 5 * 6);
  EXPECT_TRUE(all_zero(outcome.output));
  EXPECT_TRUE(all_equal(outcome.lse, -kInfinity));
  EXPECT_TRUE(outcome.memory);
}

TEST(AttentionShapes, EmptyExtentsAreOkAndWriteNothing) {
  for (const Sizes& sizes : {Sizes{0, 2, 2, 3, 4, 5, 6}, Sizes{2, 0, 2, 3, 4, 5, 6}, Sizes{2, 2, 2, 0, 4, 5, 6}}) {
    const Outcome outcome = run(Problem(sizes, 1, kGaps));
    EXPECT_EQ(outcome.status, Status::Ok);
    EXPECT_TRUE(outcome.output.empty());
    EXPECT_TRUE(outcome.memory);
  }
}

TEST(AttentionShapes, WithoutValueWidthTheWeightsAndLseAreStillRight) {
  const Problem problem({1, 2, 1, 5, 70, 8, 0}, 1);
  EXPECT_TRUE(agrees(problem));
}

TEST(AttentionShapes, TheWorkspaceDoesNotGrowWithTheNumberOfKeysNorBeyondABlockOfQueries) {
  const auto bytes = [](std::size_t queries, std::size_t keys) {
    return attention_workspace_bytes(Problem({1, 2, 2, queries, keys, 64, 64}, 1).args());
  };
  EXPECT_EQ(bytes(64, 1), bytes(64, 1000));
  EXPECT_EQ(bytes(1024, 10), bytes(4096, 10));
  EXPECT_LE(bytes(1, 10), bytes(1024, 10));
}

TEST(AttentionShapes, TheWorkspaceOfAFewQueriesFollowsNeitherTheRowsNorTheKeys) {
  const auto bytes = [](std::size_t batch, std::size_t heads, std::size_t kv_heads, std::size_t queries, std::size_t keys) {
    Problem problem({1, 1, 1, 1, 1, 64, 64}, 1);
    AttentionArgs args = problem.args();
    args.batch = batch;
    args.heads = heads;
    args.kv_heads = kv_heads;
    args.queries = queries;
    args.keys = keys;
    return attention_workspace_bytes(args);
  };
  constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
  EXPECT_LT(bytes(1, 8, 8, 1, 1'000'000), 3 * kMegabyte / 2);
  EXPECT_LT(bytes(8192, 8, 1, 8, 32768), 3 * kMegabyte / 2);
  EXPECT_LT(bytes(1, std::size_t{1} << 20, 1, 8, 1000), 3 * kMegabyte / 2);
  EXPECT_LT(bytes(std::size_t{1} << 24, std::size_t{1} << 24, 1, 8, std::size_t{1} << 30), 3 * kMegabyte / 2);
}

}  // namespace fovea::test

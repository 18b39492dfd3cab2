/// A row's bits depend on its own query, its allowed keys and values and the options alone. Everything else is varied here,
/// and not one bit may follow.

#include "support/problem.hpp"

namespace fovea::test {
namespace {

/// Every option at once, so that a dependence of any of them shows.
Problem busy(const Sizes& sizes, std::uint64_t seed) {
  Problem problem(sizes, seed);
  Random random(seed);
  problem.softcap = seed % 2 == 0 ? 15.0f : 0.0f;
  problem.causal = true;
  problem.window_left = 120;
  for (std::size_t b = 0; b < sizes.batch; ++b) {
    problem.offsets.push_back(static_cast<std::int32_t>(random.integer(10, 40)));
    problem.key_lengths.push_back(static_cast<std::int32_t>(random.size(sizes.keys / 2, sizes.keys)));
  }
  problem.bool_mask = PairsMask<std::uint8_t>(sizes.batch, 1, sizes.queries, sizes.keys, 0);
  problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.9)); });
  problem.float_mask = PairsMask<float>(1, sizes.heads, sizes.queries, sizes.keys, 0);
  problem.float_mask.fill([&] { return random.chance(0.05) ? -kInfinity : random.normal(); });
  for (std::size_t h = 0; h < sizes.heads; ++h) {
    problem.slopes.push_back(0.01f * static_cast<float>(h + 1));
    problem.sinks.push_back(random.normal());
  }
  return problem;
}

template <class T>
PairsView<T> from_query(PairsView<T> mask, std::size_t query) {
  if (mask.data != nullptr) mask.data += static_cast<std::ptrdiff_t>(query) * mask.query;
  return mask;
}

/// The rows [from, from + count) of a call as a call of their own.
AttentionArgs slice_of(AttentionArgs args, std::size_t from, std::size_t count, std::vector<std::int32_t>& offsets) {
  offsets.assign(args.batch, 0);
  for (std::size_t b = 0; b < args.batch; ++b) {
    offsets[b] = (args.offsets != nullptr ? args.offsets[b] : 0) + static_cast<std::int32_t>(from);
  }
  args.offsets = offsets.data();
  args.queries = count;
  args.q.data += static_cast<std::ptrdiff_t>(from) * args.q.token;
  args.bool_mask = from_query(args.bool_mask, from);
  args.float_mask = from_query(args.float_mask, from);
  return args;
}

}  // namespace

TEST(AttentionBits, ALargeScoreHasItsBitsInAnyCompany) {
  // Queries and keys share an offset: all logits are large. Then most queries are 0, so that the large ones are few in a strip.
  for (const std::size_t width : {16u, 17u, 300u}) {
    const float offset = 24 / std::sqrt(std::sqrt(static_cast<float>(width)));
    Problem crowd({1, 2, 1, 133, 150, width, 5}, width);
    crowd.q.fill([random = Random(63), offset]() mutable { return offset + random.normal(); });
    crowd.k.fill([random = Random(64), offset]() mutable { return offset + random.normal(); });
    EXPECT_TRUE(agrees(crowd));
    Problem few = crowd;
    const auto stays = [](std::size_t i) { return i % 7 == 3; };
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t i = 0; i < 133; ++i) {
        for (std::size_t d = 0; !stays(i) && d < width; ++d) few.q.at(0, h, i, d) = 0;
      }
    }
    const Outcome together = run(crowd), alone = run(few);
    for (std::size_t row = 0; row < 2 * 133; ++row) {
      if (!stays(row % 133)) continue;
      EXPECT_TRUE(same_bits(alone.output_row(row, 5), together.output_row(row, 5)));
      EXPECT_TRUE(same_bits(alone.weights_row(row, 150), together.weights_row(row, 150)));
      EXPECT_TRUE(same_bits(alone.lse[row], together.lse[row]));
    }
  }
}

TEST(AttentionBits, AskingForWeightsOrLseChangesNoBitOfTheOutput) {
  std::vector<Problem> problems = {Problem({1, 1, 1, 133, 150, 16, 16}, 51), busy({2, 2, 1, 133, 150, 16, 9}, 52),
                                   busy({2, 2, 1, 70, 150, 16, 9}, 53), Problem({1, 2, 2, 1, 300, 16, 8}, 54)};
  for (const Problem& problem : problems) {
    const Outcome all = run(problem, Want::All), output = run(problem, Want::Output);
    const Outcome weights = run(problem, Want::Weights), lse = run(problem, Want::Lse);
    EXPECT_TRUE(same_bits(output.output, all.output));
    EXPECT_TRUE(same_bits(weights.output, all.output));
    EXPECT_TRUE(same_bits(lse.output, all.output));
    EXPECT_TRUE(same_bits(weights.weights, all.weights));
    EXPECT_TRUE(same_bits(lse.lse, all.lse));
  }
}

TEST(AttentionBits, AskingTwiceGivesTheSameBits) {
  const Problem problem = busy({2, 2, 1, 133, 150, 16, 9}, 55);
  EXPECT_TRUE(same_bits(run(problem), run(problem)));
}

TEST(AttentionBits, WhatTheWorkspaceHeldBeforeReachesNothing) {
  for (const Problem& problem : {busy({2, 2, 1, 133, 150, 16, 9}, 56), Problem({1, 1, 1, 5, 70, 7, 3}, 57)}) {
    const Outcome expected = run(problem);
    for (const float filler : {0.0f, kHuge, -kHuge, kInfinity, kNan}) {
      EXPECT_TRUE(same_bits(run(problem.args(), Want::All, {}, 0, filler), expected)) << filler;
    }
  }
}

TEST(AttentionBits, EachHeadOfEachBatchEntryIsWhatItIsAlone) {
  for (const std::uint64_t seed : {58u, 59u, 158u, 159u}) {
    const Sizes sizes{3, 4, 2, seed < 100 ? 70u : 3u, 90, 12, 9};
    const Problem problem = busy(sizes, seed);
    const Outcome whole = run(problem);
    for (std::size_t b = 0; b < sizes.batch; ++b)
      for (std::size_t h = 0; h < sizes.heads; ++h) {
        AttentionArgs one = problem.args();
        one.batch = one.heads = one.kv_heads = 1;
        one.q.data = one.q.row(b, h, 0);
        one.k.data = one.k.row(b, h / 2, 0);
        one.v.data = one.v.row(b, h / 2, 0);
        one.bool_mask.data = one.bool_mask.row(b, h, 0);
        one.float_mask.data = one.float_mask.row(b, h, 0);
        one.offsets += b;
        one.key_lengths += b;
        one.alibi_slopes += h;
        one.sinks += h;
        const Outcome alone = run(one);
        const std::size_t first = (b * sizes.heads + h) * sizes.queries;
        EXPECT_TRUE(same_bits(alone.output, std::span(whole.output).subspan(first * 9, sizes.queries * 9)));
        EXPECT_TRUE(same_bits(alone.weights, std::span(whole.weights).subspan(first * 90, sizes.queries * 90)));
        EXPECT_TRUE(same_bits(alone.lse, std::span(whole.lse).subspan(first, sizes.queries)));
      }
  }
}

TEST(AttentionBits, OtherRowsOfTheBatchDoNotShow) {
  const Problem problem = busy({1, 1, 1, 133, 150, 16, 9}, 60);
  const Outcome expected = run(problem);
  for (const std::size_t kept : {0u, 1u, 64u, 129u, 132u}) {
    Problem changed = problem;
    Random random(kept);
    for (std::size_t i = 0; i < 133; ++i)
      for (std::size_t d = 0; d < 16; ++d) {
        if (i != kept) changed.q.at(0, 0, i, d) = random.uniform(-1e4f, 1e4f);
      }
    const Outcome outcome = run(changed);
    EXPECT_TRUE(same_bits(outcome.output_row(kept, 9), expected.output_row(kept, 9)));
    EXPECT_TRUE(same_bits(outcome.weights_row(kept, 150), expected.weights_row(kept, 150)));
    EXPECT_TRUE(same_bits(outcome.lse[kept], expected.lse[kept]));
  }
}

TEST(AttentionBits, ASliceOfSixtyFourRowsOrMoreIsTheWholeCallsRows) {
  const Sizes sizes{2, 2, 1, 300, 170, 16, 9};
  for (const std::uint64_t seed : {61u, 62u}) {
    const Problem problem = busy(sizes, seed);
    const Outcome whole = run(problem);
    struct Slice {
      std::size_t from, count;
    };
    for (const auto& [from, count] :
         {Slice{0, 64}, {64, 64}, {128, 64}, {192, 108}, {37, 64}, {1, 65}, {101, 199}, {236, 64}}) {
      std::vector<std::int32_t> offsets;
      const Outcome slice = run(slice_of(problem.args(), from, count, offsets));
      ASSERT_EQ(slice.status, Status::Ok);
      for (std::size_t bh = 0; bh < 4; ++bh)
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t row = bh * 300 + from + i, own = bh * count + i;
          ASSERT_TRUE(same_bits(slice.output_row(own, 9), whole.output_row(row, 9))) << "row " << i << " of slice at " << from;
          ASSERT_TRUE(same_bits(slice.weights_row(own, 170), whole.weights_row(row, 170)));
          ASSERT_TRUE(same_bits(slice.lse[own], whole.lse[row]));
        }
    }
  }
}

TEST(AttentionBits, ARangeOfQueriesWritesItsRowsAndNoOthers) {
  const Problem problem = busy({2, 2, 1, 300, 170, 16, 9}, 65);
  const Outcome whole = run(problem);
  struct Range {
    std::size_t from, to;
  };
  for (const auto& [from, to] : {Range{0, 300}, {64, 192}, {128, kAllQueries}, {0, 1}, {299, 300}, {40, 40}, {300, 400}}) {
    AttentionArgs args = problem.args();
    args.query_from = from;
    args.query_to = to;
    const Outcome part = run(args);
    ASSERT_EQ(part.status, Status::Ok);
    for (std::size_t row = 0; row < 4 * 300; ++row) {
      if (row % 300 >= from && row % 300 < to) {
        ASSERT_TRUE(same_bits(part.output_row(row, 9), whole.output_row(row, 9))) << row << " of " << from << " to " << to;
        ASSERT_TRUE(same_bits(part.weights_row(row, 170), whole.weights_row(row, 170))) << row;
        ASSERT_TRUE(same_bits(part.lse[row], whole.lse[row])) << row;
      } else {
        ASSERT_EQ(bits_of(part.output_row(row, 9)[0]), bits_of(kPoison)) << row << " of " << from << " to " << to;
        ASSERT_EQ(bits_of(part.weights_row(row, 170)[169]), bits_of(kPoison)) << row;
        ASSERT_EQ(bits_of(part.lse[row]), bits_of(kPoison)) << row;
      }
    }
  }
}

TEST(AttentionBits, KeysThatNobodyMaySeeMayAsWellNotBeThere) {
  for (const std::size_t queries : {1u, 5u, 70u}) {
    Problem problem({1, 1, 1, queries, 1100, 16, 9}, 63);
    for (const std::int32_t length : {1, 60, 64, 65, 128, 199, 1023, 1025}) {
      problem.key_lengths = {length};
      const Outcome expected = run(problem);
      AttentionArgs shorter = problem.args();
      shorter.keys = static_cast<std::size_t>(length);
      shorter.key_lengths = nullptr;
      const Outcome outcome = run(shorter);
      EXPECT_TRUE(same_bits(outcome.output, expected.output)) << length << " keys, " << queries << " queries";
      EXPECT_TRUE(same_bits(outcome.lse, expected.lse)) << length << " keys, " << queries << " queries";
    }
  }
}

TEST(AttentionBits, StridesAndAlignmentChangeNoBit) {
  for (const Sizes& sizes : {Sizes{2, 4, 2, 70, 90, 12, 9}, {2, 4, 2, 3, 90, 12, 9}}) {
    const Outcome expected = run(Problem(sizes, 64));
    for (const Layout layout : {Layout::Bhtd, Layout::Bthd})
      for (const std::size_t lead : {0u, 1u, 2u, 3u})
        for (const std::size_t row : {0u, 1u, 4u}) {
          EXPECT_TRUE(same_bits(run(Problem(sizes, 64, {layout, {lead, row, lead, row}})), expected));
        }
  }
}

TEST(AttentionBits, AnyNumberOfThreadsGivesTheSame) {
  // Long enough for the work to be shared: blocks of many queries, causal ones, one head alone, and chunks of keys.
  std::vector<Problem> problems = {busy({2, 2, 1, 300, 400, 16, 9}, 66), Problem({1, 3, 3, 257, 300, 64, 64}, 67),
                                   Problem({1, 1, 1, 700, 700, 16, 16}, 68), busy({2, 4, 2, 3, 5000, 32, 32}, 69),
                                   Problem({1, 2, 2, 1, 9000, 64, 64}, 70)};
  problems[2].causal = true;
  for (const Problem& problem : problems) {
    const Outcome alone = run(problem);
    const LogitsOutcome logits = run_logits(problem.args(), LogitStage::Biased);
    for (const std::size_t threads : {2u, 3u, 7u}) {
      ThreadPool pool;
      ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
      for (int again = 0; again < 3; ++again) {
        const Outcome shared = run_on_pool(problem.args(), pool);
        ASSERT_TRUE(shared.memory);
        ASSERT_TRUE(same_bits(shared, alone)) << threads << " threads, " << problem.describe();
      }
      ASSERT_TRUE(same_bits(run_logits(problem.args(), LogitStage::Biased, 0, &pool).logits, logits.logits)) << threads;
    }
  }
}

}  // namespace fovea::test

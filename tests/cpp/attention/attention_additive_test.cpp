/// Attention whose score is additive, on every path that scores: tiles, chunks of few queries, plans, logits.

#include "attention/decode/decode.hpp"
#include "support/cache.hpp"
#include "support/draw.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

constexpr ActivationArgs kActivations[] = {
    {Activation::Tanh}, {Activation::LeakyRelu, 0.2f}, {Activation::Relu}, {Activation::None}, {Activation::LeakyRelu, -3}};

/// A copy with weights drawn for one head or for all, scale 1, and an activation by the seed.
Problem additive(Problem problem, std::uint64_t seed, bool per_head) {
  Random random(seed * 6151);
  problem.scale = 1;
  problem.variant.score_activation = kActivations[seed % 2 == 0 ? 0 : seed / 2 % std::size(kActivations)];
  problem.score_weights.resize(problem.sizes.width * (per_head ? problem.sizes.heads : 1));
  for (float& w : problem.score_weights) w = random.normal();
  return problem;
}

Problem additive(const Sizes& sizes, std::uint64_t seed, const Arrangement& around = {}) {
  return additive(Problem(sizes, seed, around), seed, seed % 2 == 0);
}

/// Some queries and keys beyond the factors of panels.
void reach_far(Problem& problem, std::uint64_t seed) {
  Random random(seed);
  for (Slab<float>* slab : {&problem.q, &problem.k})
    slab->each([&](float& x) {
      if (random.chance(0.02)) x = random.uniform(-120, 120);
    });
}

}  // namespace

TEST(AttentionAdditive, EveryLengthAgainstEveryLengthAndWidth) {
  std::uint64_t seed = 1;
  for (const std::size_t queries : {1u, 3u, 5u, 63u, 65u})
    for (const std::size_t keys : {1u, 3u, 5u, 63u, 65u, 130u})
      for (const std::size_t width : {1u, 7u, 80u, 256u}) {
        ++seed;
        const std::size_t value_width = seed % 3 == 0 ? 1 : 9;
        EXPECT_TRUE(
            agrees(additive({1, 2, 1, queries, keys, width, value_width}, seed, seed % 2 == 0 ? Arrangement{} : kGaps)));
      }
}

TEST(AttentionAdditive, EveryOptionComposesWithIt) {
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    Problem problem = draw_problem(seed);
    const float scale = problem.scale;
    problem = additive(problem, seed, seed % 2 == 0);
    if (seed % 3 == 0) problem.scale = scale;
    EXPECT_TRUE(agrees(problem)) << "seed " << seed;
  }
}

TEST(AttentionAdditive, ChunksOfManyKeysAgree) {
  for (std::size_t queries = 1; queries <= kAdditiveDecodeQueries + 1; queries += 4) {
    for (const std::size_t keys : {1023u, 1025u, 2500u}) {
      Problem problem = additive({2, 4, 2, queries, keys, 7, 5}, queries + keys);
      problem.key_lengths = {static_cast<std::int32_t>(keys), 700};
      EXPECT_TRUE(agrees(problem));
    }
  }
}

TEST(AttentionAdditive, LogitsOfEveryStageAreTheDefinitionsAtForbiddenPairsToo) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Problem problem = additive(draw_problem(seed), seed, true);
    if (seed % 2 == 0) reach_far(problem, seed);
    const LogitsOracle oracle = problem.logits_oracle();
    EXPECT_TRUE(within_tolerance(run_logits(problem.args(), LogitStage::Raw).logits, oracle.raw)) << problem.describe();
    EXPECT_TRUE(within_tolerance(run_logits(problem.args(), LogitStage::Capped).logits, oracle.capped)) << problem.describe();
    EXPECT_TRUE(within_tolerance(run_logits(problem.args(), LogitStage::Biased).logits, oracle.biased)) << problem.describe();
  }
}

TEST(AttentionAdditive, QueriesAndKeysThatAreFarFromZeroAgree) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Problem problem = additive({1, 2, 1, seed % 2 == 0 ? 70u : 3u, 90, 16, 5}, seed);
    reach_far(problem, seed);
    problem.causal = seed % 3 == 0;
    EXPECT_TRUE(agrees(problem)) << "seed " << seed;
  }
}

TEST(AttentionAdditive, HugeScoresAgree) {
  for (const float size : {100.0f, 1e4f}) {
    for (const std::size_t queries : {2u, 70u}) {
      for (const ActivationArgs& f : kActivations) {
        Problem problem = additive({1, 1, 1, queries, 100, 16, 5}, 5);
        problem.variant.score_activation = f;
        for (float& w : problem.score_weights) w *= size;
        EXPECT_TRUE(agrees(problem)) << size << ", " << static_cast<int>(f.kind);
      }
    }
  }
}

TEST(AttentionAdditive, APatternIsAMaskThatSaysTheSameInTilesAndEdges) {
  const DrawnSizes sizes = {.queries = {1, 5, 63, 65, 130}, .keys = {1, 5, 65, 130}, .widths = {1, 7, 16}};
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Problem problem = additive(draw_problem(seed, sizes), seed, seed % 2 == 0);
    if (seed % 4 == 0) reach_far(problem, seed);
    const Sizes& s = problem.sizes;
    Random random(seed);
    EXPECT_TRUE(agrees(problem, draw_pattern({s.batch, s.heads, s.queries, s.keys}, random))) << "seed " << seed;
  }
  const Problem edges = additive({1, 2, 1, 150, 200, 20, 9}, 7);
  EXPECT_TRUE(agrees(edges, random_keys(3, 1, 5)));
  const Problem tiles = additive({1, 2, 1, 150, 200, 20, 9}, 8);
  EXPECT_TRUE(agrees(tiles, band(40, 9)));
}

TEST(AttentionAdditive, WhatForbiddenKeysHoldReachesNothing) {
  for (const std::size_t queries : {3u, 70u}) {
    Problem problem = additive({1, 2, 1, queries, 100, 8, 5}, 11);
    problem.bool_mask = PairsMask<std::uint8_t>(1, 1, queries, 100, 0);
    Random random(3);
    problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.7)); });
    for (std::size_t i = 0; i < queries; ++i) problem.bool_mask.at(0, 0, i, 17) = 0;
    const Outcome expected = run(problem);
    for (const float loud : {kNan, kInfinity, -kInfinity, kHuge, 60.0f}) {
      Problem changed = problem;
      for (std::size_t d = 0; d < 8; ++d) changed.k.at(0, 0, 17, d) = loud;
      for (std::size_t d = 0; d < 5; ++d) changed.v.at(0, 0, 17, d) = loud;
      EXPECT_TRUE(same_bits(run(changed), expected)) << loud << ", " << queries << " queries";
    }
  }
}

TEST(AttentionAdditive, ANanInAKeyMakesExactlyTheRowsNanThatSeeIt) {
  for (const std::size_t queries : {5u, 70u}) {
    Problem problem = additive({1, 1, 1, queries, 100, 8, 5}, 12);
    problem.causal = true;
    problem.offsets = {20};
    const Outcome expected = run(problem);
    problem.k.at(0, 0, 22, 3) = kNan;
    const Outcome outcome = run(problem);
    for (std::size_t i = 0; i < queries; ++i) {
      if (i + 20 >= 22) {
        EXPECT_TRUE(std::isnan(outcome.lse[i])) << i;
      } else {
        EXPECT_EQ(bits_of(outcome.lse[i]), bits_of(expected.lse[i])) << i;
        EXPECT_TRUE(same_bits(outcome.output_row(i, 5), expected.output_row(i, 5))) << i;
      }
    }
  }
}

TEST(AttentionAdditive, ThreadsSlicesAndWhatIsAskedForChangeNoBit) {
  std::vector<Problem> problems = {additive({2, 2, 1, 280, 100, 24, 9}, 21), additive({1, 2, 1, 3, 2500, 32, 8}, 22)};
  problems[0].causal = true;
  for (Problem& problem : problems) {
    reach_far(problem, 4);
    const Outcome alone = run(problem);
    EXPECT_TRUE(same_bits(run(problem, Want::Output).output, alone.output));
    for (const std::size_t threads : {2u, 5u}) {
      ThreadPool pool;
      ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
      EXPECT_TRUE(same_bits(run_on_pool(problem.args(), pool), alone)) << threads << " threads";
    }
  }
  AttentionArgs part = problems[0].args();
  part.query_from = 64;
  part.query_to = 192;
  const Outcome slice = run(part), whole = run(problems[0]);
  for (std::size_t row = 64; row < 192; ++row) EXPECT_TRUE(same_bits(slice.output_row(row, 9), whole.output_row(row, 9)));
}

TEST(AttentionAdditive, AWidthOfOneIsAFunctionOfASumOfTwoNumbers) {
  // LeakyReLU(q + k), by hand (arXiv:1710.10903 eq. 3), on every path that scores.
  for (const std::size_t queries : {1u, 9u, 65u}) {
    Problem problem = additive({1, 2, 2, queries, 70, 1, 3}, 3);
    problem.variant.score_activation = {Activation::LeakyRelu, 0.2f};
    problem.score_weights = {1};
    EXPECT_TRUE(agrees(problem));
    EXPECT_TRUE(agrees(problem, random_keys(3, 1, 5)));
    const std::vector<float> logits = run_logits(problem.args(), LogitStage::Raw).logits;
    for (std::size_t n = 0; n < logits.size(); ++n) {
      const std::size_t h = n / 70 / queries;
      const float sum = problem.q.at(0, h, n / 70 % queries, 0) + problem.k.at(0, h, n % 70, 0);
      EXPECT_EQ(logits[n], sum < 0 ? 0.2f * sum : sum);
    }
  }
}

TEST(AttentionAdditive, OverACacheOfAnyKindItsBitsAreThoseOfTheSameKeys) {
  for (const std::size_t queries : {1u, 9u, 70u}) {
    const std::size_t keys = queries < 10 ? 1100 : 130, gone = queries < 10 ? 900 : 18;
    for (const ActivationArgs& f : kActivations) {
      for (const bool is_float16 : {false, true}) {
        Problem problem = additive({1, 2, 1, queries, keys, 70, 5}, 31);
        problem.variant.score_activation = f;
        if (is_float16) round_to_float16(problem);
        reach_far(problem, queries);
        if (is_float16) round_to_float16(problem);
        const Outcome expected = run(problem);
        EXPECT_TRUE(same_bits(run(CacheOf(problem, {is_float16, 0, 0, kUnbounded}).args(problem.args())), expected));

        // The ring's rule is a mask; what it has evicted shows in no bit, and raw logits of it are -inf.
        problem.causal = true;
        problem.offsets = {static_cast<std::int32_t>(keys - queries)};
        const KvLayout ring = {is_float16, 3, gone, 40};
        AttentionArgs args = problem.args();
        args.kv_layout = {false, 3, 0, 40};
        const CacheOf cache(problem, ring);
        EXPECT_TRUE(same_bits(run(cache.args(problem.args())), run(args))) << queries << ", " << static_cast<int>(f.kind);
        const std::vector<float> got = run_logits(cache.args(problem.args()), LogitStage::Raw).logits;
        const std::vector<float> want = run_logits(args, LogitStage::Raw).logits;
        EXPECT_TRUE(same_bits(std::span(got), std::span(want)));
      }
    }
  }
}

TEST(AttentionAdditive, AnUnknownActivationIsRefused) {
  const Problem problem = additive({1, 1, 1, 2, 3, 4, 5}, 1);
  AttentionArgs args = problem.args();
  for (const ActivationArgs& f :
       {ActivationArgs{Activation::Gelu}, ActivationArgs{static_cast<Activation>(77)},
        ActivationArgs{Activation::LeakyRelu, kNan}, ActivationArgs{Activation::LeakyRelu, kInfinity}}) {
    args.variant.score_activation = f;
    EXPECT_EQ(run(args).status, Status::Value);
  }
}

TEST(AttentionAdditive, WithoutItsWeightsItIsRefused) {
  AttentionArgs args = additive({1, 1, 1, 2, 3, 4, 5}, 1).args();
  args.variant.score_weights = nullptr;
  EXPECT_EQ(run(args).status, Status::Value);
}

}  // namespace fovea::test

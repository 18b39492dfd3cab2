/// A few queries and many keys: the path that streams keys and values in chunks of 1024.

#include "attention/decode/decode.hpp"
#include "support/normalizers.hpp"

namespace fovea::test {

TEST(AttentionDecode, EveryNumberOfQueriesAroundItsLimitAgrees) {
  for (std::size_t queries = 1; queries <= kDecodeQueries + 1; ++queries) {
    EXPECT_TRUE(agrees(Problem({1, 2, 1, queries, 200, 16, 9}, queries))) << queries;
  }
}

TEST(AttentionDecode, KeysAroundTilesAndChunksAgree) {
  for (const std::size_t keys : {1u, 2u, 3u, 15u, 16u, 17u, 63u, 64u, 65u, 1023u, 1024u, 1025u, 2048u, 3000u}) {
    EXPECT_TRUE(agrees(Problem({1, 1, 1, 1, keys, 16, 16}, keys))) << keys;
    EXPECT_TRUE(agrees(Problem({2, 4, 2, 3, keys, 7, 5}, keys))) << keys;
  }
}

TEST(AttentionDecode, EveryWidthAgrees) {
  for (const std::size_t width : {1u, 2u, 3u, 4u, 5u, 7u, 15u, 16u, 17u, 20u, 63u, 64u, 65u, 80u, 100u, 256u}) {
    EXPECT_TRUE(agrees(Problem({1, 1, 1, 2, 150, width, 8}, width))) << "key width " << width;
    EXPECT_TRUE(agrees(Problem({1, 1, 1, 2, 150, 8, width}, width))) << "value width " << width;
  }
}

TEST(AttentionDecode, RulesMasksAndBiasesAgreeAcrossChunks) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const Sizes sizes{2, 4, 2, random.size(1, kDecodeQueries), random.size(1, 2500), 8, 6};
    Problem problem(sizes, seed);
    const auto keys = static_cast<std::int32_t>(sizes.keys);
    if (random.chance(0.5)) problem.causal = true;
    if (random.chance(0.5)) problem.offsets = {static_cast<std::int32_t>(random.integer(-3, keys)), keys - 1};
    if (random.chance(0.5)) problem.key_lengths = {static_cast<std::int32_t>(random.integer(0, keys)), keys};
    if (random.chance(0.3)) problem.window_left = static_cast<std::ptrdiff_t>(random.integer(0, keys));
    if (random.chance(0.3)) problem.softcap = 20.0f;
    if (random.chance(0.3)) problem.slopes = {0.5f, 0.1f, 0.01f, 0.001f};
    if (random.chance(0.3)) problem.sinks = {0.0f, 1.0f, -4.0f, 9.0f};
    if (random.chance(0.3)) {
      problem.bool_mask = PairsMask<std::uint8_t>(2, 1, sizes.queries, sizes.keys, 0);
      problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.6)); });
    }
    if (random.chance(0.3)) {
      problem.float_mask = PairsMask<float>(1, 4, sizes.queries, sizes.keys, 0);
      problem.float_mask.fill([&] { return random.chance(0.2) ? -kInfinity : random.normal(); });
    }
    EXPECT_TRUE(agrees(problem)) << problem.describe();
  }
}

TEST(AttentionDecode, EveryNormalizerAgreesAcrossChunksOnAnyNumberOfThreads) {
  std::uint64_t seed = 300;
  for (const Normalizer& normalizer : all_normalizers())
    for (const Sizes& sizes : {Sizes{1, 4, 1, 1, 2500, 8, 6}, Sizes{2, 4, 2, 7, 1100, 8, 6}, Sizes{1, 2, 1, 63, 2100, 8, 9}}) {
      Problem problem = with(with_exact_logits(Problem(sizes, ++seed)), normalizer);
      problem.causal = seed % 2 == 0;
      problem.offsets.assign(sizes.batch, static_cast<std::int32_t>(sizes.keys - sizes.queries));
      problem.key_lengths.assign(sizes.batch, static_cast<std::int32_t>(sizes.keys - seed % 3));
      const Outcome alone = run(problem, Want::Weights);
      ASSERT_TRUE(agrees(problem)) << problem.describe();
      for (const std::size_t threads : {2u, 3u}) {
        ThreadPool pool;
        pool.start(threads);
        ASSERT_TRUE(same_bits(run(problem.args(), Want::Weights, {}, 0, kPoison, &pool), alone)) << problem.describe();
      }
    }
}

TEST(AttentionDecode, WholeRowsAgreeWhereAWaveHoldsManyGroupsOrOnlyOne) {
  std::uint64_t seed = 400;
  for (const auto& [kind, k] :
       {std::pair{NormalizerKind::Sparsemax, 1u}, {NormalizerKind::Entmax15, 1u}, {NormalizerKind::TopK, 40u}})
    for (const Sizes& sizes : {Sizes{3, 4, 2, 2, 5000, 4, 5}, Sizes{1, 2, 1, 29, 9000, 4, 3}, Sizes{1, 1, 1, 30, 9000, 4, 3}}) {
      Problem problem = with(with_exact_logits(Problem(sizes, ++seed)), {.kind = kind, .k = k});
      problem.key_lengths.assign(sizes.batch, static_cast<std::int32_t>(sizes.keys - 70));
      ASSERT_TRUE(agrees(problem)) << problem.describe();
      const Outcome alone = run(problem, Want::Weights);
      ThreadPool pool;
      pool.start(3);
      ASSERT_TRUE(same_bits(run(problem.args(), Want::Weights, {}, 0, kPoison, &pool), alone)) << problem.describe();
    }
}

TEST(AttentionDecode, HowManyQueriesShareAReadingShowsInNoBit) {
  // Masked for some of the queries and not for others; values that are not finite where nobody may look.
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    const Sizes sizes{1, 6, 2, 5, 1300, 12, 20};
    Problem problem(sizes, seed);
    Random random(seed);
    problem.causal = seed != 3;
    problem.offsets = {1295};
    problem.bool_mask = PairsMask<std::uint8_t>(1, 6, 5, 1300, 0);
    problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(seed == 4 ? 0.2 : 0.95)); });
    for (std::size_t h = 0; seed > 1 && h < 6; ++h)
      for (std::size_t i = 0; i < 5; ++i) problem.bool_mask.at(0, h, i, 700) = 0;
    for (std::size_t h = 0; seed > 1 && h < 2; ++h) problem.v.at(0, h, 700, 3) = seed == 2 ? kNan : kInfinity;
    const Outcome whole = run(problem);
    ASSERT_TRUE(all_of(whole.output, "finite", [](float x) { return std::isfinite(x); }));
    for (std::size_t h = 0; h < 6; ++h) {
      AttentionArgs one = problem.args();
      one.heads = one.kv_heads = 1;
      one.q.data = one.q.row(0, h, 0);
      one.k.data = one.k.row(0, h / 3, 0);
      one.v.data = one.v.row(0, h / 3, 0);
      one.bool_mask.data = one.bool_mask.row(0, h, 0);
      const Outcome alone = run(one);
      EXPECT_TRUE(same_bits(alone.output, std::span(whole.output).subspan(h * 5 * 20, 5 * 20))) << "head " << h;
      for (std::size_t i = 0; i < 5; ++i) {
        one.query_from = i;
        one.query_to = i + 1;
        const Outcome row = run(one);
        EXPECT_TRUE(same_bits(row.output_row(i, 20), whole.output_row(h * 5 + i, 20))) << h << ", " << i;
      }
    }
  }
}

TEST(AttentionDecode, ChunksWhoseMaximaAreFarApartAreMergedByTheirShare) {
  Problem problem({1, 1, 1, 2, 3000, 1, 1}, 1);
  problem.scale = 1;
  for (const float far : {5.0f, 50.0f, 500.0f}) {
    for (std::size_t i = 0; i < 2; ++i) problem.q.at(0, 0, i, 0) = i == 0 ? 1.0f : -1.0f;
    for (std::size_t j = 0; j < 3000; ++j)
      problem.k.at(0, 0, j, 0) = far * static_cast<float>(j / 1024) + 0.001f * static_cast<float>(j % 7);
    EXPECT_TRUE(agrees(problem)) << far;
  }
}

TEST(AttentionDecode, LargeLogitsAgree) {
  for (const float size : {30.0f, 300.0f, 3000.0f}) {
    Problem problem({1, 1, 1, 1, 1500, 64, 8}, 5);
    for (std::size_t d = 0; d < 64; ++d) problem.q.at(0, 0, 0, d) *= size;
    EXPECT_TRUE(agrees(problem)) << size;
  }
}

TEST(AttentionDecode, WhatForbiddenKeysAndValuesHoldReachesNothing) {
  Problem problem({1, 2, 2, 3, 1300, 8, 11}, 9);
  problem.bool_mask = PairsMask<std::uint8_t>(1, 1, 1, 1300, 0);
  problem.bool_mask.fill([] { return std::uint8_t{1}; });
  for (const std::size_t key : {0u, 63u, 64u, 700u, 1024u, 1299u}) problem.bool_mask.at(0, 0, 0, key) = 0;
  const Outcome expected = run(problem);
  ASSERT_TRUE(agrees(expected, problem.oracle()));
  for (const float loud : {kNan, kInfinity, -kInfinity, kHuge}) {
    Problem changed = problem;
    for (const std::size_t key : {0u, 63u, 64u, 700u, 1024u, 1299u}) {
      for (std::size_t h = 0; h < 2; ++h) {
        for (std::size_t d = 0; d < 8; ++d) changed.k.at(0, h, key, d) = loud;
        for (std::size_t d = 0; d < 11; ++d) changed.v.at(0, h, key, d) = loud;
      }
    }
    EXPECT_TRUE(same_bits(run(changed), expected)) << loud;
  }
}

TEST(AttentionDecode, ANanInAnAllowedKeyMakesItsHeadsRowsNanAndNoOthers) {
  for (const std::size_t key : {0u, 500u, 1024u, 2999u}) {
    Problem problem({1, 2, 2, 2, 3000, 8, 4}, 10);
    const Outcome expected = run(problem);
    problem.k.at(0, 1, key, 3) = kNan;
    const Outcome outcome = run(problem);
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t d = 0; d < 4; ++d) {
        const float x = outcome.output[row * 4 + d];
        EXPECT_TRUE(row < 2 ? bits_of(x) == bits_of(expected.output[row * 4 + d]) : std::isnan(x)) << key << ", row " << row;
      }
      EXPECT_EQ(std::isnan(outcome.lse[row]), row >= 2) << key;
    }
  }
}

TEST(AttentionDecode, ANanThatIsTheOnlyAllowedKeyOfItsChunkMakesTheRowNan) {
  // The maximum may miss it, and then its chunk looks like one without an allowed key, but for its sum.
  for (const std::size_t key : {1024u, 1025u, 1026u, 1027u, 1500u}) {
    Problem problem({1, 1, 1, 1, 2000, 8, 4}, 11);
    problem.bool_mask = PairsMask<std::uint8_t>(1, 1, 1, 2000, 0);
    for (std::size_t j = 0; j < 2000; ++j) problem.bool_mask.at(0, 0, 0, j) = j < 10 || j == key ? 1 : 0;
    problem.k.at(0, 0, key, 5) = kNan;
    const Outcome outcome = run(problem);
    EXPECT_TRUE(std::isnan(outcome.lse[0])) << key;
    for (const float x : outcome.output) EXPECT_TRUE(std::isnan(x)) << key;
  }
}

TEST(AttentionDecode, ARangeOfQueriesWritesItsRowsAndNoOthers) {
  const Problem problem({1, 2, 1, 5, 1500, 8, 4}, 12);
  const Outcome whole = run(problem);
  struct Range {
    std::size_t from, to;
  };
  for (const auto& [from, to] : {Range{0, 5}, {1, 3}, {4, kAllQueries}, {2, 2}, {5, 9}, {4, 2}, {300, kAllQueries}}) {
    AttentionArgs args = problem.args();
    args.query_from = from;
    args.query_to = to;
    const Outcome part = run(args);
    ASSERT_EQ(part.status, Status::Ok);
    ASSERT_TRUE(part.memory);
    for (std::size_t row = 0; row < 2 * 5; ++row) {
      const bool computed = row % 5 >= from && row % 5 < to;
      const float expected = computed ? whole.output_row(row, 4)[0] : kPoison;
      EXPECT_EQ(bits_of(part.output_row(row, 4)[0]), bits_of(expected)) << row << " of " << from << " to " << to;
      EXPECT_EQ(bits_of(part.weights_row(row, 1500)[1499]), bits_of(computed ? whole.weights_row(row, 1500)[1499] : kPoison));
      EXPECT_EQ(bits_of(part.lse[row]), bits_of(computed ? whole.lse[row] : kPoison)) << row;
    }
  }
}

TEST(AttentionDecode, WavesOfChunksAndPartsOfAGroupChangeNoBit) {
  // Rows this wide fill a wave with a few chunks, which begin and end within groups of heads; a group has 7 of the 8 heads.
  const Problem problem({2, 8, 1, 8, 1500, 512, 512}, 5);
  const AttentionArgs args = problem.args();
  const Outcome whole = run(args);
  ASSERT_TRUE(agrees(whole, problem.oracle()));
  ThreadPool pool;
  pool.start(4);
  EXPECT_TRUE(same_bits(whole, run_on_pool(args, pool)));
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t h = 0; h < 8; ++h) {
      AttentionArgs one = args;
      one.batch = one.heads = 1;
      one.q.data = args.q.row(b, h, 0);
      one.k.data = args.k.row(b, 0, 0);
      one.v.data = args.v.row(b, 0, 0);
      const Outcome alone = run(one);
      const std::size_t rows = 8 * 512, at = (b * 8 + h) * rows;
      EXPECT_TRUE(same_bits(std::span(whole.output).subspan(at, rows), alone.output)) << b << ", " << h;
    }
  }
}

}  // namespace fovea::test

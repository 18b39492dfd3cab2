/// Attention over a cache: what it gives over the same keys and values in arrays, bit for bit, whatever they are stored as and
/// whichever are gone.

#include "support/cache.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

struct Ring {
  std::size_t keep_first, window, shift;  // shift: how many are gone
};

/// The last queries of `sizes.keys` tokens, with all options that speak of places.
Problem decoder(const Sizes& sizes, std::uint64_t seed, bool busy = true) {
  Problem problem(sizes, seed, seed % 2 == 0 ? Arrangement{} : kGaps);
  problem.causal = true;
  problem.offsets.assign(sizes.batch, static_cast<std::int32_t>(sizes.keys) - static_cast<std::int32_t>(sizes.queries));
  if (!busy) return problem;
  Random random(seed);
  problem.softcap = seed % 3 == 0 ? 15.0f : 0.0f;
  problem.slopes.assign(sizes.heads, 0.03f);
  problem.sinks.assign(sizes.heads, 0.5f);
  problem.window_left = seed % 4 == 0 ? 90 : kUnbounded;
  problem.bool_mask = PairsMask<std::uint8_t>(sizes.batch, 1, sizes.queries, sizes.keys, 0);
  problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.9)); });
  problem.float_mask = PairsMask<float>(1, sizes.heads, sizes.queries, sizes.keys, 0);
  problem.float_mask.fill([&] { return random.chance(0.05) ? -kInfinity : random.normal(); });
  return problem;
}

bool is_evicted(const Problem& problem, const Ring& ring, std::size_t i, std::size_t j) {
  const auto p = static_cast<std::int64_t>(i) + problem.offsets[0];
  return j >= ring.keep_first && static_cast<std::int64_t>(j) <= p - static_cast<std::int64_t>(ring.window);
}

/// The ring's rule as a boolean mask.
Problem with_mask(Problem problem, const Ring& ring) {
  const Sizes& sizes = problem.sizes;
  PairsMask<std::uint8_t> mask(sizes.batch, 1, sizes.queries, sizes.keys, 0);
  for (std::size_t b = 0; b < sizes.batch; ++b)
    for (std::size_t i = 0; i < sizes.queries; ++i)
      for (std::size_t j = 0; j < sizes.keys; ++j) {
        const bool allowed = problem.bool_mask.view().data == nullptr || problem.bool_mask.at(b, 0, i, j) != 0;
        mask.at(b, 0, i, j) = static_cast<std::uint8_t>(allowed && !is_evicted(problem, ring, i, j));
      }
  problem.bool_mask = mask;
  return problem;
}

KvLayout store_of(const Ring& ring, bool is_float16) {
  return {is_float16, ring.keep_first, ring.shift, static_cast<std::ptrdiff_t>(ring.window)};
}

Outcome run_over(const Problem& problem, const CacheOf& cache, ThreadPool* pool = nullptr) {
  return run(cache.args(problem.args()), Want::All, problem.arrangement, 0, kPoison, pool);
}

struct Case {
  Sizes sizes;
  Ring ring;
};

/// Few queries and many, tiles with both ends of what is gone, chunks that are gone as a whole, nothing gone at all.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {{1, 1, 1, 1, 200, 7, 3}, {0, 50, 0}},        {{2, 4, 2, 1, 200, 16, 9}, {0, 50, 150}},
      {{1, 2, 1, 3, 333, 64, 64}, {5, 70, 255}},    {{1, 2, 2, 8, 5000, 12, 20}, {3, 900, 4000}},
      {{1, 1, 1, 5, 4099, 8, 8}, {1100, 20, 2970}}, {{1, 2, 1, 1, 3072, 8, 8}, {0, 1000, 2048}},
      {{2, 4, 2, 65, 300, 16, 9}, {0, 40, 190}},    {{1, 2, 1, 33, 700, 64, 64}, {70, 100, 490}},
      {{1, 1, 1, 300, 500, 7, 80}, {3, 65, 130}},   {{1, 2, 2, 9, 130, 1, 1}, {64, 1, 57}},
      {{1, 1, 1, 64, 64, 5, 5}, {2, 7, 0}},         {{1, 2, 1, 1, 1024, 80, 80}, {64, 64, 896}}};
  return all;
}

}  // namespace

TEST(AttentionCache, AWindowIsARuleOfPlaceAndAMaskOfItsPairsGivesTheSameBits) {
  std::uint64_t seed = 1;
  for (const auto& [sizes, ring] : cases()) {
    const Problem problem = decoder(sizes, seed++);
    AttentionArgs args = problem.args();
    args.kv_layout = store_of({ring.keep_first, ring.window, 0}, false);
    const Outcome outcome = run(args, Want::All, problem.arrangement);
    ASSERT_EQ(outcome.status, Status::Ok);
    EXPECT_TRUE(same_bits(outcome, run(with_mask(problem, ring)))) << problem.describe();
  }
}

TEST(AttentionCache, WhatIsGoneAndHowTheRestIsStoredShowsInNoBit) {
  std::uint64_t seed = 20;
  for (const auto& [sizes, ring] : cases()) {
    for (const bool is_float16 : {false, true}) {
      Problem problem = decoder(sizes, seed++);
      if (is_float16) round_to_float16(problem);
      const Outcome expected = run(with_mask(problem, ring));
      // Keys that no query sees any more are poison, and the others not moved.
      const std::size_t first_seen = sizes.keys - sizes.queries + 1 - std::min(ring.window, sizes.keys - sizes.queries + 1);
      for (const std::size_t shift : {ring.shift, std::size_t{0}}) {
        const CacheOf cache(problem, store_of({ring.keep_first, ring.window, shift}, is_float16), first_seen);
        const Outcome outcome = run_over(problem, cache);
        ASSERT_EQ(outcome.status, Status::Ok) << problem.describe();
        EXPECT_TRUE(outcome.memory);
        EXPECT_TRUE(same_bits(outcome, expected)) << problem.describe() << " is_float16 " << is_float16 << " shift " << shift;
      }
    }
  }
}

TEST(AttentionCache, HalvesWithoutARingAreTheirFloats) {
  for (const Sizes& sizes : {Sizes{2, 4, 2, 1, 1500, 80, 9}, Sizes{1, 2, 2, 70, 200, 63, 65}, Sizes{1, 1, 1, 3, 0, 4, 4}}) {
    Problem problem = decoder(sizes, 50 + sizes.keys);
    round_to_float16(problem);
    const CacheOf cache(problem, {true, 0, 0, kUnbounded});
    EXPECT_TRUE(same_bits(run_over(problem, cache), run(problem)));
  }
}

TEST(AttentionCache, HalvesThatAreConvertedWhileTheyAreMultipliedAreTheirFloats) {
  // One query, or several of one key head; whole chunks and parts of one; queries so large that they take no factor of 2^112.
  std::uint64_t seed = 55;
  for (const Sizes& sizes : {Sizes{1, 2, 2, 1, 2100, 64, 64}, Sizes{2, 4, 2, 1, 1030, 80, 9}, Sizes{1, 8, 1, 2, 1500, 16, 70},
                             Sizes{1, 1, 1, 1, 1024, 7, 5}, Sizes{1, 1, 1, 8, 3000, 65, 65}}) {
    for (const float factor : {1.0f, 1e7f}) {
      for (const bool busy : {false, true}) {
        Problem problem = decoder(sizes, seed++, busy);
        problem.scale = 0.1f / factor;
        problem.k.each([](float& x) { x = std::abs(x) < 0.01f ? 0.0f : x; });
        problem.v.each([](float& x) { x = std::abs(x) < 0.01f ? 0.0f : x; });
        problem.q.each([factor](float& x) { x *= factor; });
        if (factor > 1.0f) problem.softcap = 50.0f;  // the scale follows the products
        round_to_float16(problem);
        const CacheOf cache(problem, {true, 0, 0, kUnbounded});
        ASSERT_TRUE(cache.converts_inline());
        EXPECT_TRUE(same_bits(run_over(problem, cache), run(problem))) << problem.describe();
      }
    }
  }
}

TEST(AttentionCache, HalvesThatAreSubnormalOrNotFiniteAreNotRegular) {
  for (const float number : {0.0f, 1.0f, -65504.0f, 0x1p-14f, 0x1p-15f, -0x1p-24f, kInfinity, -kInfinity, kNan, 1e5f}) {
    for (const std::size_t count : {0u, 1u, 300u}) {
      std::vector<float> row(1000, 0.5f);
      std::fill_n(row.begin() + 7, count, number);
      std::vector<std::uint16_t> halves(row.size());
      std::uint32_t irregular = 0;
      AppendArgs args;
      args.batch = args.heads = args.tokens = args.rows = 1;
      args.width = row.size();
      args.from = {row.data(), 0, 0, 0};
      args.float16 = halves.data();
      args.irregular = &irregular;
      ASSERT_EQ(append_rows(args), Status::Ok);
      const bool finite = std::abs(number) < 65520, subnormal = number != 0 && std::abs(number) < 0x1p-14f;
      EXPECT_EQ(irregular != 0, (!finite && count > 0) || (subnormal && count == 300)) << count << " of " << number;
    }
  }
}

TEST(AttentionCache, LargeScoresAreComputedInDoubleThereToo) {
  for (const std::size_t queries : {1u, 40u}) {
    for (const bool is_float16 : {false, true}) {
      Problem problem = decoder({1, 2, 1, queries, 300, 100, 8}, 60, false);
      problem.q.each([](float& x) { x *= 40; });
      problem.k.each([](float& x) { x *= 40; });
      if (is_float16) round_to_float16(problem);
      const Ring ring = {3, 80, 150};
      const CacheOf cache(problem, store_of(ring, is_float16));
      const Problem masked = with_mask(problem, ring);
      EXPECT_TRUE(same_bits(run_over(problem, cache), run(masked)));
      EXPECT_TRUE(agrees(masked));
    }
  }
}

TEST(AttentionCache, LogitsOfEvictedKeysAreMinusInfinityAtEveryStage) {
  for (const std::size_t queries : {2u, 70u}) {
    for (const bool is_float16 : {false, true}) {
      Problem problem = decoder({1, 2, 1, queries, 400, 9, 5}, 72);
      if (is_float16) round_to_float16(problem);
      const Ring ring = {5, 60, 250};
      const CacheOf cache(problem, store_of(ring, is_float16), 260);
      for (const LogitStage stage : {LogitStage::Raw, LogitStage::Capped, LogitStage::Biased}) {
        const LogitsOutcome got = run_logits(cache.args(problem.args()), stage), want = run_logits(problem.args(), stage);
        ASSERT_EQ(got.status, Status::Ok);
        for (std::size_t n = 0; n < got.logits.size(); ++n) {
          const bool evicted = is_evicted(problem, ring, n / 400 % queries, n % 400);
          ASSERT_EQ(got.logits[n], evicted ? -kInfinity : want.logits[n]) << n;
        }
      }
    }
  }
}

TEST(AttentionCache, AnyNumberOfThreadsGivesTheSame) {
  for (const Sizes& sizes : {Sizes{1, 4, 2, 2, 9000, 64, 64}, Sizes{1, 4, 2, 150, 600, 64, 64}}) {
    for (const bool is_float16 : {false, true}) {
      Problem problem = decoder(sizes, 80, false);
      const Ring ring = {10, sizes.keys / 2, sizes.keys / 5};
      const CacheOf cache(problem, store_of(ring, is_float16));
      const Outcome alone = run_over(problem, cache);
      for (const std::size_t threads : {2u, 3u}) {
        ThreadPool pool;
        ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
        const Outcome shared = run_over(problem, cache, &pool);
        EXPECT_TRUE(shared.memory);
        EXPECT_TRUE(same_bits(shared, alone)) << threads;
      }
    }
  }
}

TEST(AttentionCache, APatternThatLeavesOutWhatIsGoneReadsWhatItSees) {
  const Program rule = or_({columns(INT32_MAX, 0, 4), band(59, -1)});
  for (const bool is_float16 : {false, true}) {
    for (const Program& program : {all(), or_({atrous(7), band(20, 0)}), columns(3, 0, 1)}) {
      Problem problem = decoder({1, 2, 1, 70, 420, 9, 5}, 90);
      if (is_float16) round_to_float16(problem);
      const Ring ring = {4, 60, 230};
      SparseCall call(problem, and_({program, rule}));
      const Outcome expected = run(call.args(), Want::All, problem.arrangement);
      const CacheOf cache(problem, store_of(ring, is_float16), 250);
      const Outcome outcome = run(cache.args(call.args()), Want::All, problem.arrangement);
      ASSERT_EQ(outcome.status, Status::Ok);
      EXPECT_TRUE(same_bits(outcome, expected));
      // A mask of the rule has other tiles, but no other pairs.
      EXPECT_TRUE(agrees(outcome, with_pattern_as_masks(problem, and_({program, rule})).oracle()));
    }
  }
}

TEST(AttentionCache, StoresThatCannotBeAreRefused) {
  const Problem problem = decoder({1, 1, 1, 1, 30, 4, 4}, 95, false);
  const auto status = [&](const KvLayout& store) {
    AttentionArgs args = problem.args();
    args.kv_layout = store;
    return run(args).status;
  };
  EXPECT_EQ(status({false, 0, 0, 0}), Status::Value);
  EXPECT_EQ(status({false, 0, 0, -2}), Status::Value);
  EXPECT_EQ(status({false, 5, 26, 3}), Status::Value);
  AttentionArgs gaps = problem.args();
  gaps.k.token = 5;
  gaps.kv_layout.float16 = true;
  EXPECT_EQ(run(gaps).status, Status::Value);
  for (const std::size_t queries : {1u, 40u}) {
    Problem other = decoder({1, 1, 1, queries, 300, 9, 5}, 96, false);
    const CacheOf cache(other, {true, 0, 0, kUnbounded});
    EXPECT_EQ(run(cache.args(other.args()), Want::All, {}, 1).status, Status::Memory);
  }
}

TEST(AppendRows, CopiesRowsOfAnyLayoutAndRefusesWhatHasNoRoom) {
  const Slab<float> from = [] {
    Slab<float> slab(2, 3, 4, 5, kHuge, Layout::Bthd, kGaps.padding);
    float next = 0;
    slab.fill([&] { return ++next; });
    return slab;
  }();
  std::vector<float> to(2 * 3 * 7 * 5, -1.0f);
  AppendArgs args;
  args.batch = 2;
  args.heads = 3;
  args.tokens = 4;
  args.width = 5;
  args.from = from.view();
  args.floats = to.data();
  args.rows = 7;
  args.at = 2;
  ASSERT_EQ(append_rows(args), Status::Ok);
  for (std::size_t n = 0; n < to.size(); ++n) {
    const std::size_t d = n % 5, row = n / 5 % 7, h = n / 35 % 3, b = n / 105;
    ASSERT_EQ(to[n], row < 2 || row > 5 ? -1.0f : from.at(b, h, row - 2, d)) << n;
  }
  args.at = 4;
  EXPECT_EQ(append_rows(args), Status::Value);
  args.at = 8;
  args.tokens = 0;
  EXPECT_EQ(append_rows(args), Status::Value);
}

}  // namespace fovea::test

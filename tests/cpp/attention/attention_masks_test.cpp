/// Which pairs are allowed, and what is added to their logits. The oracle decides; the special rows are also pinned by hand.

#include "support/problem.hpp"

namespace fovea::test {
namespace {

constexpr float kLowest = std::numeric_limits<float>::lowest();

/// Spans two query blocks and three key tiles.
constexpr Sizes kMaskSizes{2, 2, 1, 133, 150, 8, 6};

Problem small(std::uint64_t seed = 5) { return Problem({2, 4, 2, 9, 70, 8, 6}, seed, kGaps); }

}  // namespace

TEST(AttentionMasks, ScaleMayBeZeroNegativeOrLarge) {
  for (const float scale : {0.0f, -0.0f, -0.25f, 1.0f, 3.0f, 1e-20f}) {
    Problem problem = small();
    problem.scale = scale;
    ASSERT_TRUE(agrees(problem));
  }
}

TEST(AttentionMasks, ScaleZeroAveragesTheValues) {
  Problem problem({1, 1, 1, 3, 64, 8, 6}, 1);
  problem.scale = 0;
  EXPECT_TRUE(all_equal(run(problem).weights, 1.0f / 64));
}

TEST(AttentionMasks, CausalWithAnyOffset) {
  for (const std::int32_t offset : {0, 1, -1, 5, -5, 63, -63, 64, -64, 65, 140, -140, 100000, -100000}) {
    Problem problem(kMaskSizes, 3);
    problem.causal = true;
    problem.offsets = {offset, 17 - offset};
    ASSERT_TRUE(agrees(problem));
  }
}

TEST(AttentionMasks, CausalRowsSeeExactlyTheKeysUpToTheirPosition) {
  Problem problem({1, 1, 1, 130, 130, 4, 4}, 3);
  problem.causal = true;
  for (const std::int32_t offset : {0, -3, 3}) {
    problem.offsets = {offset};
    const Outcome outcome = run(problem);
    for (std::int64_t i = 0; i < 130; ++i)
      for (std::int64_t j = 0; j < 130; ++j) {
        ASSERT_EQ(outcome.weights[static_cast<std::size_t>(i * 130 + j)] > 0, j <= i + offset) << i << ", " << j;
      }
  }
}

TEST(AttentionMasks, WindowsOfEveryKind) {
  for (const std::ptrdiff_t left : {-1, 0, 1, 7, 63, 64, 65, 200})
    for (const std::ptrdiff_t right : {-1, 0, 2, 64, 200}) {
      Problem problem({1, 1, 1, 133, 150, 4, 4}, 4);
      problem.window_left = left;
      problem.window_right = right;
      ASSERT_TRUE(agrees(problem));
      problem.causal = true;
      problem.offsets = {11};
      ASSERT_TRUE(agrees(problem));
      problem.offsets = {-40};
      ASSERT_TRUE(agrees(problem));
    }
}

TEST(AttentionMasks, WindowsAndOffsetsMayBeAsLargeAsTheirTypes) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max(), kLeast = std::numeric_limits<std::int32_t>::min();
  constexpr std::ptrdiff_t kWidest = std::numeric_limits<std::ptrdiff_t>::max();
  for (const std::int32_t offset : {kMost, kLeast, kMost - 100, kLeast + 100, 0, -7}) {
    for (const std::ptrdiff_t left : {kUnbounded, std::ptrdiff_t{0}, std::ptrdiff_t{kMost}, kWidest - 1, kWidest})
      for (const std::ptrdiff_t right : {kUnbounded, std::ptrdiff_t{0}, std::ptrdiff_t{kMost}, kWidest - 1, kWidest}) {
        Problem problem({1, 1, 1, 5, 9, 4, 4}, 4);
        problem.offsets = {offset};
        problem.window_left = left;
        problem.window_right = right;
        ASSERT_TRUE(agrees(problem));
        problem.causal = true;
        ASSERT_TRUE(agrees(problem));
      }
  }
}

TEST(AttentionMasks, KeyLengthsCutEachBatchEntry) {
  for (const std::int32_t length : {0, 1, 63, 64, 65, 127, 128, 150}) {
    Problem problem(kMaskSizes, 6, kGaps);
    problem.key_lengths = {length, 150 - length};
    ASSERT_TRUE(agrees(problem));
    problem.causal = true;
    problem.offsets = {length - 133, 0};
    ASSERT_TRUE(agrees(problem));
  }
}

TEST(AttentionMasks, BooleanMasksBroadcastOverEveryAxis) {
  Random random(11);
  for (int axes = 0; axes < 16; ++axes) {
    for (const bool transposed : {false, true}) {
      Problem problem = small();
      const Sizes& s = problem.sizes;
      problem.bool_mask =
          PairsMask<std::uint8_t>((axes & 1) != 0 ? s.batch : 1, (axes & 2) != 0 ? s.heads : 1, (axes & 4) != 0 ? s.queries : 1,
                                  (axes & 8) != 0 ? s.keys : 1, 0xFF, transposed, kGaps.padding);
      problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.6) ? 1 : 0); });
      ASSERT_TRUE(agrees(problem));
    }
  }
}

TEST(AttentionMasks, EveryNonzeroByteOfABooleanMaskAllows) {
  Problem problem({1, 1, 1, 4, 256, 4, 4}, 1);
  problem.bool_mask = PairsMask<std::uint8_t>(1, 1, 4, 256, 0);
  int next = 0;
  problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(next++); });
  const Outcome outcome = run(problem);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 256; ++j) EXPECT_EQ(outcome.weights[i * 256 + j] > 0, j != 0) << j;
  EXPECT_TRUE(agrees(problem));
}

TEST(AttentionMasks, OneForbiddenKeyAnywhereIsTheOneThatIsMissing) {
  for (std::size_t key = 0; key < 130; ++key) {
    Problem problem({1, 1, 1, 1, 130, 4, 4}, 1);
    problem.bool_mask = PairsMask<std::uint8_t>(1, 1, 1, 130, 0);
    problem.bool_mask.fill([] { return std::uint8_t{1}; });
    problem.bool_mask.at(0, 0, 0, key) = 0;
    const Outcome outcome = run(problem);
    for (std::size_t j = 0; j < 130; ++j) ASSERT_EQ(outcome.weights[j] > 0, j != key);
  }
}

TEST(AttentionMasks, FloatMasksBroadcastOverEveryAxis) {
  Random random(12);
  for (int axes = 0; axes < 16; ++axes) {
    for (const bool transposed : {false, true}) {
      Problem problem = small();
      const Sizes& s = problem.sizes;
      problem.float_mask =
          PairsMask<float>((axes & 1) != 0 ? s.batch : 1, (axes & 2) != 0 ? s.heads : 1, (axes & 4) != 0 ? s.queries : 1,
                           (axes & 8) != 0 ? s.keys : 1, kNan, transposed, kGaps.padding);
      problem.float_mask.fill([&] { return random.chance(0.3) ? -kInfinity : random.normal(); });
      ASSERT_TRUE(agrees(problem));
    }
  }
}

TEST(AttentionMasks, LargeFiniteEntriesOfAFloatMaskAreAdded) {
  for (const float low : {-1e4f, -1e9f, kLowest}) {
    Random random(13);
    Problem problem = small();
    problem.float_mask = PairsMask<float>(1, 1, 9, 70, kNan);
    problem.float_mask.fill([&] { return random.chance(0.5) ? low : 0.0f; });
    ASSERT_TRUE(agrees(problem));
  }
}

TEST(AttentionMasks, ARowOfEqualFiniteMasksIsNoEmptyRow) {
  for (const float low : {-1e9f, kLowest}) {
    Problem problem({1, 1, 1, 2, 128, 4, 4}, 1);
    problem.float_mask = PairsMask<float>(1, 1, 2, 128, kNan);
    problem.float_mask.fill([&] { return low; });
    problem.scale = 0;
    const Outcome outcome = run(problem);
    EXPECT_TRUE(all_equal(outcome.weights, 1.0f / 128));
    EXPECT_TRUE(all_equal(outcome.lse, low + std::log(128.0f)));
    EXPECT_TRUE(agrees(problem));
  }
}

TEST(AttentionMasks, MinusInfinityInAFloatMaskForbidsAsABooleanMaskDoes) {
  Random random(14);
  Problem by_float({1, 2, 1, 10, 150, 8, 6}, 1), by_bool({1, 2, 1, 10, 150, 8, 6}, 1);
  by_float.float_mask = PairsMask<float>(1, 2, 10, 150, kNan);
  by_bool.bool_mask = PairsMask<std::uint8_t>(1, 2, 10, 150, 0);
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t i = 0; i < 10; ++i)
      for (std::size_t j = 0; j < 150; ++j) {
        const bool allowed = random.chance(0.5);
        by_float.float_mask.at(0, h, i, j) = allowed ? 0.0f : -kInfinity;
        by_bool.bool_mask.at(0, h, i, j) = allowed ? 1 : 0;
      }
  EXPECT_TRUE(same_bits(run(by_float), run(by_bool)));
}

TEST(AttentionMasks, AlibiFallsWithTheDistanceFromThePosition) {
  for (const std::int32_t offset : {0, 20, -20, 100000}) {
    Problem problem(kMaskSizes, 8);
    problem.slopes = {0.25f, 0.0f};
    problem.offsets = {offset, 3};
    ASSERT_TRUE(agrees(problem));
    problem.slopes = {-0.01f, 4.0f};
    ASSERT_TRUE(agrees(problem));
    problem.causal = true;
    ASSERT_TRUE(agrees(problem));
  }
}

TEST(AttentionMasks, SoftcapBoundsTheLogitsBeforeAnythingIsAdded) {
  for (const float softcap : {0.1f, 1.0f, 20.0f, 50.0f, 1e6f}) {
    for (const float scale : {0.35f, 30.0f, -2.0f}) {
      Problem problem = small();
      problem.scale = scale;
      problem.softcap = softcap;
      ASSERT_TRUE(agrees(problem));
      problem.slopes = {0.5f, 0.25f, 0.125f, 0.0625f};
      problem.float_mask = PairsMask<float>(1, 1, 9, 70, kNan);
      Random random(15);
      problem.float_mask.fill([&] { return 10 * random.normal(); });
      ASSERT_TRUE(agrees(problem));
    }
  }
}

TEST(AttentionMasks, SinksTakeTheirShareAndLseDoesNotCountThem) {
  for (const float sink : {0.0f, 1.0f, -3.0f, 5.4f, 5.6f, 20.0f, 80.0f, 87.0f, 88.5f, 95.0f, -50.0f}) {
    Problem problem = small();
    problem.sinks = {sink, -sink, 0.5f * sink, 0.0f};
    ASSERT_TRUE(agrees(problem));
    Problem plain = small();
    EXPECT_TRUE(same_bits(std::span<const float>(run(problem).lse), std::span<const float>(run(plain).lse)));
  }
}

TEST(AttentionMasks, WeightsBesideASinkAreKeptDownToTheSmallestNormalNumber) {
  // Scores that rise by less than what rescales a row: its running maximum stays behind.
  for (const std::size_t queries : {1u, 40u}) {
    for (const float above : {80.5f, 82.0f, 83.0f, 84.0f, 86.0f, 90.0f}) {
      Problem problem({1, 1, 1, queries, 130, 130, 6}, 1);
      problem.set_logits([](std::size_t, std::size_t, std::size_t, std::size_t j) { return j < 64 ? 0.0f : 5.375f; });
      problem.sinks = {5.375f + above};
      ASSERT_TRUE(agrees(problem)) << above;
    }
  }
}

TEST(AttentionMasks, AHugeSinkTakesEverything) {
  for (const float sink : {200.0f, 1e4f, 1e30f, std::numeric_limits<float>::max()}) {
    Problem problem({1, 1, 1, 4, 70, 8, 6}, 1);
    problem.sinks = {sink};
    const Outcome outcome = run(problem);
    EXPECT_TRUE(all_of(outcome.output, "0", [](float x) { return x == 0; }));
    EXPECT_TRUE(all_zero(outcome.weights));
    EXPECT_TRUE(agrees(problem));
  }
}

TEST(AttentionMasks, ASinkFarBelowChangesNoBit) {
  Problem without({1, 1, 1, 4, 70, 8, 6}, 1);
  const Outcome expected = run(without);
  for (const float sink : {-200.0f, -1e4f, -1e30f, kLowest, -kInfinity}) {
    Problem problem = without;
    problem.sinks = {sink};
    EXPECT_TRUE(same_bits(run(problem), expected)) << sink;
  }
}

TEST(AttentionMasks, ASinkDoesNotFillAnEmptyRow) {
  for (const float sink : {0.0f, 1e30f, -1e30f}) {
    Problem problem({1, 1, 1, 4, 70, 8, 6}, 1);
    problem.sinks = {sink};
    problem.key_lengths = {0};
    const Outcome outcome = run(problem);
    EXPECT_TRUE(all_zero(outcome.output));
    EXPECT_TRUE(all_zero(outcome.weights));
    EXPECT_TRUE(all_equal(outcome.lse, -kInfinity));
  }
}

TEST(AttentionMasks, FullyMaskedRowIsZeroAndItsLseMinusInfinity) {
  const auto check = [](const Problem& problem, const char* how) {
    const Outcome outcome = run(problem);
    EXPECT_TRUE(all_zero(outcome.output)) << how;
    EXPECT_TRUE(all_zero(outcome.weights)) << how;
    EXPECT_TRUE(all_equal(outcome.lse, -kInfinity)) << how;
    EXPECT_TRUE(outcome.memory) << how;
  };
  const Problem base({1, 1, 1, 6, 150, 8, 6}, 1);
  Problem lengths = base, offsets = base, bools = base, floats = base, windows = base;
  lengths.key_lengths = {0};
  check(lengths, "key lengths");
  offsets.causal = true;
  offsets.offsets = {-6};
  check(offsets, "causal");
  bools.bool_mask = PairsMask<std::uint8_t>(1, 1, 1, 1, 0);
  check(bools, "boolean mask");
  floats.float_mask = PairsMask<float>(1, 1, 1, 150, -kInfinity);
  check(floats, "float mask");
  windows.window_left = 3;
  windows.offsets = {1000};
  check(windows, "window beyond the keys");
}

TEST(AttentionMasks, EmptyRowsAmongOthersLeaveThemAsTheyWere) {
  Problem problem({1, 1, 1, 130, 150, 8, 6}, 1);
  const Outcome open = run(problem);
  problem.bool_mask = PairsMask<std::uint8_t>(1, 1, 130, 1, 0);
  for (std::size_t i = 0; i < 130; ++i) problem.bool_mask.at(0, 0, i, 0) = i % 3 == 1 ? 0 : 1;
  const Outcome outcome = run(problem);
  for (std::size_t i = 0; i < 130; ++i) {
    if (i % 3 == 1) {
      EXPECT_TRUE(all_zero(outcome.output_row(i, 6)));
      EXPECT_TRUE(all_zero(outcome.weights_row(i, 150)));
      EXPECT_EQ(outcome.lse[i], -kInfinity);
    } else {
      EXPECT_TRUE(same_bits(outcome.output_row(i, 6), open.output_row(i, 6)));
    }
  }
}

TEST(AttentionMasks, ARowWithOneKeyReturnsItsValue) {
  for (std::size_t key = 0; key < 130; ++key) {
    Problem problem({1, 1, 1, 1, 130, 8, 6}, 1);
    problem.window_left = problem.window_right = 0;
    problem.offsets = {static_cast<std::int32_t>(key)};
    const Outcome outcome = run(problem);
    for (std::size_t d = 0; d < 6; ++d) ASSERT_EQ(outcome.output[d], problem.v.at(0, 0, key, d));
    for (std::size_t j = 0; j < 130; ++j) ASSERT_EQ(outcome.weights[j], j == key ? 1.0f : 0.0f);
  }
}

}  // namespace fovea::test

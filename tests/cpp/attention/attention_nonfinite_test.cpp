/// NaN and infinity: nowhere where they are masked, in their own row and nowhere else where they are not.

#include "support/problem.hpp"

namespace fovea::test {
namespace {

constexpr Sizes kNonfiniteSizes{1, 2, 2, 133, 150, 8, 11};
const std::vector<float> kLoud = {kNan, kInfinity, -kInfinity, kHuge, -kHuge};

/// The ways to forbid key `key` to every query.
std::vector<Problem> problems_without_key(std::size_t key) {
  std::vector<Problem> problems(2, Problem(kNonfiniteSizes, 31));
  problems[0].bool_mask = PairsMask<std::uint8_t>(1, 1, 1, 150, 0);
  problems[0].bool_mask.fill([] { return std::uint8_t{1}; });
  problems[0].bool_mask.at(0, 0, 0, key) = 0;
  problems[1].float_mask = PairsMask<float>(1, 1, 1, 150, 0);
  problems[1].float_mask.at(0, 0, 0, key) = -kInfinity;
  return problems;
}

void put(Slab<float>& slab, std::size_t token, float value) {
  for (std::size_t h = 0; h < slab.heads(); ++h)
    for (std::size_t d = 0; d < slab.width(); ++d) slab.at(0, h, token, d) = value;
}

}  // namespace

TEST(AttentionNonfinite, WhatAMaskedKeyAndValueHoldChangesNoBit) {
  for (const std::size_t key : {0u, 1u, 62u, 63u, 64u, 100u, 127u, 128u, 149u}) {
    for (Problem& problem : problems_without_key(key)) {
      const Outcome expected = run(problem);
      ASSERT_TRUE(agrees(expected, problem.oracle()));
      for (const float loud : kLoud) {
        Problem changed = problem;
        put(changed.k, key, loud);
        put(changed.v, key, loud);
        ASSERT_TRUE(same_bits(run(changed), expected)) << "key " << key << " holds " << loud;
      }
    }
  }
}

TEST(AttentionNonfinite, WhatKeysBeyondTheLengthHoldChangesNoBit) {
  for (const std::int32_t length : {0, 1, 63, 64, 65, 149}) {
    Problem problem(kNonfiniteSizes, 32);
    problem.key_lengths = {length};
    const Outcome expected = run(problem);
    for (const float loud : kLoud) {
      for (std::size_t j = static_cast<std::size_t>(length); j < 150; ++j) {
        put(problem.k, j, loud);
        put(problem.v, j, loud);
      }
      ASSERT_TRUE(same_bits(run(problem), expected)) << "beyond " << length << ": " << loud;
    }
  }
}

TEST(AttentionNonfinite, ACausalRowIsFreeOfWhatComesAfterIt) {
  Problem problem(kNonfiniteSizes, 33);
  problem.causal = true;
  const Outcome expected = run(problem);
  for (const std::size_t key : {1u, 3u, 40u, 63u, 64u, 66u, 129u, 132u}) {
    for (const float loud : kLoud) {
      Problem changed = problem;
      put(changed.k, key, loud);
      put(changed.v, key, loud);
      const Outcome outcome = run(changed);
      for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t i = 0; i < key; ++i) {
          const std::size_t row = h * 133 + i;
          ASSERT_TRUE(same_bits(outcome.output_row(row, 11), expected.output_row(row, 11))) << "row " << i << ", key " << key;
          ASSERT_TRUE(same_bits(outcome.weights_row(row, 150), expected.weights_row(row, 150)));
          ASSERT_TRUE(same_bits(outcome.lse[row], expected.lse[row]));
        }
    }
  }
}

TEST(AttentionNonfinite, WhatAWindowLeavesOutChangesNoBit) {
  Problem problem(kNonfiniteSizes, 34);
  problem.window_left = 5;
  problem.window_right = 3;
  const Outcome expected = run(problem);
  for (const float loud : kLoud) {
    Problem changed = problem;
    put(changed.k, 70, loud);
    put(changed.v, 70, loud);
    const Outcome outcome = run(changed);
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t i = 0; i < 133; ++i) {
        if (i + 3 >= 70 && i <= 70 + 5) continue;
        const std::size_t row = h * 133 + i;
        ASSERT_TRUE(same_bits(outcome.output_row(row, 11), expected.output_row(row, 11))) << "row " << i;
        ASSERT_TRUE(same_bits(outcome.weights_row(row, 150), expected.weights_row(row, 150)));
      }
  }
}

TEST(AttentionNonfinite, AMaskedPairIsFreeOfWhatTheMaskAddsAndTheCapMakes) {
  // The float mask forbids nothing here; it holds NaN where the boolean mask forbids.
  Problem problem(kNonfiniteSizes, 35);
  problem.softcap = 10;
  problem.slopes = {0.1f, 0.2f};
  problem.bool_mask = PairsMask<std::uint8_t>(1, 1, 133, 150, 0);
  problem.float_mask = PairsMask<float>(1, 1, 133, 150, 0);
  Random random(5);
  problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.7)); });
  problem.float_mask.fill([&] { return random.normal(); });
  const Outcome expected = run(problem);
  ASSERT_TRUE(agrees(expected, problem.oracle()));
  for (const float loud : kLoud) {
    for (std::size_t i = 0; i < 133; ++i)
      for (std::size_t j = 0; j < 150; ++j) {
        if (problem.bool_mask.at(0, 0, i, j) == 0) problem.float_mask.at(0, 0, i, j) = loud;
      }
    ASSERT_TRUE(same_bits(run(problem), expected)) << loud;
  }
}

TEST(AttentionNonfinite, ANanQueryMakesItsRowNanAndNoOther) {
  Problem problem(kNonfiniteSizes, 36);
  const Outcome expected = run(problem);
  for (const std::size_t i : {0u, 1u, 2u, 3u, 63u, 64u, 127u, 128u, 132u}) {
    Problem changed = problem;
    changed.q.at(0, 1, i, 5) = kNan;
    const Outcome outcome = run(changed);
    for (std::size_t row = 0; row < 2 * 133; ++row) {
      if (row == 133 + i) {
        ASSERT_TRUE(all_nan(outcome.output_row(row, 11)));
        ASSERT_TRUE(all_nan(outcome.weights_row(row, 150)));
        ASSERT_TRUE(all_nan(std::span(&outcome.lse[row], 1)));
      } else {
        ASSERT_TRUE(same_bits(outcome.output_row(row, 11), expected.output_row(row, 11))) << "row " << row;
        ASSERT_TRUE(same_bits(outcome.weights_row(row, 150), expected.weights_row(row, 150)));
        ASSERT_TRUE(same_bits(outcome.lse[row], expected.lse[row]));
      }
    }
  }
}

TEST(AttentionNonfinite, ANanOrInfiniteLogitMakesItsRowNanAndNoOther) {
  // The float mask puts the logit where it is wanted: at one pair.
  Problem problem(kNonfiniteSizes, 37);
  problem.float_mask = PairsMask<float>(1, 2, 133, 150, 0);
  const Outcome expected = run(problem);
  for (const float loud : {kNan, -kNan, kInfinity}) {
    for (const std::size_t j : {0u, 3u, 59u, 60u, 63u, 64u, 100u, 128u, 147u, 148u, 149u}) {
      for (const std::size_t i : {0u, 5u, 128u, 132u}) {
        Problem changed = problem;
        changed.float_mask.at(0, 1, i, j) = loud;
        const Outcome outcome = run(changed);
        for (std::size_t row = 0; row < 2 * 133; ++row) {
          if (row == 133 + i) {
            ASSERT_TRUE(all_nan(outcome.output_row(row, 11))) << loud << " at key " << j;
            ASSERT_TRUE(all_nan(outcome.weights_row(row, 150))) << loud << " at key " << j;
            ASSERT_TRUE(all_nan(std::span(&outcome.lse[row], 1)));
          } else {
            ASSERT_TRUE(same_bits(outcome.output_row(row, 11), expected.output_row(row, 11))) << "row " << row;
          }
        }
      }
    }
  }
}

TEST(AttentionNonfinite, ANanLogitShowsEvenWhereItIsTheOnlyAllowedOne) {
  // The maximum of a tile whose other entries are -inf: an order of operands that drops the NaN would report an empty row.
  for (const float loud : {kNan, -kNan, kInfinity}) {
    for (std::size_t key = 0; key < 130; ++key) {
      Problem problem({1, 1, 1, 1, 130, 4, 4}, 38);
      problem.window_left = problem.window_right = 0;
      problem.offsets = {static_cast<std::int32_t>(key)};
      problem.float_mask = PairsMask<float>(1, 1, 1, 130, 0);
      problem.float_mask.at(0, 0, 0, key) = loud;
      const Outcome outcome = run(problem);
      ASSERT_TRUE(all_nan(outcome.output)) << loud << " at key " << key;
      ASSERT_TRUE(all_nan(outcome.lse)) << loud << " at key " << key;
      ASSERT_TRUE(all_nan(outcome.weights)) << loud << " at key " << key;
    }
  }
}

TEST(AttentionNonfinite, ANanLogitShowsBesideAnyOtherLogit) {
  for (std::size_t key = 0; key < 130; ++key) {
    for (const float other : {-1e30f, -100.0f, 0.0f, 100.0f, 1e30f}) {
      Problem problem({1, 1, 1, 1, 130, 130, 4}, 39);
      problem.set_logits([&](auto...) { return other; });
      problem.float_mask = PairsMask<float>(1, 1, 1, 130, 0);
      problem.float_mask.at(0, 0, 0, key) = kNan;
      const Outcome outcome = run(problem);
      ASSERT_TRUE(all_nan(outcome.output)) << "key " << key << " among " << other;
      ASSERT_TRUE(all_nan(outcome.lse));
    }
  }
}

TEST(AttentionNonfinite, AnAllowedKeyOfNanMakesExactlyTheRowsNanThatSeeIt) {
  Problem problem(kNonfiniteSizes, 40);
  problem.causal = true;
  put(problem.k, 70, kNan);
  EXPECT_TRUE(agrees(problem));
  const Outcome outcome = run(problem);
  for (std::size_t i = 0; i < 133; ++i) ASSERT_EQ(std::isnan(outcome.lse[i]), i >= 70);
}

TEST(AttentionNonfinite, ALogitOfMinusInfinityWeighsNothing) {
  Problem problem({1, 1, 1, 5, 150, 1, 4}, 41);
  problem.scale = 1;
  problem.q.fill([] { return 1.0f; });
  for (const std::size_t key : {0u, 63u, 64u, 149u}) {
    Problem changed = problem;
    changed.k.at(0, 0, key, 0) = -kInfinity;
    const Outcome outcome = run(changed);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(is_positive_zero(outcome.weights[i * 150 + key]));
    EXPECT_TRUE(agrees(changed));
  }
}

TEST(AttentionNonfinite, OnlyLogitsOfMinusInfinityMakeAnEmptyRow) {
  Problem problem({1, 1, 1, 5, 150, 1, 4}, 42);
  problem.scale = 1;
  problem.q.fill([] { return 1.0f; });
  problem.k.fill([] { return -kInfinity; });
  const Outcome outcome = run(problem);
  EXPECT_TRUE(all_zero(outcome.output));
  EXPECT_TRUE(all_zero(outcome.weights));
  EXPECT_TRUE(all_equal(outcome.lse, -kInfinity));
}

TEST(AttentionNonfinite, ANonfiniteValueReachesItsColumnOfTheRowsThatSeeItAndNothingElse) {
  for (const float loud : {kNan, kInfinity, -kInfinity}) {
    Problem problem(kNonfiniteSizes, 43);
    problem.causal = true;
    const Outcome expected = run(problem);
    problem.v.at(0, 0, 66, 9) = loud;
    const Outcome outcome = run(problem);
    for (std::size_t row = 0; row < 2 * 133; ++row) {
      for (std::size_t d = 0; d < 11; ++d) {
        const float got = outcome.output[row * 11 + d];
        const bool sees = row >= 66 && row < 133 && d == 9;
        if (sees) {
          ASSERT_TRUE(same_bits(got, loud)) << "row " << row << ": " << got;
        } else {
          ASSERT_TRUE(same_bits(got, expected.output[row * 11 + d])) << "row " << row << ", column " << d;
        }
      }
    }
    EXPECT_TRUE(same_bits(std::span<const float>(outcome.lse), std::span<const float>(expected.lse)));
    EXPECT_TRUE(same_bits(std::span<const float>(outcome.weights), std::span<const float>(expected.weights)));
  }
}

TEST(AttentionNonfinite, OneNonfiniteElementOfAMaskedValueIsEnoughToBeNoticed) {
  for (Problem& problem : problems_without_key(70)) {
    const Outcome expected = run(problem);
    for (std::size_t d = 0; d < kNonfiniteSizes.value_width; ++d) {
      for (const float loud : {kNan, kInfinity, -kInfinity}) {
        Problem changed = problem;
        changed.v.at(0, 1, 70, d) = loud;
        ASSERT_TRUE(same_bits(run(changed), expected)) << "column " << d << " holds " << loud;
      }
    }
  }
}

TEST(AttentionNonfinite, OneNonfiniteElementOfAMaskedKeyChangesNoBit) {
  for (Problem& problem : problems_without_key(70)) {
    const Outcome expected = run(problem);
    for (std::size_t d = 0; d < kNonfiniteSizes.width; ++d) {
      for (const float loud : {kNan, kInfinity, -kInfinity}) {
        Problem changed = problem;
        changed.k.at(0, 1, 70, d) = loud;
        ASSERT_TRUE(same_bits(run(changed), expected)) << "column " << d << " holds " << loud;
      }
    }
  }
}

TEST(AttentionNonfinite, BothPathsThroughAPartialTileGiveTheSameBits) {
  // A finite tile is multiplied whole, a tile with a NaN value pair by pair. A masked NaN in the tile of every query forces
  // the second path on all of them; the random mask makes every tile partial.
  Random random(44);
  Problem problem(kNonfiniteSizes, 44);
  problem.bool_mask = PairsMask<std::uint8_t>(1, 1, 133, 150, 0);
  problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.5)); });
  for (std::size_t i = 0; i < 133; ++i)
    for (const std::size_t j : {10u, 90u, 140u}) problem.bool_mask.at(0, 0, i, j) = 0;
  const Outcome whole = run(problem);
  for (const std::size_t j : {10u, 90u, 140u}) put(problem.v, j, kNan);
  EXPECT_TRUE(same_bits(run(problem), whole));
}

}  // namespace fovea::test

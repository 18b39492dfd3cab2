/// NaN and infinity in linear attention: where they reach, and where they must not.

#include "support/linear.hpp"

namespace fovea::test {
namespace {

constexpr std::size_t kValueWidth = 5;

LinearProblem problem_of(FeatureMap map, UpdateRule rule, std::size_t tokens, std::uint64_t seed, bool normalize = true) {
  const bool softmax = map == FeatureMap::Softmax;
  return LinearProblem({{1, 2, 1, tokens, tokens, 3, kValueWidth}, map, rule, !softmax, normalize && !softmax}, seed);
}

template <class Visit>
void for_maps_and_rules(Visit visit) {
  for (const FeatureMap map : feature_maps()) {
    for (const UpdateRule rule : update_rules()) {
      if (map != FeatureMap::Softmax || rule == UpdateRule::Linear) visit(map, rule);
    }
  }
}

}  // namespace

TEST(LinearNonFinite, ANanInAKeyMakesLaterRowsNanAndNoEarlierOnes) {
  for_maps_and_rules([](FeatureMap map, UpdateRule rule) {
    for (const std::size_t tokens : {6u, 80u}) {
      for (const std::size_t at : {0u, 3u, 5u, 9u, 63u, 64u, 79u}) {
        if (at >= tokens) continue;
        LinearProblem problem = problem_of(map, rule, tokens, at);
        const LinearOutcome expected = run(problem.args());
        problem.k.at(0, 0, at, at % 3) = kNan;
        const LinearOutcome outcome = run(problem.args());
        for (std::size_t row = 0; row < 2 * tokens; ++row) {
          const auto got = outcome.row(row, kValueWidth);
          if (row % tokens >= at || map == FeatureMap::Softmax) {
            ASSERT_TRUE(all_nan(got)) << problem.describe() << ", row " << row;
          } else {
            for (std::size_t c = 0; c < kValueWidth; ++c)
              ASSERT_NEAR(got[c], expected.row(row, kValueWidth)[c], 1e-4) << problem.describe() << ", row " << row;
          }
        }
      }
    }
  });
}

TEST(LinearNonFinite, ANanOrInfinityInAValueStaysInItsColumnAndReachesNoEarlierRow) {
  for_maps_and_rules([](FeatureMap map, UpdateRule rule) {
    for (const float broken : {kNan, kInfinity, -kInfinity}) {
      for (const std::size_t tokens : {6u, 80u}) {
        for (const std::size_t at : {0u, 1u, 3u, 5u, 9u, 63u, 64u, 79u}) {
          if (at >= tokens) continue;
          LinearProblem problem = problem_of(map, rule, tokens, at);
          const LinearOutcome expected = run(problem.args());
          problem.v.at(0, 0, at, 2) = broken;
          const LinearOutcome outcome = run(problem.args());
          for (std::size_t row = 0; row < 2 * tokens; ++row) {
            for (std::size_t c = 0; c < kValueWidth; ++c) {
              const float got = outcome.row(row, kValueWidth)[c], clean = expected.row(row, kValueWidth)[c];
              if (c == 2 && (row % tokens >= at || map == FeatureMap::Softmax)) {
                ASSERT_FALSE(std::isfinite(got)) << problem.describe() << ", row " << row;
              } else {
                ASSERT_TRUE(same_bits(got, clean)) << problem.describe() << ", row " << row << ", NaN at " << at;
              }
            }
          }
        }
      }
    }
  });
}

TEST(LinearNonFinite, ColumnsBesideOneOfNanKeepTheirBitsInWideValuesAndManyFeatures) {
  for (const std::size_t width : {3u, 130u, 300u}) {
    for (const std::size_t value_width : {8u, 32u, 37u, 72u}) {
      LinearProblem problem({{1, 1, 1, 61, 61, width, value_width}, FeatureMap::Elu1, UpdateRule::Linear, true, true}, width);
      const LinearOutcome expected = run(problem.args());
      for (std::size_t token = 0; token < 61; ++token) problem.v.at(0, 0, token, 2) = kNan;
      const LinearOutcome outcome = run(problem.args());
      for (std::size_t row = 0; row < 61; ++row) {
        for (std::size_t c = 0; c < value_width; ++c) {
          const float got = outcome.row(row, value_width)[c], clean = expected.row(row, value_width)[c];
          if (c == 2) {
            ASSERT_TRUE(std::isnan(got)) << problem.describe() << ", row " << row;
          } else {
            ASSERT_TRUE(same_bits(got, clean)) << problem.describe() << ", row " << row << ", column " << c;
          }
        }
      }
    }
  }
}

TEST(LinearNonFinite, ANanInAQueryStaysInItsRow) {
  for_maps_and_rules([](FeatureMap map, UpdateRule rule) {
    for (const std::size_t tokens : {6u, 70u}) {
      LinearProblem problem = problem_of(map, rule, tokens, 1);
      const LinearOutcome expected = run(problem.args());
      problem.q.at(0, 1, 4, 1) = kNan;
      const LinearOutcome outcome = run(problem.args());
      for (std::size_t row = 0; row < 2 * tokens; ++row) {
        if (row == tokens + 4) {
          EXPECT_TRUE(all_nan(outcome.row(row, kValueWidth))) << problem.describe();
        } else {
          EXPECT_TRUE(same_bits(outcome.row(row, kValueWidth), expected.row(row, kValueWidth))) << problem.describe();
        }
      }
    }
  });
}

TEST(LinearNonFinite, PaddedKeysAreNeverReadWhateverTheyHold) {
  for_maps_and_rules([](FeatureMap map, UpdateRule rule) {
    for (const std::size_t tokens : {6u, 80u, 1040u}) {
      if (tokens > 100 && rule != UpdateRule::Linear) continue;
      for (const std::int32_t length : {1, 4, 66, 1030}) {
        if (length >= static_cast<std::int32_t>(tokens)) continue;
        LinearProblem problem = problem_of(map, rule, tokens, 2);
        problem.key_lengths = {length};
        const LinearState start = empty_state(problem.args());
        const LinearOutcome expected = run(problem.args(), &start);
        for (const float held : {kNan, kInfinity, -kInfinity, kHuge}) {
          for (std::size_t t = static_cast<std::size_t>(length); t < tokens; ++t) {
            for (std::size_t d = 0; d < 3; ++d) problem.k.at(0, 0, t, d) = held;
            for (std::size_t c = 0; c < kValueWidth; ++c) problem.v.at(0, 0, t, c) = held;
            if (problem.decay.size() > 0) problem.decay.at(0, 0, t, 0) = held;
            if (problem.beta.size() > 0) problem.beta.at(0, 0, t, 0) = held;
          }
          EXPECT_TRUE(same_bits(run(problem.args(), &start), expected)) << problem.describe() << ", " << held;
        }
      }
    }
  });
}

TEST(LinearNonFinite, AnInfiniteSumIsWrittenToTheStateAsItIs) {
  for (const bool causal : {false, true}) {
    LinearProblem problem({{1, 1, 1, 70, 70, 2, 3}, FeatureMap::Elu1, UpdateRule::Linear, causal, true}, 3);
    problem.v.at(0, 0, 20, 1) = kInfinity;
    const LinearState start = empty_state(problem.args());
    const LinearOutcome outcome = run(problem.args(), &start);
    for (std::size_t f = 0; f < 2; ++f) {
      EXPECT_EQ(outcome.state.s[f * 3 + 1], kInfinity);
      EXPECT_TRUE(std::isfinite(outcome.state.s[f * 3]));
    }
  }
}

TEST(LinearNonFinite, ADecayOfMinusInfinityForgetsAll) {
  for (const UpdateRule rule : {UpdateRule::Gated, UpdateRule::GatedDelta}) {
    LinearProblem problem = problem_of(FeatureMap::Elu1, rule, 12, 4, false);
    problem.decay.at(0, 0, 7, 0) = -kInfinity;
    EXPECT_TRUE(same_bits(run(problem.args()).row(11, kValueWidth),
                          [&] {
                            std::vector<std::int32_t> lengths;
                            return run(tokens_of(problem.args(), 7, 12, lengths));
                          }()
                              .row(4, kValueWidth)));
  }
}

}  // namespace fovea::test

/// The token-by-token rules take a few tokens at once: every edge of such a block, in every rule.

#include "support/linear.hpp"

namespace fovea::test {
namespace {

constexpr std::size_t kLengths[] = {1, 2, 47, 48, 49, 97};

const std::vector<UpdateRule>& recurrent_rules() {
  static const std::vector<UpdateRule> rules = {UpdateRule::Gated, UpdateRule::Delta, UpdateRule::GatedDelta};
  return rules;
}

LinearCase case_of(std::size_t tokens, UpdateRule rule, FeatureMap map, std::size_t group, bool per_feature) {
  LinearCase kind{{1, group, 1, tokens, tokens, 6, 9}, map, rule, true};
  kind.decay_per_feature = per_feature;
  return kind;
}

void expect_agrees_with_a_state(const LinearProblem& problem) {
  const LinearState start = empty_state(problem.args());
  EXPECT_TRUE(agrees(problem, &start));
}

}  // namespace

TEST(LinearBlocks, EveryEdgeAgrees) {
  for (const std::size_t tokens : kLengths) {
    for (const UpdateRule rule : recurrent_rules()) {
      for (const FeatureMap map : {FeatureMap::Identity, FeatureMap::Exp, FeatureMap::Favor}) {
        for (const std::size_t group : {1u, 2u, 3u, 4u}) {
          for (const bool per_feature : {false, true}) {
            LinearProblem problem(case_of(tokens, rule, map, group, per_feature), tokens + group);
            expect_agrees_with_a_state(problem);
            problem.key_lengths = {static_cast<std::int32_t>(tokens - tokens / 3)};
            expect_agrees_with_a_state(problem);
          }
        }
      }
    }
  }
}

// A row of the state is walked in blocks of 3, 4 and 2 vectors.
TEST(LinearBlocks, EveryNumberOfColumnsAgrees) {
  for (std::size_t columns = 8; columns <= 88; columns += 8) {
    for (const UpdateRule rule : recurrent_rules()) {
      for (const std::size_t group : {1u, 3u}) {
        LinearCase kind = case_of(50, rule, FeatureMap::Identity, group, true);
        kind.sizes.value_width = columns;
        expect_agrees_with_a_state(LinearProblem(kind, columns));
      }
    }
  }
}

TEST(LinearBlocks, AKeyThatRisesMidwayIsFine) {
  for (const UpdateRule rule : recurrent_rules()) {
    for (const std::size_t rise : {1u, 20u, 47u, 48u, 60u}) {
      LinearCase kind = case_of(70, rule, FeatureMap::Exp, 2, true);
      LinearProblem problem(kind, rise);
      for (std::size_t t = rise; t < 70; ++t)
        for (std::size_t d = 0; d < 6; ++d) problem.k.at(0, 0, t, d) += 3.0f;
      if (problem.args().is_delta()) {
        Random random(rise);
        problem.draw_beta(random);
      }
      expect_agrees_with_a_state(problem);
    }
  }
}

// Decays of exp(-5) end a block after two or three tokens; exp(-40) is one by itself, and -infinity forgets all.
TEST(LinearBlocks, AnyDecayIsFine) {
  for (const UpdateRule rule : {UpdateRule::Gated, UpdateRule::GatedDelta}) {
    for (const bool per_feature : {false, true}) {
      for (const float g : {0.02f, -0.5f, -5.0f, -40.0f, -kInfinity}) {
        for (const std::size_t step : {1u, 7u}) {
          LinearProblem problem(case_of(70, rule, FeatureMap::Identity, 2, per_feature), 3);
          for (std::size_t t = 3; t < 70; t += step) problem.decay.at(0, 0, t, 0) = g;
          expect_agrees_with_a_state(problem);
        }
      }
    }
  }
}

TEST(LinearBlocks, ANanOrInfinityInADecayReachesNoEarlierRow) {
  for (const UpdateRule rule : {UpdateRule::Gated, UpdateRule::GatedDelta}) {
    for (const std::size_t at : {0u, 5u, 47u, 48u, 69u}) {
      LinearProblem problem(case_of(70, rule, FeatureMap::Identity, 2, true), 4);
      const LinearOutcome expected = run(problem.args());
      problem.decay.at(0, 0, at, 2) = kNan;
      const LinearOutcome outcome = run(problem.args());
      for (std::size_t row = 0; row < 2 * 70; ++row) {
        if (row % 70 >= at) {
          EXPECT_TRUE(all_nan(outcome.row(row, 9))) << row;
        } else {
          for (std::size_t c = 0; c < 9; ++c) EXPECT_NEAR(outcome.row(row, 9)[c], expected.row(row, 9)[c], 1e-4) << row;
        }
      }
    }
  }
}

// Features in such number that a block is one token.
TEST(LinearBlocks, ManyFeaturesAgree) {
  for (const UpdateRule rule : recurrent_rules()) {
    LinearCase kind{{1, 2, 1, 5, 5, 64, 3}, FeatureMap::Taylor, rule, true};
    kind.decay_per_feature = true;
    expect_agrees_with_a_state(LinearProblem(kind, 5));
  }
}

}  // namespace fovea::test

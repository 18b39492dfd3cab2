/// Linear attention against its definition: every map, rule and option, in every shape.

#include "support/linear.hpp"

namespace fovea::test {
TEST(Linear, EveryMapRuleAndOptionAgrees) {
  Random random(1);
  for (const FeatureMap map : feature_maps()) {
    for (const UpdateRule rule : update_rules()) {
      if (map == FeatureMap::Softmax && rule != UpdateRule::Linear) continue;
      for (int n = 0; n < (rule == UpdateRule::Linear ? 12 : 6); ++n) {
        Arrangement arrangement;
        if (random.chance(0.5)) arrangement = {random.chance(0.5) ? Layout::Bthd : Layout::Bhtd, kGaps.padding};
        LinearProblem problem(draw_case(map, rule, random), random.bits(), arrangement);
        if (random.chance(0.4)) {
          for (std::size_t b = 0; b < problem.kind.sizes.batch; ++b)
            problem.key_lengths.push_back(static_cast<std::int32_t>(random.size(0, problem.kind.sizes.keys)));
        }
        if (random.chance(0.3)) problem.eps = 0.25f;
        if (random.chance(0.3)) problem.output_scale = -0.37f;
        if (random.chance(0.3)) problem.query_scale *= 1.7f;
        if (problem.kind.rule == UpdateRule::Linear && random.chance(0.3)) problem.key_scale *= 0.6f;
        EXPECT_TRUE(agrees(problem));
        LinearState start = random.chance(0.5) ? draw_state(problem.args(), random) : empty_state(problem.args());
        EXPECT_TRUE(agrees(problem, &start)) << "with a state";
      }
    }
  }
}

TEST(Linear, EveryChunkAgrees) {
  for (std::size_t chunk = 1; chunk <= 70; ++chunk) {
    for (const FeatureMap map : {FeatureMap::Elu1, FeatureMap::Exp}) {
      EXPECT_TRUE(
          agrees(LinearProblem({{1, 2, 1, 141, 141, 5, 6}, map, UpdateRule::Linear, true, true, false, 0, chunk}, chunk)));
    }
  }
}

TEST(Linear, EveryLengthAgrees) {
  for (const std::size_t length : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 10u, 63u, 64u, 65u, 130u, 1023u, 1024u, 1025u, 2100u}) {
    for (const bool causal : {false, true}) {
      for (const bool normalize : {false, true}) {
        EXPECT_TRUE(agrees(LinearProblem({{1, 1, 1, length, length, 7, 5}, FeatureMap::Elu1, {}, causal, normalize}, length)));
        EXPECT_TRUE(agrees(LinearProblem({{1, 1, 1, length, length, 3, 4}, FeatureMap::Favor, {}, causal, normalize}, length)));
      }
    }
    EXPECT_TRUE(agrees(LinearProblem({{1, 1, 1, 3, length, 6, 9}, FeatureMap::Softmax, {}, false}, length)));
    EXPECT_TRUE(agrees(LinearProblem({{1, 1, 1, length, 5, 6, 9}, FeatureMap::Relu, {}, false, true}, length)));
  }
}

TEST(Linear, EveryWidthAgrees) {
  for (const std::size_t width : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 15u, 16u, 17u, 33u, 64u}) {
    for (const std::size_t value_width : {1u, 7u, 8u, 16u, 33u, 64u}) {
      for (const UpdateRule rule : {UpdateRule::Linear, UpdateRule::GatedDelta}) {
        const Sizes sizes = {1, 1, 1, 67, 67, width, value_width};
        EXPECT_TRUE(agrees(LinearProblem({sizes, FeatureMap::Elu1, rule, true, width % 2 == 0}, width)));
      }
    }
    if (width > 17) continue;
    EXPECT_TRUE(agrees(LinearProblem({{1, 1, 1, 40, 40, width, 3}, FeatureMap::Taylor, {}, true, true}, width)));
  }
}

TEST(Linear, FeaturesOfMoreThanOneBlockAgree) {
  for (const std::size_t width : {64u, 65u, 127u, 128u, 129u, 131u, 257u}) {
    for (const bool causal : {false, true}) {
      for (const FeatureMap map : {FeatureMap::Identity, FeatureMap::Elu1, FeatureMap::Exp}) {
        const bool normalize = map == FeatureMap::Elu1;
        EXPECT_TRUE(agrees(LinearProblem({{1, 1, 1, 40, 40, width, 16}, map, {}, causal, normalize}, width)));
      }
    }
  }
}

TEST(Linear, DeltaReplacesWhatAKeyHeldAndTheLinearRuleAddsToIt) {
  LinearCase kind{{1, 1, 1, 2, 2, 4, 1}, FeatureMap::Identity, UpdateRule::Delta};
  for (const UpdateRule rule : {UpdateRule::Linear, UpdateRule::Delta}) {
    kind.rule = rule;
    LinearProblem problem(kind, 1);
    for (std::size_t t = 0; t < 2; ++t) {
      for (std::size_t d = 0; d < 4; ++d) problem.q.at(0, 0, t, d) = problem.k.at(0, 0, t, d) = d == 1 ? 1.0f : 0.0f;
      problem.v.at(0, 0, t, 0) = t == 0 ? 3.0f : 7.0f;
      if (rule == UpdateRule::Delta) problem.beta.at(0, 0, t, 0) = 1.0f;
    }
    const LinearOutcome outcome = run(problem.args());
    EXPECT_EQ(outcome.output[0], 3.0f);
    EXPECT_EQ(outcome.output[1], rule == UpdateRule::Delta ? 7.0f : 10.0f);
  }
}

TEST(Linear, ADecayOfTheHeadIsThatOfEveryFeature) {
  for (const UpdateRule rule : {UpdateRule::Gated, UpdateRule::GatedDelta}) {
    LinearCase kind{{2, 4, 2, 20, 20, 5, 7}, FeatureMap::Elu1, rule, true, true};
    const LinearProblem of_head(kind, 3);
    kind.decay_per_feature = true;
    LinearProblem of_features = LinearProblem(kind, 3);
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t t = 0; t < 20; ++t)
          for (std::size_t f = 0; f < 5; ++f) of_features.decay.at(b, h, t, f) = of_head.decay.at(b, h, t, 0);
    of_features.beta = of_head.beta;
    const LinearState start = empty_state(of_head.args());
    EXPECT_TRUE(same_bits(run(of_head.args(), &start), run(of_features.args(), &start)));
  }
}

TEST(Linear, ABetaOfZeroLeavesTheState) {
  LinearProblem problem({{1, 2, 1, 9, 9, 4, 6}, FeatureMap::Elu1, UpdateRule::Delta, true, true}, 4);
  problem.beta.fill([] { return 0.0f; });
  Random random(5);
  const LinearState start = draw_state(problem.args(), random);
  const LinearOutcome outcome = run(problem.args(), &start);
  EXPECT_TRUE(same_bits(outcome.state.s, start.s));
  EXPECT_TRUE(same_bits(outcome.state.z, start.z));
}

TEST(Linear, RowsWithoutKeysAreZero) {
  for (const FeatureMap map : feature_maps()) {
    for (const UpdateRule rule : update_rules()) {
      for (const bool normalize : {false, true}) {
        if (map == FeatureMap::Softmax && (rule != UpdateRule::Linear || normalize)) continue;
        LinearProblem problem({{2, 2, 1, 12, 12, 3, 5}, map, rule, map != FeatureMap::Softmax, normalize}, 6);
        problem.key_lengths = {0, 12};
        problem.q.at(0, 1, 2, 0) = kNan;
        const LinearState start = empty_state(problem.args());
        for (const LinearState* state : {static_cast<const LinearState*>(nullptr), &start}) {
          const LinearOutcome outcome = run(problem.args(), state);
          EXPECT_TRUE(all_zero(std::span(outcome.output).first(2 * 12 * 5))) << problem.describe();
          EXPECT_FALSE(all_zero(outcome.row(24, 5))) << problem.describe();
          EXPECT_TRUE(all_zero(std::span(outcome.state.s).first(outcome.state.s.size() / 2))) << problem.describe();
        }
      }
    }
  }
}

TEST(Linear, ADivisorWhoseInverseIsInfiniteIsFine) {
  for (const bool causal : {false, true}) {
    LinearProblem problem({{1, 1, 1, 70, 70, 1, 3}, FeatureMap::Identity, UpdateRule::Linear, causal, true}, 7);
    problem.q.fill([] { return 0x1p-70f; });
    problem.k.fill([] { return 0x1p-66f; });  // D = 2^-136 for every key
    problem.v.fill([] { return 2.0f; });
    EXPECT_TRUE(all_equal(run(problem.args()).output, 2.0f));
  }
}

TEST(Linear, NoRowsAndNoKeysAreFine) {
  for (const bool causal : {false, true}) {
    for (const Sizes& sizes : {Sizes{0, 2, 1, 3, 3, 4, 5}, Sizes{1, 2, 1, 0, 0, 4, 5}}) {
      EXPECT_TRUE(agrees(LinearProblem({sizes, FeatureMap::Elu1, {}, causal, true}, 1)));
    }
  }
  EXPECT_TRUE(agrees(LinearProblem({{1, 2, 1, 3, 0, 4, 5}, FeatureMap::Elu1, {}, false, true}, 1)));
  LinearProblem only_keys({{1, 2, 1, 0, 30, 4, 5}, FeatureMap::Elu1, {}, false, true}, 1);
  const LinearState start = empty_state(only_keys.args());
  EXPECT_TRUE(agrees(only_keys, &start));
}

}  // namespace fovea::test

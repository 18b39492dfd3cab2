/// Multi-dimensional attention against its definition: every kind of score, shape and rule.

#include "attention/multi_dimensional/multi_dimensional.hpp"

#include "reference/multi_dimensional.hpp"
#include "support/draw.hpp"
#include "support/scratch.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

constexpr FeatureScore kKinds[] = {FeatureScore::Bounded, FeatureScore::Tanh, FeatureScore::Elu};

/// A problem of attention with a score of features.
struct Features {
  Problem problem;
  FeatureScore kind;
  float bound = 5;
  bool transposed = false;
  std::vector<float> w, bias;

  Features(const Sizes& sizes, FeatureScore score, std::uint64_t seed, const Arrangement& around = {})
      : problem(sizes, seed, around), kind(score), transposed(seed % 2 == 0) {
    Random random(seed * 977);
    if (kind == FeatureScore::Bounded) return;
    w.resize(sizes.width * sizes.value_width);
    for (float& x : w) x = random.normal() / std::sqrt(static_cast<float>(sizes.width));
    if (seed % 3 != 0) bias.resize(sizes.value_width);
    for (float& x : bias) x = random.normal();
  }

  MultiDimensionalArgs args() const {
    const auto [rows, columns] = std::pair{problem.sizes.width, problem.sizes.value_width};
    MultiDimensionalArgs args;
    args.inputs = problem.args();
    args.score = kind;
    args.bound = bound;
    if (kind != FeatureScore::Bounded) {
      args.w = {w.data(), rows, columns, static_cast<std::ptrdiff_t>(columns), 1};
      if (transposed) args.w = {w.data(), rows, columns, 1, static_cast<std::ptrdiff_t>(rows)};
    }
    args.bias = bias.empty() ? nullptr : bias.data();
    return args;
  }
};

struct FeaturesOutcome {
  Status status = Status::Internal;
  std::vector<float> output, weights, lse;
  testing::AssertionResult memory = testing::AssertionSuccess();
};

FeaturesOutcome run_features(const MultiDimensionalArgs& given, bool weights = true, ThreadPool* pool = nullptr,
                             const Arrangement& around = {}, std::size_t short_by = 0) {
  MultiDimensionalArgs args = given;
  AttentionInputs& sizes = args.inputs;
  Slab<float> output(sizes.batch, sizes.heads, sizes.queries, sizes.value_width, kPoison, around.layout, around.padding);
  sizes.output = output.view();
  FeaturesOutcome outcome;
  if (weights) outcome.weights.assign(sizes.batch * sizes.heads * sizes.queries * sizes.keys * sizes.value_width, kPoison);
  sizes.weights = weights ? outcome.weights.data() : nullptr;
  outcome.lse.assign(sizes.batch * sizes.heads * sizes.queries * sizes.value_width, kPoison);
  args.lse = weights ? outcome.lse.data() : nullptr;
  Scratch scratch(multi_dimensional_workspace_bytes(args, threads_of(pool)), short_by, kPoison);
  outcome.status = multi_dimensional_attention(args, scratch.workspace(), pool);
  outcome.output = output.elements();
  outcome.memory = output.filler_intact();
  if (outcome.memory && !scratch.guard_intact()) outcome.memory = testing::AssertionFailure() << "written past the workspace";
  return outcome;
}

/// The outcome is what the definition says of `features`.
testing::AssertionResult agrees(const Features& features, const FeaturesOutcome& outcome) {
  const MultiDimensionalOracle oracle = multi_dimensional_ref(features.args());
  const auto fails = [&](const char* what, const auto& message) {
    return testing::AssertionFailure() << what << message << "\n  in kind " << static_cast<int>(features.kind) << ", "
                                       << features.problem.describe();
  };
  if (outcome.status != Status::Ok) return fails("status ", to_string(outcome.status));
  if (!outcome.memory) return fails("", outcome.memory.message());
  if (const auto ok = within_tolerance(outcome.output, oracle.output); !ok) return fails("output", ok.message());
  if (const auto ok = within_tolerance(outcome.weights, oracle.weights); !ok) return fails("weights", ok.message());
  if (const auto ok = within_tolerance(outcome.lse, oracle.lse); !ok) return fails("lse", ok.message());
  return testing::AssertionSuccess();
}

testing::AssertionResult agrees(const Features& features) {
  return agrees(features, run_features(features.args(), true, nullptr, features.problem.arrangement));
}

/// A call with a pattern. Holds what the arguments point to.
struct PlannedFeatures {
  const Features& features;
  SparseCall call;

  PlannedFeatures(const Features& given, const Program& program) : features(given), call(given.problem, program) {}

  MultiDimensionalArgs args() {
    MultiDimensionalArgs args = features.args();
    args.plans = call.args().plans;
    return args;
  }
};

/// A pattern is a mask of its pairs.
testing::AssertionResult agrees(const Features& features, const Program& program) {
  PlannedFeatures planned(features, program);
  const FeaturesOutcome outcome = run_features(planned.args(), true, nullptr, features.problem.arrangement);
  Features masked = features;
  masked.problem = with_pattern_as_masks(features.problem, program);
  return agrees(masked, outcome);
}

}  // namespace

TEST(MultiDimensional, EveryShapeOfEveryScoreAgrees) {
  std::uint64_t seed = 1;
  for (const FeatureScore kind : kKinds)
    for (const std::size_t queries : {1u, 3u, 33u})
      for (const std::size_t keys : {1u, 5u, 63u, 65u, 130u})
        for (const std::size_t features : {1u, 7u, 20u}) {
          const std::size_t width = kind == FeatureScore::Bounded ? features : 1 + seed % 11;
          ++seed;
          EXPECT_TRUE(
              agrees(Features({1, 2, 1, queries, keys, width, features}, kind, seed, seed % 2 == 0 ? kGaps : Arrangement{})));
        }
  for (const FeatureScore kind : kKinds) EXPECT_TRUE(agrees(Features({1, 1, 1, 3, 70, 80, 80}, kind, 5)));
  EXPECT_TRUE(agrees(Features({1, 1, 1, 2, 65, 256, 256}, FeatureScore::Bounded, 6)));
}

TEST(MultiDimensional, RulesOfPlaceAndMasksCompose) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Random random(seed);
    const FeatureScore kind = kKinds[seed % 3];
    const std::size_t features = random.size(1, 9), width = kind == FeatureScore::Bounded ? features : random.size(1, 9);
    const Sizes sizes{2, 4, 2, random.size(1, 40), random.size(1, 140), width, features};
    Features drawn(sizes, kind, seed);
    Problem& problem = drawn.problem;
    const auto keys = static_cast<std::int32_t>(sizes.keys);
    drawn.bound = random.uniform(0.5f, 8);
    problem.causal = random.chance(0.4);
    if (random.chance(0.4)) problem.offsets = {static_cast<std::int32_t>(random.integer(-3, keys)), keys - 1};
    if (random.chance(0.4)) problem.key_lengths = {static_cast<std::int32_t>(random.integer(0, keys)), keys};
    if (random.chance(0.3)) problem.window_left = static_cast<std::ptrdiff_t>(random.integer(0, keys));
    if (random.chance(0.3)) problem.window_right = static_cast<std::ptrdiff_t>(random.integer(0, keys));
    if (random.chance(0.4)) {
      problem.bool_mask = PairsMask<std::uint8_t>(2, 1, sizes.queries, sizes.keys, 0, random.chance(0.3));
      problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.6)); });
    }
    if (random.chance(0.4)) {
      problem.float_mask = PairsMask<float>(1, 4, sizes.queries, sizes.keys, 0, random.chance(0.3));
      problem.float_mask.fill([&] { return random.chance(0.2) ? -kInfinity : 3 * random.normal(); });
    }
    EXPECT_TRUE(agrees(drawn)) << "seed " << seed;
  }
}

TEST(MultiDimensional, APatternIsAMaskThatSaysTheSameInTilesAndEdges) {
  const DrawnSizes from = {.queries = {1, 5, 63, 65, 130}, .keys = {1, 5, 65, 130}, .widths = {1, 7}};
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    Random random(seed);
    const FeatureScore kind = kKinds[seed % 3];
    const auto one_of = [&](const std::vector<std::size_t>& list) { return list[random.size(0, list.size() - 1)]; };
    const std::size_t features = one_of(from.widths);
    const Sizes sizes{random.size(1, 2), 2,
                      random.size(1, 2), one_of(from.queries),
                      one_of(from.keys), kind == FeatureScore::Bounded ? features : one_of(from.widths),
                      features};
    Features drawn(sizes, kind, seed, seed % 2 == 0 ? kGaps : Arrangement{});
    Problem& problem = drawn.problem;
    problem.causal = random.chance(0.3);
    if (random.chance(0.3)) problem.offsets.assign(sizes.batch, static_cast<std::int32_t>(random.integer(-3, 60)));
    if (random.chance(0.3)) problem.key_lengths.assign(sizes.batch, static_cast<std::int32_t>(random.size(0, sizes.keys)));
    if (random.chance(0.3)) {
      problem.bool_mask = PairsMask<std::uint8_t>(1, 1, sizes.queries, sizes.keys, 0);
      problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.7)); });
    }
    if (random.chance(0.3)) {
      problem.float_mask = PairsMask<float>(1, 2, sizes.queries, sizes.keys, 0);
      problem.float_mask.fill([&] { return random.chance(0.2) ? -kInfinity : random.normal(); });
    }
    const Program program = draw_pattern({sizes.batch, sizes.heads, sizes.queries, sizes.keys}, random);
    EXPECT_TRUE(agrees(drawn, program)) << "seed " << seed;
  }
  // Whole tiles, scattered pairs, rows that several passes come back to, and rows of which nothing is left.
  for (const FeatureScore kind : kKinds) {
    const Features wide({1, 2, 1, 150, 200, 9, 9}, kind, 3);
    EXPECT_TRUE(agrees(wide, band(40, 9)));
    EXPECT_TRUE(agrees(wide, random_keys(3, 1, 5)));
    EXPECT_TRUE(agrees(wide, or_({band(20, 0), columns(INT32_MAX, 0, 3), atrous(7)})));
    EXPECT_TRUE(agrees(wide, and_({band(3, 0), not_(band(2, 2))})));
  }
}

TEST(MultiDimensional, WithAPatternThreadsAndWhatIsAskedForChangeNoBit) {
  const Features features({2, 2, 1, 270, 150, 16, 16}, FeatureScore::Bounded, 10);
  PlannedFeatures planned(features, or_({band(30, 30), columns(INT32_MAX, 0, 2), random_keys(2, 1, 9)}));
  const FeaturesOutcome alone = run_features(planned.args());
  EXPECT_TRUE(same_bits(run_features(planned.args(), false).output, alone.output));
  for (const std::size_t threads : {2u, 5u}) {
    ThreadPool pool;
    ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
    const FeaturesOutcome shared = run_features(planned.args(), true, &pool);
    EXPECT_TRUE(shared.memory);
    EXPECT_TRUE(same_bits(shared.output, alone.output)) << threads;
    EXPECT_TRUE(same_bits(shared.weights, alone.weights)) << threads;
    EXPECT_TRUE(same_bits(shared.lse, alone.lse)) << threads;
  }
  EXPECT_EQ(run_features(planned.args(), true, nullptr, {}, 1).status, Status::Memory);
}

TEST(MultiDimensional, WhatIsOutsideAPatternReachesNothing) {
  for (const FeatureScore kind : kKinds) {
    Features features({1, 1, 1, 70, 80, 6, 6}, kind, 7);
    const Program program = band(4, 4);
    const auto run_planned = [&](const Features& given) { return run_features(PlannedFeatures(given, program).args()); };
    const FeaturesOutcome expected = run_planned(features);
    for (const float loud : {kNan, kInfinity, -kInfinity, kHuge}) {
      Features changed = features;
      for (std::size_t d = 0; d < 6; ++d) changed.problem.k.at(0, 0, 79, d) = changed.problem.v.at(0, 0, 79, d) = loud;
      const FeaturesOutcome outcome = run_planned(changed);
      EXPECT_TRUE(same_bits(outcome.output, expected.output)) << loud;
      EXPECT_TRUE(same_bits(outcome.lse, expected.lse)) << loud;
    }
  }
}

TEST(MultiDimensional, ProjectionsThatAreFarFromZeroAgree) {
  for (const FeatureScore kind : kKinds) {
    Features far({1, 1, 1, 20, 90, 8, 8}, kind, 4);
    Random random(4);
    for (Slab<float>* slab : {&far.problem.q, &far.problem.k})
      slab->each([&](float& x) { x = random.chance(0.2) ? random.uniform(-400, 400) : x; });
    EXPECT_TRUE(agrees(far));
  }
}

TEST(MultiDimensional, WhatForbiddenKeysHoldReachesNothing) {
  for (const FeatureScore kind : kKinds) {
    Features features({1, 1, 1, 10, 80, 6, 6}, kind, 7);
    Problem& problem = features.problem;
    problem.bool_mask = PairsMask<std::uint8_t>(1, 1, 1, 80, 0);
    problem.bool_mask.fill([] { return std::uint8_t{1}; });
    for (const std::size_t key : {0u, 3u, 64u}) problem.bool_mask.at(0, 0, 0, key) = 0;
    const FeaturesOutcome expected = run_features(features.args());
    for (const float loud : {kNan, kInfinity, -kInfinity, kHuge}) {
      Features changed = features;
      for (const std::size_t key : {0u, 3u, 64u})
        for (std::size_t d = 0; d < 6; ++d) changed.problem.k.at(0, 0, key, d) = changed.problem.v.at(0, 0, key, d) = loud;
      const FeaturesOutcome outcome = run_features(changed.args());
      EXPECT_TRUE(same_bits(outcome.output, expected.output)) << loud;
      EXPECT_TRUE(same_bits(outcome.weights, expected.weights)) << loud;
    }
  }
}

TEST(MultiDimensional, ANanMakesItsFeatureOfItsRowsNanAndNoOther) {
  Features features({1, 1, 1, 10, 80, 6, 6}, FeatureScore::Bounded, 8);
  features.problem.causal = true;
  const FeaturesOutcome expected = run_features(features.args());
  features.problem.k.at(0, 0, 4, 2) = kNan;
  const FeaturesOutcome outcome = run_features(features.args());
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t d = 0; d < 6; ++d) {
      const float x = outcome.output[i * 6 + d];
      if (i >= 4 && d == 2) {
        EXPECT_TRUE(std::isnan(x)) << i << ", " << d;
      } else {
        EXPECT_EQ(bits_of(x), bits_of(expected.output[i * 6 + d])) << i << ", " << d;
      }
    }
}

TEST(MultiDimensional, RowsWithoutKeysAreZero) {
  for (const FeatureScore kind : kKinds) {
    Features features({2, 1, 1, 5, 70, 6, 6}, kind, 9);
    features.problem.key_lengths = {0, 70};
    const FeaturesOutcome outcome = run_features(features.args());
    EXPECT_TRUE(all_zero(std::span(outcome.output).first(30)));
    EXPECT_TRUE(all_zero(std::span(outcome.weights).first(5 * 70 * 6)));
    const auto is_none = [](float x) { return x == -kInfinity; };
    EXPECT_TRUE(std::all_of(outcome.lse.begin(), outcome.lse.begin() + 30, is_none));
    features.problem.key_lengths.clear();
    features.problem.sizes.keys = 0;
    const FeaturesOutcome none = run_features(features.args());
    EXPECT_TRUE(all_zero(none.output));
    EXPECT_TRUE(std::all_of(none.lse.begin(), none.lse.end(), is_none));
  }
}

TEST(MultiDimensional, ScoresOfMinusInfinityWeighNothing) {
  Features features({1, 1, 1, 3, 70, 4, 2}, FeatureScore::Tanh, 13);
  features.transposed = false;
  features.bias.clear();
  features.problem.q.fill([] { return 1.0f; });
  features.problem.k.fill([] { return 1.0f; });
  for (std::size_t e = 0; e < 4; ++e) features.w[2 * e] = -3e38f;
  const FeaturesOutcome none = run_features(features.args());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(is_positive_zero(none.output[2 * i]));
    EXPECT_TRUE(std::isfinite(none.output[2 * i + 1]) && none.output[2 * i + 1] != 0);
  }
  // One key of the second tile whose score is 0.
  for (std::size_t e = 0; e < 4; ++e) features.problem.k.at(0, 0, 66, e) = -1.0f;
  const FeaturesOutcome one = run_features(features.args());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(one.output[2 * i], features.problem.v.at(0, 0, 66, 0));
    for (std::size_t j = 0; j < 70; ++j) EXPECT_EQ(one.weights[(i * 70 + j) * 2], j == 66 ? 1.0f : 0.0f);
  }
}

TEST(MultiDimensional, ThreadsOtherRowsAndAskingForWeightsChangeNoBit) {
  for (const FeatureScore kind : kKinds) {
    Features features({2, 2, 1, 70, 150, 16, 16}, kind, 10);
    features.problem.causal = true;
    const FeaturesOutcome alone = run_features(features.args());
    EXPECT_TRUE(same_bits(run_features(features.args(), false).output, alone.output));
    for (const std::size_t threads : {2u, 5u}) {
      ThreadPool pool;
      ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
      const FeaturesOutcome shared = run_features(features.args(), true, &pool);
      EXPECT_TRUE(shared.memory);
      EXPECT_TRUE(same_bits(shared.output, alone.output)) << threads;
      EXPECT_TRUE(same_bits(shared.weights, alone.weights)) << threads;
    }
    for (std::size_t i = 0; i < 70; ++i)
      for (std::size_t d = 0; d < 16; ++d)
        features.problem.q.at(0, 0, i, d) = i == 40 ? features.problem.q.at(0, 0, i, d) : kNan;
    const FeaturesOutcome changed = run_features(features.args());
    EXPECT_TRUE(same_bits(std::span(changed.output).subspan(40 * 16, 16), std::span(alone.output).subspan(40 * 16, 16)));
  }
}

TEST(MultiDimensional, WrongArgumentsAndTooSmallWorkspacesAreTold) {
  const Features good({1, 2, 1, 3, 5, 4, 4}, FeatureScore::Bounded, 11), general({1, 2, 1, 3, 5, 4, 6}, FeatureScore::Tanh, 11);
  const auto status = [](const Features& features, auto change) {
    MultiDimensionalArgs args = features.args();
    change(args);
    return run_features(args).status;
  };
  EXPECT_EQ(status(good, [](auto&) {}), Status::Ok);
  EXPECT_EQ(status(good, [](auto& args) { args.inputs.value_width = 3; }), Status::Shape);
  EXPECT_EQ(status(good, [](auto& args) { args.inputs.width = 0; }), Status::Shape);
  EXPECT_EQ(status(good, [](auto& args) { args.inputs.kv_heads = 0; }), Status::Shape);
  EXPECT_EQ(status(good, [](auto& args) { args.bound = 0; }), Status::Value);
  EXPECT_EQ(status(good, [](auto& args) { args.bound = kNan; }), Status::Value);
  EXPECT_EQ(status(good, [](auto& args) { args.inputs.window_left = -2; }), Status::Value);
  const std::int32_t too_long = 6;
  EXPECT_EQ(status(good, [&](auto& args) { args.inputs.key_lengths = &too_long; }), Status::Value);
  EXPECT_EQ(status(general, [](auto& args) { args.w.rows = 3; }), Status::Shape);
  EXPECT_EQ(status(general, [](auto& args) { args.w.row_stride = args.w.column_stride = 2; }), Status::Shape);
  EXPECT_EQ(run_features(general.args(), true, nullptr, {}, 1).status, Status::Memory);
}

}  // namespace fovea::test

/// Every normalizer and any temperature against the definition, dense: few queries, blocks, any options.

#include "support/normalizers.hpp"

namespace fovea::test {
namespace {

/// Rows of the weights of one head and batch entry, with these logits.
Problem with_logits(const std::vector<std::vector<float>>& logits, const Normalizer& normalizer, float temperature = 1) {
  const std::size_t queries = logits.size(), keys = logits[0].size();
  Problem problem({1, 1, 1, queries, keys, keys, 3}, 7);
  problem.set_logits([&](std::size_t, std::size_t, std::size_t i, std::size_t j) { return logits[i][j]; });
  return with(problem, normalizer, temperature);
}

std::vector<float> weights_of(const std::vector<float>& logits, const Normalizer& normalizer) {
  return run(with_logits({logits}, normalizer)).weights;
}

}  // namespace

TEST(Normalizers, AnyOptionsAgreeWithTheDefinition) {
  std::uint64_t seed = 0;
  for (const Normalizer& normalizer : all_normalizers())
    for (const float temperature : {1.0f, 0.25f, 4.0f})
      for (int n = 0; n < 16; ++n) ASSERT_TRUE(agrees(draw_normalized(++seed, normalizer, temperature))) << "seed " << seed;
}

TEST(Normalizers, LogitsThatAreNotExactAgreeToo) {
  std::uint64_t seed = 7000;
  for (const Normalizer& normalizer : all_normalizers()) {
    const bool chooses = normalizer.kind == NormalizerKind::Argmax || normalizer.kind == NormalizerKind::Sampled ||
                         normalizer.kind == NormalizerKind::TopK;
    if (chooses) continue;
    for (const float temperature : {1.0f, 0.3f, 7.0f})
      for (int n = 0; n < 16; ++n) {
        const Problem problem = with(draw_problem(++seed), normalizer, temperature);
        ASSERT_TRUE(agrees(problem)) << "seed " << seed;
      }
  }
}

TEST(Normalizers, EveryLengthAndWidthIsRight) {
  std::uint64_t seed = 900;
  for (const std::size_t queries : {1u, 3u, 5u, 63u, 65u, 267u})
    for (const std::size_t keys : {1u, 3u, 65u, 130u}) {
      const std::vector<std::size_t> widths = {1, 7, 80, 256};
      const std::size_t width = widths[seed % 4], value_width = widths[seed / 4 % 4];
      // A second block of queries, behind 264, is there for each head alone.
      const Sizes heads = queries > 264 ? Sizes{1, 2, 1} : Sizes{2, 4, 2};
      const Sizes sizes{heads.batch, heads.heads, heads.kv_heads, queries, keys, width, value_width};
      const Problem problem = with_exact_logits(Problem(sizes, ++seed, kGaps));
      ASSERT_TRUE(agrees_with_each_normalizer(problem));
    }
}

TEST(Normalizers, LargeLogitsAreAsRight) {
  for (const float size : {30.0f, 300.0f, 3000.0f}) {
    Problem problem = with_exact_logits(Problem({1, 2, 1, 70, 150, 16, 9}, 31));
    problem.scale = size;
    for (const float temperature : {1.0f, 0.5f, 512.0f}) ASSERT_TRUE(agrees_with_each_normalizer(problem, temperature)) << size;
  }
}

TEST(Normalizers, RowsLongerThanAPanelAndMoreKeptThanABlockHolds) {
  // 310 rows of 1700 scores fill two panels and begin a third. One row of 270,000 is longer than a panel.
  for (const auto& [kind, k] : {std::pair{NormalizerKind::Sparsemax, 1u},
                                {NormalizerKind::Entmax15, 1u},
                                {NormalizerKind::TopK, 1500u},
                                {NormalizerKind::TopK, 299999u}}) {
    const Normalizer normalizer = {.kind = kind, .k = k};
    ASSERT_TRUE(agrees(with(with_exact_logits(Problem({1, 1, 1, 310, 1700, 2, 3}, 41)), normalizer)));
    ASSERT_TRUE(agrees(with(with_exact_logits(Problem({1, 1, 1, 2, 270000, 2, 3}, 42)), normalizer)));
  }
}

TEST(Normalizers, OfEqualScoresTheLowestKeyWinsAndZerosAreEqual) {
  EXPECT_EQ(weights_of({-1, 0.0f, -0.0f, 0.0f}, {.kind = NormalizerKind::Argmax}), (std::vector<float>{0, 1, 0, 0}));
  EXPECT_EQ(weights_of({-1, -0.0f, 0.0f, 0.0f}, {.kind = NormalizerKind::Argmax}), (std::vector<float>{0, 1, 0, 0}));
  EXPECT_EQ(weights_of({2, 5, 2, 2, 1}, {.kind = NormalizerKind::TopK, .k = 1}), (std::vector<float>{0, 1, 0, 0, 0}));
  const std::vector<float> two = weights_of({2, -1, 2, 2, 1}, {.kind = NormalizerKind::TopK, .k = 2});
  EXPECT_EQ(two, (std::vector<float>{0.5f, 0, 0.5f, 0, 0}));
  const std::vector<float> signs = weights_of({-0.0f, -1, 0.0f, 0.0f}, {.kind = NormalizerKind::TopK, .k = 2});
  EXPECT_EQ(signs, (std::vector<float>{0.5f, 0, 0.5f, 0}));
}

TEST(Normalizers, HardCopiesTheValueRow) {
  Problem problem = with_logits({{1, 3, 2}}, {.kind = NormalizerKind::Argmax});
  problem.v.at(0, 0, 1, 0) = -0.0f;
  problem.v.at(0, 0, 1, 1) = kNan;
  problem.v.at(0, 0, 1, 2) = 1e-45f;
  problem.v.at(0, 0, 0, 0) = kInfinity;
  const std::vector<float> output = run(problem).output;
  EXPECT_EQ(bits_of(output[0]), bits_of(-0.0f));
  EXPECT_TRUE(std::isnan(output[1]));
  EXPECT_EQ(output[2], 1e-45f);
}

TEST(Normalizers, WhatIsNotAmongTheBestIsNotRead) {
  Problem problem = with_logits({{1, 3, 2, 0}}, {.kind = NormalizerKind::TopK, .k = 2});
  problem.v.at(0, 0, 0, 0) = problem.v.at(0, 0, 3, 0) = kNan;
  EXPECT_TRUE(agrees(problem));
}

TEST(Normalizers, EmptyRowsAreZeroAndBrokenOnesNan) {
  for (const Normalizer& normalizer : all_normalizers()) {
    if (is_softmax(normalizer)) continue;
    for (const std::size_t queries : {3u, 70u}) {
      Problem problem = with_exact_logits(Problem({1, 2, 1, queries, 90, 8, 5}, 51));
      problem.bool_mask = PairsMask<std::uint8_t>(1, 1, queries, 90, 0);
      problem.bool_mask.fill([] { return std::uint8_t{1}; });
      for (std::size_t j = 0; j < 90; ++j) problem.bool_mask.at(0, 0, 0, j) = 0;
      for (const float broken : {kNan, kInfinity}) {
        problem.q.at(0, 0, 1, 0) = broken;
        const Problem one = with(problem, normalizer);
        const Outcome outcome = run(one);
        ASSERT_TRUE(agrees(one));
        for (const std::size_t head : {0u, 1u}) {
          ASSERT_TRUE(all_zero(outcome.output_row(head * queries, 5)));
          ASSERT_TRUE(all_zero(outcome.weights_row(head * queries, 90)));
        }
        ASSERT_TRUE(all_nan(outcome.output_row(1, 5))) << one.describe();
        ASSERT_TRUE(all_nan(outcome.weights_row(1, 90)));
        ASSERT_FALSE(std::isnan(outcome.output_row(2, 5)[0]));
      }
    }
  }
}

TEST(Normalizers, AForbiddenKeyAndItsValueMayHoldAnything) {
  for (const Normalizer& normalizer : all_normalizers())
    for (const std::size_t queries : {2u, 70u}) {
      Problem problem = with(with_exact_logits(Problem({1, 1, 1, queries, 150, 8, 5}, 52)), normalizer);
      problem.bool_mask = PairsMask<std::uint8_t>(1, 1, queries, 150, 0);
      problem.bool_mask.fill([] { return std::uint8_t{1}; });
      for (std::size_t i = 0; i < queries; ++i) problem.bool_mask.at(0, 0, i, 70) = 0;
      const Outcome expected = run(problem);
      for (const float loud : {kNan, kInfinity, -kInfinity, kHuge}) {
        for (std::size_t d = 0; d < 8; ++d) problem.k.at(0, 0, 70, d) = loud;
        for (std::size_t d = 0; d < 5; ++d) problem.v.at(0, 0, 70, d) = loud;
        ASSERT_TRUE(same_bits(run(problem), expected)) << loud << ", " << problem.describe();
      }
    }
}

TEST(Normalizers, AnAllowedValueOfWeightZeroIsNotSkipped) {
  for (const NormalizerKind kind : {NormalizerKind::Relu, NormalizerKind::Sparsemax, NormalizerKind::Entmax15}) {
    Problem problem = with_logits({{9, -9}}, {.kind = kind});
    problem.v.at(0, 0, 1, 0) = kNan;
    const Outcome outcome = run(problem);
    EXPECT_EQ(outcome.weights[1], 0.0f);
    EXPECT_TRUE(std::isnan(outcome.output[0]));
    EXPECT_FALSE(std::isnan(outcome.output[1]));
  }
}

TEST(Normalizers, ATemperatureStandsForAScaleWhereNothingElseIsAdded) {
  for (const std::size_t queries : {3u, 70u}) {
    Problem one({1, 2, 1, queries, 90, 16, 9}, 61), other = one;
    one.scale = 1;
    other.scale = 0.25f;
    one.variant.temperature = 4;
    ASSERT_TRUE(same_bits(run(one), run(other)));
  }
}

TEST(Normalizers, LogitsAreThoseBeforeTheTemperature) {
  Problem problem({1, 2, 1, 70, 90, 16, 9}, 62);
  problem.scale = 9;
  const LogitsOutcome expected = run_logits(problem.args(), LogitStage::Biased);
  problem.variant.temperature = 0.1f;
  problem.variant.normalizer.kind = NormalizerKind::Sparsemax;
  const LogitsOutcome outcome = run_logits(problem.args(), LogitStage::Biased);
  ASSERT_EQ(outcome.status, Status::Ok);
  EXPECT_TRUE(same_bits(std::span<const float>(outcome.logits), std::span<const float>(expected.logits)));
}

TEST(Normalizers, ALowestMaskStaysFiniteUnderALowTemperature) {
  Problem problem = with(Problem({1, 1, 1, 2, 3, 4, 5}, 63), {.kind = NormalizerKind::Relu}, 0.01f);
  problem.float_mask = PairsMask<float>(1, 1, 2, 3, 0);
  problem.float_mask.fill([] { return std::numeric_limits<float>::lowest(); });
  problem.float_mask.at(0, 0, 0, 1) = 5;
  ASSERT_TRUE(agrees(problem));
}

TEST(Normalizers, WhatMakesNoSenseIsRefused) {
  const Problem problem({1, 1, 1, 3, 4, 5, 6}, 1);
  const auto status_of = [&](auto change) {
    Problem changed = problem;
    change(changed);
    return run(changed, Want::Output).status;
  };
  for (const float temperature : {0.0f, -1.0f, kNan, kInfinity})
    EXPECT_EQ(status_of([&](Problem& p) { p.variant.temperature = temperature; }), Status::Value);
  EXPECT_EQ(status_of([](Problem& p) { p.variant.normalizer.kind = static_cast<NormalizerKind>(8); }), Status::Value);
  EXPECT_EQ(status_of([](Problem& p) { p.variant.normalizer = {.kind = NormalizerKind::TopK, .k = 0}; }), Status::Value);
  EXPECT_EQ(status_of([](Problem& p) { p.variant.normalizer.bias = kNan; }), Status::Value);
  for (const Normalizer& normalizer : all_normalizers()) {
    Problem changed = problem;
    changed.variant.normalizer = normalizer;
    const Status expected = is_softmax(normalizer) ? Status::Ok : Status::Option;
    EXPECT_EQ(run(changed, Want::Lse).status, expected);
    changed.sinks = {0};
    EXPECT_EQ(run(changed, Want::Output).status, expected);
    EXPECT_EQ(run(changed.args(), Want::Output, {}, 1).status, is_softmax(normalizer) ? Status::Memory : Status::Option);
    changed.sinks.clear();
    EXPECT_EQ(run(changed.args(), Want::Output, {}, 1).status, Status::Memory);
  }
}

TEST(Normalizers, EmptyExtentsAreOk) {
  for (const Sizes& sizes : {Sizes{1, 1, 1, 0, 4, 5, 6}, Sizes{1, 1, 1, 30, 0, 5, 6}, Sizes{1, 1, 1, 3, 4, 5, 0}})
    for (const Normalizer& normalizer : all_normalizers()) EXPECT_TRUE(agrees(with(Problem(sizes, 1), normalizer)));
}

}  // namespace fovea::test

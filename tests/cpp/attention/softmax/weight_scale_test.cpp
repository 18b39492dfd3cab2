/// Scaled weights by every path, with every normalizer.

#include "support/weight_scale.hpp"
#include "support/biases.hpp"
#include "support/cache.hpp"
#include "support/normalizers.hpp"
#include "support/sparse.hpp"

namespace fovea::test {
namespace {

const DrawnSizes kScaleSizes = {.queries = {1, 3, 5, 31, 63, 65}, .keys = {1, 3, 5, 63, 64, 65, 130}, .widths = {1, 7, 16}};

/// Full and partial tiles, gathered ones, edges, more than one pass.
std::vector<Program> forms() {
  return {all(), band(40, 40), columns(16, 3, 5), random_keys(4, 1, 2), or_({band(5, 5), atrous(8), atrous(6)})};
}

/// One kind after the other, call by call: each normalizer meets them all over a test's cases.
class NextKind {
 public:
  ScaleKind operator()() { return kScaleKinds[count_++ % std::size(kScaleKinds)]; }

 private:
  std::size_t count_ = 0;
};

/// Rounded to float16, without subnormals: a cache of these converts them while they are multiplied.
void round_to_regular_float16(Problem& problem) {
  for (Slab<float>* slab : {&problem.k, &problem.v}) slab->each([](float& x) { x = std::abs(x) < 0.01f ? 0.0f : x; });
  round_to_float16(problem);
}

/// Every pair that is masked has this factor.
void set_masked_factors(Problem& problem, const Program& program, float factor) {
  const Sizes& s = problem.sizes;
  const Problem masked = with_pattern_as_masks(problem, program);
  std::vector<float> numbers;
  for (std::size_t b = 0; b < s.batch; ++b)
    for (std::size_t h = 0; h < s.heads; ++h)
      for (std::size_t i = 0; i < s.queries; ++i)
        for (std::size_t j = 0; j < s.keys; ++j)
          numbers.push_back(attention_allows(masked.args(), b, h, i, j) ? static_cast<float>(j % 7) - 2.5f : factor);
  const auto keys = static_cast<std::ptrdiff_t>(s.keys), rows = static_cast<std::ptrdiff_t>(s.queries) * keys;
  problem.variant.weight_scale.pairs = {problem.hold(std::move(numbers)), static_cast<std::ptrdiff_t>(s.heads) * rows, rows,
                                        keys, 1};
}

}  // namespace

TEST(WeightScale, EveryKindAgreesForManyQueriesAndForFew) {
  for (const ScaleKind kind : kScaleKinds)
    for (const std::size_t queries : {1u, 3u, 5u, 63u, 65u})
      for (const std::size_t keys : {1u, 3u, 5u, 63u, 65u, 130u}) {
        Problem problem({2, 2, 1, queries, keys, 7, 9}, 10 * queries + keys, kGaps);
        set_weight_scale(problem, kind, queries + keys);
        ASSERT_TRUE(agrees(problem)) << static_cast<int>(kind);
      }
}

TEST(WeightScale, EveryKindAgreesAcrossChunksOfKeysAndBlocksOfQueries) {
  for (const ScaleKind kind : kScaleKinds)
    for (const auto& [queries, keys] : {std::pair<std::size_t, std::size_t>{3, 2100}, {300, 70}}) {
      Problem problem({2, 2, 1, queries, keys, 8, 5}, 3);
      set_weight_scale(problem, kind, 4);
      ASSERT_TRUE(agrees(problem)) << static_cast<int>(kind);
    }
}

TEST(WeightScale, EveryKindAgreesWithEveryNormalizer) {
  for (const ScaleKind kind : kScaleKinds)
    for (const std::size_t queries : {1u, 5u, 65u}) {
      Problem problem = with_exact_logits(Problem({1, 2, 1, queries, 130, 16, 9}, 5));
      problem.causal = true;
      problem.offsets = {100};
      problem.variant.relative_values = relative_table(problem, 3, 9, true, 6);
      set_weight_scale(problem, kind, 7);
      ASSERT_TRUE(agrees_with_each_normalizer(problem, 0.5f)) << static_cast<int>(kind);
    }
}

TEST(WeightScale, EveryKindAgreesOnEveryWayOfAPattern) {
  NextKind next;
  for (const Normalizer& normalizer : all_normalizers())
    for (const Program& program : forms()) {
      Problem problem = with(with_exact_logits(Problem({1, 2, 1, 70, 150, 16, 9}, 8)), normalizer);
      problem.offsets = {15};
      problem.variant.relative_values = relative_table(problem, 3, 9, false, 9);
      const ScaleKind kind = next();
      set_weight_scale(problem, kind, 10);
      ASSERT_TRUE(agrees(problem, program)) << static_cast<int>(kind) << ", " << describe_normalizer(normalizer);
    }
}

TEST(WeightScale, EveryRandomCombinationWithAllOtherOptionsAgrees) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Problem problem = seed % 4 == 0 ? draw_appended(seed + 40000) : draw_problem(seed + 40000);
    draw_biases(problem, seed);
    set_weight_scale(problem, kScaleKinds[seed % std::size(kScaleKinds)], seed);
    ASSERT_TRUE(agrees(problem)) << "seed " << seed;
  }
}

TEST(WeightScale, SoItDoesWithARandomNormalizerAndPattern) {
  std::uint64_t seed = 50000;
  for (const Normalizer& normalizer : all_normalizers())
    for (const ScaleKind kind : kScaleKinds) {
      Problem problem = draw_normalized(++seed, normalizer, 0.5f, kScaleSizes);
      set_weight_scale(problem, kind, seed);
      ASSERT_TRUE(agrees(problem)) << "seed " << seed;
      Random random(seed);
      const Sizes& s = problem.sizes;
      ASSERT_TRUE(agrees(problem, draw_pattern({s.batch, s.heads, s.queries, s.keys}, random))) << "seed " << seed;
    }
}

TEST(WeightScale, AppendedKeysAreScaledByHeadsAlone) {
  const auto normalizers = all_normalizers();
  std::size_t n = 0;
  for (const ScaleKind kind : kScaleKinds)
    for (const auto& [queries, own] : {std::pair<std::size_t, std::size_t>{3, 0}, {3, 62}, {65, 63}, {65, 130}}) {
      const Normalizer& normalizer = normalizers[n++ % normalizers.size()];
      Problem problem = with(with_exact_logits(Problem({2, 2, 1, queries, own + 2, 16, 6}, 11, kGaps)), normalizer);
      problem.appended_keys = 2;
      set_weight_scale(problem, kind, own);
      ASSERT_TRUE(agrees(problem)) << static_cast<int>(kind);
      ASSERT_TRUE(agrees(problem, band(20, 3))) << static_cast<int>(kind);
    }
}

TEST(WeightScale, WhatItHoldsAtMaskedPairsLeaksNowhere) {
  for (const Normalizer& normalizer : all_normalizers())
    for (const std::size_t queries : {3u, 65u})
      for (const Program& program : {band(40, 40), or_({band(5, 5), atrous(8), atrous(6)})}) {
        Problem quiet = with(Problem({2, 2, 1, queries, 130, 8, 5}, 12), normalizer);
        quiet.causal = true;
        quiet.offsets = {-2, 60};  // two rows without a key
        quiet.float_mask = PairsMask<float>(1, 2, queries, 130, 0);
        Random random(13);
        quiet.float_mask.fill([&] { return random.chance(0.3) ? -kInfinity : random.normal(); });
        Problem masked = with_pattern_as_masks(quiet, program);
        set_masked_factors(quiet, program, 1);
        masked.variant = quiet.variant;
        const Outcome dense = run(masked), sparse = run(SparseCall(quiet, program).args());
        for (const float factor : {kNan, kInfinity}) {
          set_masked_factors(quiet, program, factor);
          masked.variant = quiet.variant;
          ASSERT_TRUE(same_bits(run(masked), dense)) << describe_normalizer(normalizer);
          ASSERT_TRUE(same_bits(run(SparseCall(quiet, program).args()), sparse)) << describe_normalizer(normalizer);
        }
      }
}

TEST(WeightScale, AFactorThatIsNotANumberIsThatOfItsRowAlone) {
  for (const std::size_t queries : {3u, 65u}) {
    Problem problem({1, 1, 1, queries, 70, 8, 5}, 14);
    const Outcome plain = run(problem);
    std::vector<float> factors(queries * 70, 1.0f);
    factors[70 + 33] = kNan;
    problem.variant.weight_scale.pairs = {problem.hold(std::move(factors)), 0, 0, 70, 1};
    const Outcome scaled = run(problem);
    for (std::size_t i = 0; i < queries; ++i) {
      if (i != 1) {
        EXPECT_TRUE(same_bits(scaled.output_row(i, 5), plain.output_row(i, 5)));
        EXPECT_TRUE(same_bits(scaled.weights_row(i, 70), plain.weights_row(i, 70)));
        continue;
      }
      for (const float x : scaled.output_row(i, 5)) EXPECT_TRUE(std::isnan(x));
      for (std::size_t j = 0; j < 70; ++j) EXPECT_EQ(std::isnan(scaled.weights_row(i, 70)[j]), j == 33);
    }
  }
}

TEST(WeightScale, FactorsOfOneChangeNoBitAndLogitsAndLseKnowOfNone) {
  for (const Normalizer& normalizer : all_normalizers())
    for (const std::size_t queries : {1u, 5u, 65u}) {
      Problem problem = with(Problem({2, 2, 1, queries, 130, 8, 5}, 15), normalizer);
      problem.causal = true;
      problem.offsets = {100, 3};
      const Outcome plain = run(problem);
      const LogitsOutcome logits = run_logits(problem.args(), LogitStage::Biased);
      problem.variant.weight_scale.pairs = {problem.hold({1.0f}), 0, 0, 0, 0};
      EXPECT_TRUE(same_bits(run(problem), plain)) << describe_normalizer(normalizer);
      set_weight_scale(problem, ScaleKind::Pairs, 16);
      const Outcome scaled = run(problem);
      EXPECT_TRUE(same_bits(std::span<const float>(scaled.lse), std::span<const float>(plain.lse)));
      EXPECT_FALSE(same_bits(std::span<const float>(scaled.output), std::span<const float>(plain.output)));
      const LogitsOutcome same = run_logits(problem.args(), LogitStage::Biased);
      EXPECT_TRUE(same_bits(std::span<const float>(same.logits), std::span<const float>(logits.logits)));
    }
}

TEST(WeightScale, AskingForWeightsChangesNoBitOfTheOutput) {
  for (const Normalizer& normalizer : all_normalizers())
    for (const ScaleKind kind : kScaleKinds)
      for (const std::size_t queries : {5u, 65u}) {
        Problem problem = with(Problem({1, 2, 1, queries, 130, 8, 5}, 17), normalizer);
        set_weight_scale(problem, kind, 18);
        const Outcome with_weights = run(problem, Want::Weights), without = run(problem, Want::Output);
        EXPECT_TRUE(same_bits(std::span<const float>(with_weights.output), std::span<const float>(without.output)));
      }
}

TEST(WeightScale, ARangeOfQueriesAndThreadsGiveTheBitsOfTheWhole) {
  ThreadPool pool;
  ASSERT_EQ(pool.start(3), kHasThreads ? 3u : 1u);
  NextKind next;
  for (const Normalizer& normalizer : all_normalizers()) {
    Problem problem = with(Problem({1, 2, 1, 200, 100, 16, 9}, 19), normalizer);
    set_weight_scale(problem, next(), 20);
    const Outcome whole = run(problem);
    EXPECT_TRUE(same_bits(run_on_pool(problem.args(), pool), whole)) << describe_normalizer(normalizer);
    AttentionArgs args = problem.args();
    args.query_from = 64;
    args.query_to = 192;
    const Outcome part = run(args);
    for (std::size_t i = 64; i < 192; ++i) {
      ASSERT_TRUE(same_bits(part.output_row(i, 9), whole.output_row(i, 9)));
      ASSERT_TRUE(same_bits(part.weights_row(i, 100), whole.weights_row(i, 100)));
    }
  }
}

TEST(WeightScale, ACacheOfHalvesAndARingGiveTheBitsOfTheirFloats) {
  for (const ScaleKind kind : kScaleKinds)
    for (const std::size_t queries : {1u, 70u}) {
      Problem problem({1, 1, 1, queries, 1100, 8, 8}, 21);
      problem.causal = true;
      problem.offsets = {static_cast<std::int32_t>(1100 - queries)};
      round_to_regular_float16(problem);
      set_weight_scale(problem, kind, 22);
      const CacheOf whole(problem, {.float16 = true});
      ASSERT_TRUE(whole.converts_inline());
      EXPECT_TRUE(same_bits(run(whole.args(problem.args())), run(problem)));
      const CacheOf ring(problem, {.float16 = true, .keep_first = 3, .evicted_rows = 200, .window = 800});
      const CacheOf plain(problem, {.float16 = false, .keep_first = 3, .evicted_rows = 0, .window = 800});
      EXPECT_TRUE(same_bits(run(ring.args(problem.args())), run(plain.args(problem.args()))));
    }
}

TEST(WeightScale, ALargeFactorOfAFloat16ValueIsNotLostOnTheWay) {
  Problem problem({1, 1, 1, 1, 256, 16, 16}, 23);
  round_to_regular_float16(problem);
  problem.variant.weight_scale.pairs = {problem.hold({1e25f}), 0, 0, 0, 0};
  const CacheOf cache(problem, {.float16 = true});
  ASSERT_TRUE(cache.converts_inline());
  EXPECT_TRUE(agrees(run(cache.args(problem.args())), problem.oracle()));
}

}  // namespace fovea::test

/// Bits of a row for every normalizer, and draws of sampled attention.

#include "core/random.hpp"
#include "support/normalizers.hpp"

namespace fovea::test {
namespace {

Problem busy(const Normalizer& normalizer, std::size_t queries, std::uint64_t seed) {
  Problem problem({2, 2, 1, queries, 170, 16, 9}, seed);
  Random random(seed);
  problem.causal = true;
  problem.window_left = 120;
  problem.offsets = {17, 30};
  problem.key_lengths = {150, 170};
  problem.bool_mask = PairsMask<std::uint8_t>(2, 1, queries, 170, 0);
  problem.bool_mask.fill([&] { return static_cast<std::uint8_t>(random.chance(0.9)); });
  problem.slopes = {0.01f, 0.02f};
  return with(problem, normalizer, 0.75f);
}

/// The key with weight 1.
std::size_t chosen_key(std::span<const float> weights) {
  return static_cast<std::size_t>(std::find(weights.begin(), weights.end(), 1.0f) - weights.begin());
}

}  // namespace

TEST(NormalizersBits, ARangeOfQueriesWritesItsRowsAndNoOthers) {
  for (const Normalizer& normalizer : all_normalizers()) {
    const Problem problem = busy(normalizer, 300, 81);
    const Outcome whole = run(problem, Want::Weights);
    for (const auto& [from, to] : {std::pair{64u, 192u}, {128u, 300u}, {0u, 1u}, {40u, 40u}}) {
      AttentionArgs args = problem.args();
      args.query_from = from;
      args.query_to = to;
      const Outcome part = run(args, Want::Weights);
      ASSERT_EQ(part.status, Status::Ok);
      for (std::size_t row = 0; row < 4 * 300; ++row) {
        const bool inside = row % 300 >= from && row % 300 < to;
        ASSERT_TRUE(inside ? same_bits(part.output_row(row, 9), whole.output_row(row, 9))
                           : all_poison(part.output_row(row, 9)));
        ASSERT_TRUE(inside ? same_bits(part.weights_row(row, 170), whole.weights_row(row, 170))
                           : all_poison(part.weights_row(row, 170)));
      }
    }
  }
}

TEST(NormalizersBits, EachHeadOfEachBatchEntryIsWhatItIsAlone) {
  for (const Normalizer& normalizer : all_normalizers()) {
    const Problem problem = busy(normalizer, 70, 82);
    const Outcome whole = run(problem, Want::Weights);
    for (std::size_t b = 0; b < 2; ++b)
      for (std::size_t h = 0; h < 2; ++h) {
        AttentionArgs one = problem.args();
        one.batch = one.heads = one.kv_heads = 1;
        one.q.data = one.q.row(b, h, 0);
        one.k.data = one.k.row(b, 0, 0);
        one.v.data = one.v.row(b, 0, 0);
        one.bool_mask.data = one.bool_mask.row(b, h, 0);
        one.offsets += b;
        one.key_lengths += b;
        one.alibi_slopes += h;
        one.first_head = 2 * b + h;
        one.all_heads = 2;
        const Outcome alone = run(one, Want::Weights);
        const std::size_t first = (2 * b + h) * 70;
        ASSERT_TRUE(same_bits(alone.output, std::span(whole.output).subspan(first * 9, 70 * 9)));
        ASSERT_TRUE(same_bits(alone.weights, std::span(whole.weights).subspan(first * 170, 70 * 170)));
      }
  }
}

TEST(NormalizersBits, NeitherOtherRowsNorWeightsNorTheWorkspaceNorThreadsShow) {
  for (const Normalizer& normalizer : all_normalizers()) {
    const Problem problem = busy(normalizer, 300, 83);
    const Outcome expected = run(problem, Want::Weights);
    ASSERT_TRUE(same_bits(run(problem, Want::Output).output, expected.output));
    for (const float filler : {0.0f, kHuge, kNan})
      ASSERT_TRUE(same_bits(run(problem.args(), Want::Weights, {}, 0, filler), expected)) << filler;
    Problem changed = problem;
    for (std::size_t i = 0; i < 300; ++i) changed.q.at(0, 0, i, 3) = i == 129 ? changed.q.at(0, 0, i, 3) : kNan;
    const Outcome outcome = run(changed, Want::Weights);
    ASSERT_TRUE(same_bits(outcome.output_row(129, 9), expected.output_row(129, 9)));
    ASSERT_TRUE(same_bits(outcome.weights_row(129, 170), expected.weights_row(129, 170)));
    for (const std::size_t threads : {2u, 3u, 5u}) {
      ThreadPool pool;
      ASSERT_EQ(pool.start(threads), kHasThreads ? threads : 1u);
      ASSERT_TRUE(same_bits(run(problem.args(), Want::Weights, {}, 0, kPoison, &pool), expected)) << threads;
    }
  }
}

TEST(NormalizersBits, KeysThatNobodyMaySeeMayAsWellNotBeThere) {
  for (const Normalizer& normalizer : all_normalizers())
    for (const std::int32_t length : {1, 63, 65, 130}) {
      Problem problem = with(Problem({1, 1, 1, 70, 200, 16, 9}, 84), normalizer);
      problem.key_lengths = {length};
      AttentionArgs shorter = problem.args();
      shorter.keys = static_cast<std::size_t>(length);
      shorter.key_lengths = nullptr;
      ASSERT_TRUE(same_bits(run(shorter, Want::Output).output, run(problem, Want::Output).output)) << length;
    }
}

TEST(Sampled, KeysAreDrawnAsOftenAsSoftmaxSays) {
  // 40,000 queries alike: each draws with words of its own. Six standard deviations of a binomial.
  constexpr std::size_t kDraws = 40000;
  Problem problem({1, 1, 1, kDraws, 5, 5, 1}, 91);
  const std::vector<float> logits = {0, 1, -1, 2, -kInfinity};
  problem.set_logits([](std::size_t, std::size_t, std::size_t, std::size_t) { return 0.0f; });
  problem.float_mask = PairsMask<float>(1, 1, 1, 5, 0);
  for (std::size_t j = 0; j < 5; ++j) problem.float_mask.at(0, 0, 0, j) = logits[j];
  for (const float temperature : {1.0f, 2.0f})
    for (const std::uint64_t seed : {0u, 12u}) {
      const Outcome outcome = run(with(problem, {.kind = NormalizerKind::Sampled, .seed = seed}, temperature), Want::Weights);
      double total = 0, counts[5] = {};
      for (const float logit : logits) total += std::exp(static_cast<double>(logit / temperature));
      for (std::size_t i = 0; i < kDraws; ++i) ++counts[chosen_key(outcome.weights_row(i, 5))];
      for (std::size_t j = 0; j < 5; ++j) {
        const double p = std::exp(static_cast<double>(logits[j] / temperature)) / total;
        EXPECT_NEAR(counts[j] / kDraws, p, 6 * std::sqrt(p * (1 - p) / kDraws)) << "key " << j;
      }
    }
}

/// Computed in Python from the definition. They may never change: seeds are kept by users.
TEST(Sampled, TheFirstDrawsStayAsTheyAre) {
  Problem problem({1, 2, 2, 8, 100, 4, 1}, 92);
  problem.scale = 0;
  const Outcome outcome = run(with(problem, {.kind = NormalizerKind::Sampled}), Want::Weights);
  std::vector<std::size_t> keys;
  for (std::size_t row = 0; row < 16; ++row) keys.push_back(chosen_key(outcome.weights_row(row, 100)));
  EXPECT_EQ(keys, (std::vector<std::size_t>{13, 96, 64, 22, 38, 35, 60, 60, 43, 51, 94, 7, 53, 17, 18, 22}));
}

TEST(Sampled, PositionsBelowZeroAndSeedsAndHeadsCount) {
  Problem problem({2, 2, 2, 40, 100, 4, 1}, 93);
  problem.scale = 0;
  const auto drawn = [&](std::int32_t offset, std::uint64_t seed) {
    Problem one = with(problem, {.kind = NormalizerKind::Sampled, .seed = seed});
    one.offsets = {offset, offset};
    EXPECT_TRUE(agrees(one));
    return run(one, Want::Weights).weights;
  };
  const std::vector<float> weights = drawn(-20, 0);
  EXPECT_NE(drawn(0, 0), weights);
  EXPECT_NE(drawn(-20, 1), weights);
  EXPECT_NE(drawn(-20, std::uint64_t{1} << 32), weights);
  const auto head = [&](std::size_t n) {
    const auto part = std::span(weights).subspan(n * 4000, 4000);
    return std::vector<float>(part.begin(), part.end());
  };
  EXPECT_NE(head(0), head(1));
  EXPECT_NE(head(0), head(2));
  // From one call to the next a query keeps its draw with its position.
  const std::vector<float> later = drawn(-19, 0);
  EXPECT_TRUE(std::equal(later.begin(), later.begin() + 3900, weights.begin() + 100));
}

}  // namespace fovea::test

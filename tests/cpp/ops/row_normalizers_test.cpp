/// Sparsemax, entmax 1.5 and the k best by themselves: against their defining properties, in double and by brute force.

#include "support/row_normalizers.hpp"

namespace fovea::test {

TEST(RowNormalizers, AgreeWithBisectionToAUnitInTheLastPlace) {
  Random random(1);
  for (const std::size_t n : {1u, 2u, 3u, 5u, 63u, 65u, 1000u})
    for (const float spread : {0.0f, 1e-3f, 0.3f, 1.0f, 20.0f, 1e6f})
      for (int again = 0; again < 5; ++again) {
        const std::vector<float> s = draw_scores(random, n, spread);
        for (const bool entmax : {false, true}) {
          const auto [kind, p] = normalized(entmax ? entmax15 : sparsemax, s);
          const std::vector<double> truth = bisected(s, entmax);
          ASSERT_EQ(kind, RowKind::Finite);
          double sum = 0;
          for (std::size_t j = 0; j < n; ++j) {
            // Half a unit for the rounding, and what bisection leaves.
            ASSERT_NEAR(static_cast<double>(p[j]), truth[j], 0x1p-24 * truth[j] + 1e-14)
                << n << ", " << spread << ", " << entmax;
            sum += static_cast<double>(p[j]);
          }
          ASSERT_NEAR(sum, 1, 0x1p-23);
        }
      }
}

TEST(RowNormalizers, SparsemaxOfTwoIsTheClippedLine) {
  for (const float t : {-3.0f, -1.0f, -0.5f, 0.0f, 0.25f, 1.0f, 2.0f}) {
    const std::vector<float> p = normalized(sparsemax, {t, 0}).p;
    EXPECT_EQ(p[0], std::clamp((t + 1) / 2, 0.0f, 1.0f)) << t;
    EXPECT_EQ(p[1], 1 - p[0]) << t;
  }
}

TEST(RowNormalizers, EqualScoresShareEqually) {
  for (const RowFunction f : {&sparsemax, &entmax15})
    for (const std::size_t n : {1u, 2u, 4u, 64u}) {
      EXPECT_TRUE(all_equal(normalized(f, std::vector<float>(n, 123.5f)).p, 1 / static_cast<float>(n)));
    }
}

TEST(RowNormalizers, FarScoresHaveWeightExactlyZero) {
  EXPECT_EQ(normalized(sparsemax, {5, 4, 3.999f, -100}).p, (std::vector<float>{1, 0, 0, 0}));
  EXPECT_EQ(normalized(entmax15, {5, 3, 2.999f, -100}).p, (std::vector<float>{1, 0, 0, 0}));
  EXPECT_GT(normalized(sparsemax, {5, 4.001f}).p[1], 0);
  EXPECT_GT(normalized(entmax15, {5, 3.001f}).p[1], 0);
}

TEST(RowNormalizers, OrderOfTheScoresDoesNotMatter) {
  Random random(2);
  for (const std::size_t n : {7u, 200u, 9001u})
    for (const float spread : {1e-6f, 1e-3f, 0.2f})
      for (const RowFunction f : {&sparsemax, &entmax15}) {
        const std::vector<float> s = draw_scores(random, n, spread);
        const std::vector<float> p = normalized(f, s).p;
        std::vector<std::size_t> order(n);
        for (std::size_t j = 0; j < n; ++j) order[j] = j;
        for (std::size_t j = n; j > 1; --j) std::swap(order[j - 1], order[random.size(0, j - 1)]);
        std::vector<float> shuffled(n), back(n);
        for (std::size_t j = 0; j < n; ++j) shuffled[j] = s[order[j]];
        const std::vector<float> of_shuffled = normalized(f, shuffled).p;
        for (std::size_t j = 0; j < n; ++j) back[order[j]] = of_shuffled[j];
        ASSERT_TRUE(same_bits(std::span<const float>(back), std::span<const float>(p))) << n << ", " << spread;
      }
}

/// Sets that shrink by one score at a time are the worst that a method which drops scores can meet.
TEST(RowNormalizers, ScoresThatFallByPowersAgreeWithBisection) {
  for (const float ratio : {0.5f, 0.9f, 0.99f}) {
    std::vector<float> s;
    float size = 1.0f;
    for (std::size_t j = 0; j < 3000; ++j, size *= ratio) s.push_back(-size);
    for (const bool entmax : {false, true}) {
      const std::vector<float> p = normalized(entmax ? entmax15 : sparsemax, s).p;
      const std::vector<double> truth = bisected(s, entmax);
      for (std::size_t j = 0; j < s.size(); ++j)
        ASSERT_NEAR(static_cast<double>(p[j]), truth[j], 0x1p-24 * truth[j] + 1e-14) << ratio << ", " << entmax;
    }
  }
}

TEST(RowNormalizers, MaskedEmptyAndBrokenRows) {
  for (const RowFunction f : {&sparsemax, &entmax15}) {
    const NormalizedRow masked = normalized(f, {-kInfinity, 1, -kInfinity, 1});
    EXPECT_EQ(masked.kind, RowKind::Finite);
    EXPECT_EQ(masked.p, (std::vector<float>{0, 0.5f, 0, 0.5f}));
    for (const std::vector<float>& none : {std::vector<float>{}, {-kInfinity}, {-kInfinity, -kInfinity}}) {
      const NormalizedRow empty = normalized(f, none);
      EXPECT_EQ(empty.kind, RowKind::FullyMasked);
      EXPECT_TRUE(all_zero(empty.p));
    }
    for (const float broken : {kNan, kInfinity}) {
      const NormalizedRow result = normalized(f, {1, broken, -kInfinity});
      EXPECT_EQ(result.kind, RowKind::NonFinite);
      EXPECT_TRUE(all_nan(result.p));
    }
  }
}

TEST(RowNormalizers, HugeScoresOverflowNothing) {
  for (const RowFunction f : {&sparsemax, &entmax15}) {
    EXPECT_EQ(normalized(f, {3e38f, -3e38f, 3e38f}).p, (std::vector<float>{0.5f, 0, 0.5f}));
    EXPECT_EQ(normalized(f, {-3e38f, -3.1e38f}).p, (std::vector<float>{1, 0}));
  }
}

TEST(TopK, KeepsWhatSortingWouldWhateverTheOrder) {
  Random random(3);
  for (const std::size_t n : {1u, 2u, 5u, 64u, 300u})
    for (const std::size_t k : {1u, 2u, 7u, 63u, 400u})
      for (int again = 0; again < 20; ++again) {
        std::vector<Ranked> all(n);
        for (std::size_t j = 0; j < n; ++j)
          all[j] = {static_cast<float>(random.integer(-3, 3)) * (random.chance(0.5) ? 1.0f : 0.5f),
                    static_cast<std::uint32_t>(j)};
        std::vector<Ranked> sorted = all;
        std::stable_sort(sorted.begin(), sorted.end(), [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
        sorted.resize(std::min(n, k));
        for (std::size_t j = n; j > 1; --j) std::swap(all[j - 1], all[random.size(0, j - 1)]);

        std::vector<Ranked> places(k + 1, {kPoison, 77});
        TopKHeap best = {places.data(), 0};
        for (const Ranked& one : all) push(best, k, one);
        ASSERT_EQ(best.count, sorted.size());
        ASSERT_TRUE(is_poison(places[k].score));

        // An array of scores, some of them forbidden, gives the same result.
        std::vector<float> scores(n);
        for (const Ranked& one : all) scores[one.key] = random.chance(0.2) ? -kInfinity : one.score;
        std::vector<Ranked> single(k, {kPoison, 77}), array(k, {kPoison, 77});
        TopKHeap one_by_one = {single.data(), 0}, at_once = {array.data(), 0};
        for (std::size_t j = 0; j < n; ++j) {
          if (scores[j] != -kInfinity) push(one_by_one, k, {scores[j], static_cast<std::uint32_t>(j)});
        }
        push_all(at_once, k, scores.data(), n);
        ASSERT_EQ(at_once.count, one_by_one.count);
        for (std::size_t i = 0; i < at_once.count; ++i) ASSERT_EQ(array[i].key, single[i].key);

        softmax_of_heap(best);
        const auto by_key = [](const Ranked& a, const Ranked& b) { return a.key < b.key; };
        std::sort(sorted.begin(), sorted.end(), by_key);
        double sum = 0;
        for (const Ranked& one : sorted) sum += std::exp(static_cast<double>(one.score));
        for (std::size_t i = 0; i < sorted.size(); ++i) {
          ASSERT_EQ(places[i].key, sorted[i].key);
          const double truth = std::exp(static_cast<double>(sorted[i].score)) / sum;
          ASSERT_NEAR(static_cast<double>(places[i].score), truth,
                      8 * static_cast<double>(kEpsilon) * truth * (1 + std::sqrt(k)));
        }
      }
}

}  // namespace fovea::test

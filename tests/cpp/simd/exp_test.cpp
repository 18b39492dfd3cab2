/// Asserts the errors that the header of simd/exp.hpp prints.

#include "simd/exp.hpp"

#include "support/lanes.hpp"
#include "support/random.hpp"

namespace fovea::test {
namespace {

constexpr double kLn2 = 0.69314718055994530942;
constexpr std::size_t kDense = std::size_t{1} << 20;

double truth(double x) { return std::exp(x); }
simd::f32 kernel(simd::f32 x) { return simd::exp(x); }

}  // namespace

TEST(Exp, IsWithinTwoUlpWhereTheResultIsNormal) {
  const Worst all = worst_ulp(-87.33, 88, 4 * kDense, kernel, truth);
  EXPECT_LE(all.distance, 2) << "at " << all.at;
  const Worst near_zero = worst_ulp(-1, 1, kDense, kernel, truth);
  EXPECT_LE(near_zero.distance, 2) << "at " << near_zero.at;
}

TEST(Exp, IsWithinTwoUlpOnBothSidesOfEveryChangeOfTheExponent) {
  // round(x / ln 2) changes at (n + 1/2) ln 2, and the reduced argument is largest there; at n ln 2 it is smallest.
  std::vector<float> points, results;
  for (int half = -251; half <= 253; ++half) {
    auto x = static_cast<float>(0.5 * half * kLn2);
    for (int step = 0; step < 8; ++step) x = std::nextafter(x, -kInfinity);
    for (int step = 0; step < 17; ++step, x = std::nextafter(x, kInfinity)) {
      if (x >= -87.33f && x <= 88) points.push_back(x);
    }
  }
  ASSERT_TRUE(map_lanes(points, kernel, results));
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_LE(ulp_distance(results[i], truth(static_cast<double>(points[i]))), 2) << "at " << points[i];
  }
}

TEST(Exp, IsWithinTwoUlpForTinyArguments) {
  std::vector<float> points, results;
  for (int exponent = -149; exponent <= 0; ++exponent) {
    for (const double mantissa : {1.0, 1.25, 1.999}) {
      points.push_back(static_cast<float>(std::ldexp(mantissa, exponent)));
      points.push_back(-points.back());
    }
  }
  ASSERT_TRUE(map_lanes(points, kernel, results));
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_LE(ulp_distance(results[i], truth(static_cast<double>(points[i]))), 2) << "at " << points[i];
  }
}

TEST(Exp, BelowTwoToTheMinus30ItIsOneWithAndWithoutItsArgument) {
  for (const float size : {0x1p-149f, 0x1p-126f, 1e-20f, 0x1.fffffep-31f, 0x1p-30f, 0x1.8p-30f}) {
    for (const float x : {size, -size}) {
      const bool is_tiny = size < 0x1p-30f;
      EXPECT_EQ(simd::exp(simd::splat(x)).get(0), 1.0f) << x;
      EXPECT_EQ(simd::without_tiny(simd::splat(x)).get(0), is_tiny ? 0.0f : x) << x;
      if (is_tiny) {
        EXPECT_EQ(simd::expm1(simd::splat(x)).get(0), x);
      }
    }
  }
}

TEST(Exp, IsExactAtZero) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({0.0f, -0.0f, 0.0f, -0.0f, 0.0f}, kernel, results));
  EXPECT_TRUE(all_equal(results, 1.0f));
}

TEST(Exp, BelowTheNormalRangeIsSubnormalOrZeroButNeverFarOff) {
  // From -87.34 to -126.5 ln 2 within two of the smallest steps; then +0, which is off by less than the smallest normal number.
  constexpr auto kSmallest = static_cast<double>(std::numeric_limits<float>::min());
  std::vector<float> points, results;
  for (std::size_t i = 0; i < kDense; ++i) points.push_back(-87.33f - 18 * static_cast<float>(i) / kDense);
  ASSERT_TRUE(map_lanes(points, kernel, results));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto x = static_cast<double>(points[i]);
    ASSERT_GE(results[i], 0.0f);
    ASSERT_LE(std::abs(static_cast<double>(results[i]) - truth(x)), kSmallest) << "at " << x;
    // The switch may lie one rounding of x / ln 2 to either side.
    if (x > -126.5 * kLn2 + 1e-4) {
      ASSERT_LE(ulp_distance(results[i], truth(x)), 2) << "at " << x;
    }
    if (x < -126.5 * kLn2 - 1e-4) {
      ASSERT_TRUE(is_positive_zero(results[i])) << "at " << x;
    }
  }
}

TEST(Exp, FarBelowIsPositiveZero) {
  std::vector<float> results;
  const std::vector<float> points = {-88.0f,
                                     -88.5f,
                                     -89.0f,
                                     -100.0f,
                                     -103.97f,
                                     -104.0f,
                                     -105.0f,
                                     -127.0f,
                                     -128.0f,
                                     -200.0f,
                                     -1e3f,
                                     -1e4f,
                                     -1e9f,
                                     -8388608.0f,
                                     -16777216.0f,
                                     -2147483648.0f,
                                     -1e30f,
                                     -3e38f,
                                     std::numeric_limits<float>::lowest(),
                                     -kInfinity};
  ASSERT_TRUE(map_lanes(points, kernel, results));
  EXPECT_TRUE(all_zero(results));
}

TEST(Exp, NanStaysNan) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({kNan, -kNan, kNan, -kNan}, kernel, results));
  EXPECT_TRUE(all_nan(results));
}

TEST(Exp, ALaneKnowsNothingOfItsNeighbors) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({kNan, 1.0f, -kInfinity, 0.0f, 88.0f, -87.5f, 1e-40f, -1e30f, 0.5f, -kNan, -0.0f}, kernel, results));
  EXPECT_TRUE(std::isnan(results[0]));
  EXPECT_TRUE(is_positive_zero(results[2]));
  EXPECT_EQ(results[3], 1.0f);
  EXPECT_TRUE(std::isnan(results[9]));
}

TEST(Exp, OneFloatGivesTheBitsOfALane) {
  std::vector<float> points, results;
  Random random(1);
  for (int i = 0; i < 10000; ++i) points.push_back(random.uniform(-100, 88));
  points.insert(points.end(), {0.0f, -kInfinity, kNan, -1e30f, 88.0f});
  ASSERT_TRUE(map_lanes(points, kernel, results));
  for (std::size_t i = 0; i < points.size(); ++i) ASSERT_TRUE(same_bits(simd::exp(points[i]), results[i]));
}

TEST(Expm1, IsWithinTwoUlp) {
  const auto minus_one = [](simd::f32 x) { return simd::expm1(x); };
  const auto truth_minus_one = [](double x) { return std::expm1(x); };
  for (const auto& [low, high] : {std::pair{-105.0, 88.0}, {-20.0, 1.0}, {-1.0, 1.0}, {-1e-3, 1e-3}, {-1e-30, 1e-30}}) {
    const Worst worst = worst_ulp(low, high, kDense, minus_one, truth_minus_one);
    EXPECT_LE(worst.distance, 2) << "at " << worst.at;
  }
}

TEST(Expm1, FarBelowIsMinusOneAndOfNanNan) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes(
      {-kInfinity, -1e30f, -200.0f, kNan, 0.0f, -0.0f}, [](simd::f32 x) { return simd::expm1(x); }, results));
  for (const std::size_t i : {0u, 1u, 2u}) EXPECT_EQ(results[i], -1.0f);
  EXPECT_TRUE(std::isnan(results[3]));
  EXPECT_EQ(results[4], 0.0f);
  EXPECT_EQ(results[5], 0.0f);
}

TEST(Exp, NeverFallsByMoreThanItsAccuracyAsItsArgumentRises) {
  float before = 0;
  for (float x = -20; x < -19.5f; x = std::nextafter(x, kInfinity)) {
    const float now = simd::exp(x);
    ASSERT_GE(static_cast<double>(now), static_cast<double>(before) * (1 - 2 * static_cast<double>(kEpsilon)));
    before = now;
  }
}

}  // namespace fovea::test

/// Asserts the errors that the header of simd/tanh.hpp prints.

#include "simd/tanh.hpp"

#include "support/lanes.hpp"

namespace fovea::test {
namespace {

constexpr std::size_t kDense = std::size_t{1} << 19;

double truth(double x) { return std::tanh(x); }
simd::f32 kernel(simd::f32 x) { return simd::tanh(x); }

}  // namespace

TEST(Tanh, IsWithinTwoUlp) {
  for (const double bound : {0.01, 1.0, 3.0, 10.0, 100.0}) {
    const Worst worst = worst_ulp(-bound, bound, kDense, kernel, truth);
    EXPECT_LE(worst.distance, 2) << "at " << worst.at;
  }
}

TEST(Tanh, IsWithinTwoUlpForTinyArguments) {
  std::vector<float> points, results;
  for (int exponent = -126; exponent <= 0; ++exponent) {
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

TEST(Tanh, IsOneFarOut) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({10.0f, 20.0f, 44.0f, 45.0f, 88.0f, 89.0f, 100.0f, 1e4f, 1e30f, 3e38f, kInfinity}, kernel, results));
  EXPECT_TRUE(all_equal(results, 1.0f));
  ASSERT_TRUE(
      map_lanes({-10.0f, -20.0f, -44.0f, -45.0f, -88.0f, -89.0f, -100.0f, -1e4f, -1e30f, -3e38f, -kInfinity}, kernel, results));
  EXPECT_TRUE(all_equal(results, -1.0f));
}

TEST(Tanh, NeverExceedsOne) {
  for (float x = 7; x < 20; x += 1e-4f) {
    const simd::f32 y = simd::tanh(simd::splat(x));
    ASSERT_LE(y.get(0), 1.0f) << "at " << x;
    ASSERT_GT(y.get(0), 0.99f) << "at " << x;
  }
}

TEST(Tanh, IsZeroAtZeroAndKeepsItsSign) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({0.0f, 0.0f, 0.0f, 0.0f}, kernel, results));
  EXPECT_TRUE(all_zero(results));
  ASSERT_TRUE(map_lanes({-0.0f, -0.0f, -0.0f, -0.0f}, kernel, results));
  EXPECT_TRUE(all_of(results, "-0", [](float x) { return x == 0; }));
}

TEST(Tanh, IsOdd) {
  for (float x = 0; x < 10; x += 1e-3f) {
    ASSERT_EQ(simd::tanh(simd::splat(x)).get(0), -simd::tanh(simd::splat(-x)).get(0)) << "at " << x;
  }
}

TEST(Tanh, NanStaysNanAndReachesNoNeighbor) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({kNan, 0.5f, kInfinity, -kInfinity, 1e-30f, -kNan, 2.0f}, kernel, results));
  EXPECT_TRUE(std::isnan(results[0]));
  EXPECT_NEAR(results[1], 0.46211716f, 1e-6f);
  EXPECT_EQ(results[2], 1.0f);
  EXPECT_EQ(results[3], -1.0f);
  EXPECT_TRUE(std::isnan(results[5]));
}

TEST(TanhOfExp, IsWithinTwoToTheMinusTwentyTwo) {
  double worst = 0;
  for (const double bound : {0.01, 1.0, 10.0, 100.0}) {
    for (int n = 0; n <= 100000; ++n) {
      const auto x = static_cast<float>(bound * (n / 50000.0 - 1));
      const auto got = static_cast<double>(simd::tanh_of_exp(simd::splat(x)).get(0));
      worst = std::max(worst, std::abs(got - std::tanh(static_cast<double>(x))));
    }
  }
  EXPECT_LE(worst, 0x1p-22);
  EXPECT_GT(worst, 0x1p-26) << "nothing was measured";
}

TEST(TanhOfExp, IsOneFarOutAndNanStaysNan) {
  std::vector<float> results;
  const auto function = [](simd::f32 x) { return simd::tanh_of_exp(x); };
  ASSERT_TRUE(map_lanes({20.0f, 43.0f, 44.0f, 45.0f, 1e30f, 3e38f, kInfinity}, function, results));
  EXPECT_TRUE(all_equal(results, 1.0f));
  ASSERT_TRUE(map_lanes({-20.0f, -43.0f, -44.0f, -45.0f, -1e30f, -3e38f, -kInfinity}, function, results));
  EXPECT_TRUE(all_equal(results, -1.0f));
  ASSERT_TRUE(map_lanes({kNan, 0.0f, 1.0f, -kNan}, function, results));
  EXPECT_TRUE(std::isnan(results[0]) && std::isnan(results[3]));
  EXPECT_EQ(results[1], 0.0f);
}

}  // namespace fovea::test

/// Asserts the errors that the header of simd/erf.hpp prints.

#include "simd/erf.hpp"

#include "support/lanes.hpp"

namespace fovea::test {
namespace {

constexpr std::size_t kDense = std::size_t{1} << 19;

double truth(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }
simd::f32 kernel(simd::f32 x) { return simd::normal_cdf(x); }

}  // namespace

TEST(NormalCdf, IsWithinEightUlp) {
  for (const auto& [low, high] : {std::pair{-12.9, 12.9}, {-12.9, -8.0}, {-6.0, 6.0}, {-1.0, 1.0}, {-1e-3, 1e-3}}) {
    const Worst worst = worst_ulp(low, high, kDense, kernel, truth);
    EXPECT_LE(worst.distance, 8) << "at " << worst.at;
  }
}

TEST(NormalCdf, FarBelowIsTinyOrZero) {
  std::vector<float> points, results;
  for (float x = -12.8f; x > -16.0f; x -= 0.001f) points.push_back(x);
  points.insert(points.end(), {-50.0f, -1e3f, -1e19f, -1e20f, -3e38f, -kInfinity});
  ASSERT_TRUE(map_lanes(points, kernel, results));
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_GE(results[i], 0.0f);
    const double expected = truth(static_cast<double>(points[i]));
    ASSERT_LE(std::abs(static_cast<double>(results[i]) - expected), 8 * static_cast<double>(kEpsilon) * expected + 0x1p-126)
        << "at " << points[i];
  }
  EXPECT_TRUE(is_positive_zero(results.back()));
}

TEST(NormalCdf, AtZeroFarOutAndOfNan) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({0.0f, -0.0f, 10.0f, 1e10f, 1e20f, 3e38f, kInfinity, kNan, 0.25f}, kernel, results));
  EXPECT_NEAR(results[0], 0.5f, 6e-8f);
  EXPECT_NEAR(results[1], 0.5f, 6e-8f);
  for (std::size_t i = 2; i < 7; ++i) EXPECT_EQ(results[i], 1.0f) << i;
  EXPECT_TRUE(std::isnan(results[7]));
  EXPECT_FALSE(std::isnan(results[8]));
}

}  // namespace fovea::test

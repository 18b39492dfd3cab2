/// Asserts the errors that the header of simd/sigmoid.hpp prints.

#include "simd/sigmoid.hpp"

#include "support/lanes.hpp"

namespace fovea::test {
namespace {

constexpr std::size_t kDense = std::size_t{1} << 19;

double truth(double x) { return 1 / (1 + std::exp(-x)); }
simd::f32 kernel(simd::f32 x) { return simd::sigmoid(x); }

}  // namespace

TEST(Sigmoid, IsWithinFourUlp) {
  for (const auto& [low, high] : {std::pair{-87.33, 100.0}, {-20.0, 20.0}, {-1.0, 1.0}, {-1e-3, 1e-3}}) {
    const Worst worst = worst_ulp(low, high, kDense, kernel, truth);
    EXPECT_LE(worst.distance, 4) << "at " << worst.at;
  }
}

TEST(Sigmoid, FarBelowIsTinyOrZero) {
  std::vector<float> points, results;
  for (float x = -87.0f; x > -110.0f; x -= 0.01f) points.push_back(x);
  points.insert(points.end(), {-1e3f, -1e30f, -3e38f, -kInfinity});
  ASSERT_TRUE(map_lanes(points, kernel, results));
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_GE(results[i], 0.0f);
    ASSERT_LE(std::abs(static_cast<double>(results[i]) - truth(static_cast<double>(points[i]))),
              4 * static_cast<double>(kEpsilon) * truth(static_cast<double>(points[i])) + 0x1p-126)
        << "at " << points[i];
  }
  EXPECT_TRUE(is_positive_zero(results.back()));
}

TEST(Sigmoid, AtZeroFarOutAndOfNan) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({0.0f, -0.0f, 200.0f, 3e38f, kInfinity, kNan, 0.25f}, kernel, results));
  EXPECT_EQ(results[0], 0.5f);
  EXPECT_EQ(results[1], 0.5f);
  for (const std::size_t i : {2u, 3u, 4u}) EXPECT_EQ(results[i], 1.0f);
  EXPECT_TRUE(std::isnan(results[5]));
  EXPECT_FALSE(std::isnan(results[6]));
  EXPECT_EQ(simd::sigmoid(0.25f), results[6]);
}

}  // namespace fovea::test

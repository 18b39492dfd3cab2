/// What the header of simd/sigmoid.hpp prints, asserted.

#include "simd/sigmoid.hpp"

#include "support/lanes.hpp"

namespace fovea::test {
namespace {

constexpr std::size_t kDense = std::size_t{1} << 19;

double truth(double x) { return 1 / (1 + std::exp(-x)); }
simd::f32 kernel(simd::f32 x) { return simd::sigmoid(x); }

}  // namespace

TEST(Sigmoid, IsWithinFourUlp) {
  for (const double bound : {0.01, 1.0, 10.0, 87.3}) {
    const Worst worst = worst_ulp(-bound, bound, kDense, kernel, truth);
    EXPECT_LE(worst.distance, 4) << "at " << worst.at;
  }
}

TEST(Sigmoid, IsOffByLessThanTheSmallestNormalNumberWhereItIsSubnormal) {
  for (float x = -87.3f; x > -110; x -= 1e-3f) {
    ASSERT_LE(std::abs(static_cast<double>(simd::sigmoid(simd::splat(x)).get(0)) - truth(static_cast<double>(x))), 0x1p-126)
        << x;
  }
}

TEST(Sigmoid, IsZeroOrOneFarOut) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({20.0f, 88.0f, 89.0f, 1e30f, kInfinity}, kernel, results));
  EXPECT_TRUE(all_equal(results, 1.0f));
  ASSERT_TRUE(map_lanes({-88.1f, -89.0f, -1e30f, -kInfinity}, kernel, results));
  EXPECT_TRUE(all_zero(results));
}

TEST(Sigmoid, IsAHalfAtZero) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({0.0f, -0.0f, 1e-30f}, kernel, results));
  EXPECT_TRUE(all_equal(results, 0.5f));
}

TEST(Sigmoid, NanStaysNanAndReachesNoNeighbour) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({kNan, 0.0f, -kNan, 0.0f, 0.0f}, kernel, results));
  EXPECT_TRUE(std::isnan(results[0]) && std::isnan(results[2]));
  EXPECT_EQ(results[1], 0.5f);
  EXPECT_EQ(results[3], 0.5f);
}

}  // namespace fovea::test

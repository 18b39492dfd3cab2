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
  for (const double bound : {0.01, 1.0, 10.0, 87.3, 200.0}) {
    const Worst worst = worst_ulp(-bound, bound, kDense, kernel, truth);
    EXPECT_LE(worst.distance, 4) << "at " << worst.at;
  }
}

TEST(Sigmoid, IsZeroOrOneFarOut) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({20.0f, 88.0f, 89.0f, 1e30f, kInfinity}, kernel, results));
  EXPECT_TRUE(all_equal(results, 1.0f));
  ASSERT_TRUE(map_lanes({-1e30f, -kInfinity, -200.0f, -105.0f}, kernel, results));
  EXPECT_TRUE(all_of(results, "below the normal range", [](float x) { return x >= 0 && x < 0x1p-126f; }));
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

/// What the header of simd/sigmoid.hpp prints, asserted.

#include "simd/sigmoid.hpp"

#include "support/lanes.hpp"

namespace fovea::test {
namespace {

constexpr std::size_t kDense = std::size_t{1} << 19;

double truth(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
simd::f32 kernel(simd::f32 x) { return simd::sigmoid(x); }

}  // namespace

TEST(Sigmoid, IsWithinFourUlp) {
  for (const double bound : {0.01, 1.0, 10.0, 80.0}) {
    const Worst worst = worst_ulp(-bound, bound, kDense, kernel, truth);
    EXPECT_LE(worst.distance, 4) << "at " << worst.at;
  }
}

TEST(Sigmoid, EndsAndNan) {
  std::vector<float> results;
  ASSERT_TRUE(map_lanes({-kInfinity, -200.0f, 0.0f, -0.0f, 200.0f, kInfinity, kNan, 1.0f}, kernel, results));
  EXPECT_TRUE(is_positive_zero(results[0]));
  EXPECT_TRUE(is_positive_zero(results[1]));
  EXPECT_EQ(results[2], 0.5f);
  EXPECT_EQ(results[3], 0.5f);
  EXPECT_EQ(results[4], 1.0f);
  EXPECT_EQ(results[5], 1.0f);
  EXPECT_TRUE(std::isnan(results[6]));
  EXPECT_NEAR(results[7], 0.73105858f, 1e-6f);
}

}  // namespace fovea::test

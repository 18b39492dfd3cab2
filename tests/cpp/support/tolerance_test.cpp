/// The rule that all other tests lean on must itself be able to fail.

#include "support/tolerance.hpp"

#include "support/ulp.hpp"

namespace fovea::test {
namespace {

Oracle oracle_of(double truth, float plain, double scale) { return {{truth}, {scale}, {}, {plain}, 1}; }

bool passes(float actual, const Oracle& oracle) {
  return static_cast<bool>(within_tolerance(std::vector<float>{actual}, oracle));
}

}  // namespace

TEST(Tolerance, AllowsTwiceThePlainErrorAndNoMore) {
  const Oracle oracle = oracle_of(1.0, 1.25f, 0);
  EXPECT_TRUE(passes(1.5f, oracle));
  EXPECT_FALSE(passes(1.5001f, oracle));
  EXPECT_FALSE(passes(0.4999f, oracle));
}

TEST(Tolerance, AllowsEightEpsOfTheScaleAndNoMore) {
  const Oracle oracle = oracle_of(1.0, 1.0f, 1.0);
  EXPECT_TRUE(passes(1.0f + 8 * kEpsilon, oracle));
  EXPECT_FALSE(passes(1.0f + 9 * kEpsilon, oracle));
}

TEST(Tolerance, OnlyNanMeetsNan) {
  EXPECT_TRUE(passes(kNan, oracle_of(static_cast<double>(kNan), 0, 1e30)));
  EXPECT_FALSE(passes(1, oracle_of(static_cast<double>(kNan), 0, 1e30)));
  EXPECT_FALSE(passes(kNan, oracle_of(1, 1, 1e30)));
}

TEST(Tolerance, InfinitiesMeetOnlyThemselves) {
  EXPECT_TRUE(passes(-kInfinity, oracle_of(-static_cast<double>(kInfinity), -kInfinity, 0)));
  EXPECT_FALSE(passes(kInfinity, oracle_of(-static_cast<double>(kInfinity), -kInfinity, 0)));
  EXPECT_FALSE(passes(kInfinity, oracle_of(1, 1, 1e30)));
  EXPECT_FALSE(passes(-3e38f, oracle_of(-static_cast<double>(kInfinity), -kInfinity, 1e30)));
}

TEST(Tolerance, AnUnwrittenElementNeverPasses) { EXPECT_FALSE(passes(kPoison, oracle_of(static_cast<double>(kNan), kNan, 0))); }

TEST(Tolerance, ACaseThatOverflowsInPlainFloatsIsRefused) { EXPECT_FALSE(passes(1, oracle_of(1, kInfinity, 1))); }

TEST(Tolerance, AWrongNumberOfResultsFails) {
  EXPECT_FALSE(within_tolerance(std::vector<float>{1, 1}, oracle_of(1, 1, 1)));
  EXPECT_FALSE(within_tolerance(std::vector<float>{}, oracle_of(1, 1, 1)));
}

TEST(Tolerance, UlpDistanceCountsLastPlaces) {
  EXPECT_EQ(ulp_distance(1.0f, 1.0), 0);
  EXPECT_EQ(ulp_distance(std::nextafter(1.0f, 2.0f), 1.0), 1);
  EXPECT_EQ(ulp_distance(1.0f, 1.0 + 0.5 * static_cast<double>(kEpsilon)), 0.5);
  EXPECT_EQ(ulp_distance(std::nextafter(4.0f, 5.0f), 4.0), 1);
  EXPECT_EQ(ulp_distance(std::numeric_limits<float>::denorm_min(), 0.0), 1);
  EXPECT_EQ(ulp_distance(kNan, static_cast<double>(kNan)), 0);
  EXPECT_EQ(ulp_distance(kNan, 1.0), static_cast<double>(kInfinity));
}

TEST(Tolerance, BitComparisonTellsZerosApartAndTakesAllNansForEqual) {
  EXPECT_FALSE(same_bits(0.0f, -0.0f));
  EXPECT_TRUE(same_bits(kNan, -kNan));
  EXPECT_FALSE(same_bits(kNan, kPoison));
}

}  // namespace fovea::test

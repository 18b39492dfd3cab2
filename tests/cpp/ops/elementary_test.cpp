/// Absolute values, exponentials and logarithms against double's.

#include "ops/elementary.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "support/bits.hpp"
#include "support/ulp.hpp"

namespace fovea::test {
namespace {

std::vector<float> of(Elementary kind, std::vector<float> x) {
  x.push_back(-99.0f);
  elementary(kind, x.data(), x.size() - 1, x.data());
  EXPECT_EQ(x.back(), -99.0f) << "beyond the last";
  x.pop_back();
  return x;
}

TEST(Elementary, AbsIsExact) {
  EXPECT_EQ(of(Elementary::Abs, {-1.5f, -0.0f, 2.0f, -kInfinity, -1e-45f}),
            (std::vector<float>{1.5f, 0.0f, 2.0f, kInfinity, 1e-45f}));
  EXPECT_FALSE(std::signbit(of(Elementary::Abs, {-0.0f})[0]));
  EXPECT_TRUE(std::isnan(of(Elementary::Abs, {kNan})[0]));
}

TEST(Elementary, ExpIsWithinItsBoundUpToTheLargestFloat) {
  for (float x = -87.3f; x < 88.72f; x += 0.0371f) {
    const float y = of(Elementary::Exp, {x})[0];
    ASSERT_LE(ulp_distance(y, std::exp(static_cast<double>(x))), x > 87 ? 5 : 2) << x;
  }
  EXPECT_EQ(of(Elementary::Exp, {-kInfinity, 0.0f, 88.73f, 100.0f, 1000.0f, 3e38f, kInfinity}),
            (std::vector<float>{0, 1, kInfinity, kInfinity, kInfinity, kInfinity, kInfinity}));
  EXPECT_TRUE(std::isnan(of(Elementary::Exp, {kNan})[0]));
}

TEST(Elementary, LogIsThatOfDoubleRounded) {
  const std::vector<float> x = {1.0f, 0.5f, 2.0f, 1e-30f, 3e38f, std::numeric_limits<float>::denorm_min()};
  const std::vector<float> y = of(Elementary::Log, x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], static_cast<float>(std::log(static_cast<double>(x[i])))) << x[i];
}

TEST(Elementary, LogOfZeroIsMinusInfinityAndOfLessNan) {
  const std::vector<float> y = of(Elementary::Log, {0.0f, -1.0f, kInfinity, kNan});
  EXPECT_EQ(y[0], -kInfinity);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], kInfinity);
  EXPECT_TRUE(std::isnan(y[3]));
}

}  // namespace
}  // namespace fovea::test

/// Logarithms: double's, rounded.

#include "ops/logarithm.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "support/bits.hpp"

namespace fovea::test {
namespace {

TEST(Logarithm, IsThatOfDoubleRounded) {
  const std::vector<float> x = {1.0f, 0.5f, 2.0f, 1e-30f, 3e38f, std::numeric_limits<float>::denorm_min()};
  std::vector<float> y(x.size() + 1, -99.0f);
  logarithm(x.data(), x.size(), y.data());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], static_cast<float>(std::log(static_cast<double>(x[i])))) << x[i];
  EXPECT_EQ(y.back(), -99.0f) << "beyond the last";
}

TEST(Logarithm, OfZeroIsMinusInfinityAndOfLessNan) {
  std::vector<float> x = {0.0f, -1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
  logarithm(x.data(), x.size(), x.data());
  EXPECT_EQ(x[0], -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(x[1]));
  EXPECT_EQ(x[2], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(x[3]));
}

}  // namespace
}  // namespace fovea::test

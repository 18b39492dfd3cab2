/// Sums of the entries so far: in double, each rounded once.

#include "ops/cumulative_sum.hpp"

#include <limits>

#include "support/random.hpp"

namespace fovea::test {
namespace {

TEST(CumulativeSum, IsThatOfDoubleRoundedAlongAnyAxis) {
  Random random(1);
  for (const std::size_t outer : {0u, 1u, 3u}) {
    for (const std::size_t length : {0u, 1u, 5u, 700u}) {
      for (const std::size_t inner : {1u, 3u, 64u, 65u, 130u}) {
        std::vector<float> x(outer * length * inner);
        for (float& number : x) number = 1e3f * random.normal();
        std::vector<float> y = x;
        cumulative_sum(y.data(), outer, length, inner, y.data());
        for (std::size_t o = 0; o < outer; ++o) {
          for (std::size_t i = 0; i < inner; ++i) {
            double sum = 0;
            for (std::size_t l = 0; l < length; ++l) {
              const std::size_t at = (o * length + l) * inner + i;
              ASSERT_EQ(y[at], static_cast<float>(sum += static_cast<double>(x[at])));
            }
          }
        }
      }
    }
  }
}

TEST(CumulativeSum, NanPassesOnInItsLine) {
  std::vector<float> x = {1, 2, std::numeric_limits<float>::quiet_NaN(), 4, 5, 6};  // [3, 2]
  cumulative_sum(x.data(), 1, 3, 2, x.data());
  EXPECT_TRUE(std::isnan(x[2]) && std::isnan(x[4]));
  EXPECT_EQ(x[1], 2.0f);
  EXPECT_EQ(x[5], 12.0f);
}

}  // namespace
}  // namespace fovea::test

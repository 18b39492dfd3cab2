/// Rows taken by their indices, and added up.

#include "ops/listed_rows.hpp"

#include "support/random.hpp"

namespace fovea::test {
namespace {

TEST(ListedRows, AreTakenAndAddedUpInTheirOrder) {
  Random random(1);
  const std::vector<std::int32_t> indices = {3, 0, 3, 1, 3};
  for (const std::size_t outer : {1u, 3u}) {
    for (const std::size_t inner : {1u, 3u, 65u}) {
      constexpr std::size_t kLength = 4;
      const std::size_t count = indices.size();
      std::vector<float> x(outer * kLength * inner), taken(outer * count * inner), sums(x.size()), expected(x.size());
      for (float& number : x) number = random.normal();
      ASSERT_EQ(take_rows({outer, kLength, inner, indices.data(), count, x.data(), taken.data()}), Status::Ok);
      for (std::size_t o = 0; o < outer; ++o) {
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t e = 0; e < inner; ++e) {
            const std::size_t row = static_cast<std::size_t>(indices[i]);
            const float number = x[(o * kLength + row) * inner + e];
            ASSERT_EQ(taken[(o * count + i) * inner + e], number);
            expected[(o * kLength + row) * inner + e] += number;
          }
        }
      }
      ASSERT_EQ(add_rows({outer, kLength, inner, indices.data(), count, taken.data(), sums.data()}), Status::Ok);
      ASSERT_EQ(sums, expected);
    }
  }
}

TEST(ListedRows, AnIndexOutsideIsRefusedBeforeAnythingIsWritten) {
  const float x[4] = {1, 2, 3, 4};
  float y[4] = {7, 7, 7, 7};
  for (const std::int32_t wrong : {-1, 2, 2147483647}) {
    const std::int32_t indices[] = {0, wrong};
    EXPECT_EQ(take_rows({1, 2, 2, indices, 2, x, y}), Status::Value);
    EXPECT_EQ(add_rows({1, 2, 2, indices, 2, x, y}), Status::Value);
  }
  for (const float number : y) EXPECT_EQ(number, 7.0f);
}

}  // namespace
}  // namespace fovea::test

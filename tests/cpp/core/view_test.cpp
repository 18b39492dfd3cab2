#include "core/view.hpp"

#include "pch.hpp"

namespace fovea::test {

TEST(View, HeadsViewRowFollowsItsStrides) {
  float memory[100] = {};
  const HeadsView<float> view{memory + 10, 40, 13, 3};
  EXPECT_EQ(view.row(0, 0, 0), memory + 10);
  EXPECT_EQ(view.row(1, 2, 3), memory + 10 + 40 + 26 + 9);
}

TEST(View, StridesMayBeZeroOrNegative) {
  float memory[100] = {};
  const HeadsView<float> view{memory + 50, 0, -20, -1};
  EXPECT_EQ(view.row(7, 2, 3), memory + 50 - 40 - 3);
}

TEST(View, PairsViewRowFollowsItsStrides) {
  std::uint8_t memory[100] = {};
  const PairsView<std::uint8_t> view{memory + 5, 30, 0, 7, 2};
  EXPECT_EQ(view.row(1, 9, 4), memory + 5 + 30 + 28);
}

TEST(View, MatrixViewReadsATransposeWithExchangedStrides) {
  float memory[12] = {};
  const MatrixView<float> plain{memory, 3, 4, 4, 1};
  const MatrixView<float> transposed{memory, 4, 3, 1, 4};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(plain.at(r, c), transposed.at(c, r));
}

}  // namespace fovea::test

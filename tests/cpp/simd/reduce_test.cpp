#include "simd/reduce.hpp"

#include "support/lanes.hpp"

namespace fovea::test {
namespace {

simd::f32 four(float a, float b, float c, float d) {
  const float lanes[4] = {a, b, c, d};
  return simd::load(lanes);
}

}  // namespace

TEST(Batch, HoldsFourFloatsEverywhere) { EXPECT_EQ(simd::f32::size, 4u); }

TEST(Batch, LoadsAndStoresAtAnyAddress) {
  alignas(16) float memory[16];
  for (std::size_t i = 0; i < 16; ++i) memory[i] = static_cast<float>(i);
  for (std::size_t offset = 0; offset < 4; ++offset) {
    alignas(16) float out[12];
    std::fill(out, out + 12, kPoison);
    simd::store(out + offset + 1, simd::load(memory + offset));
    for (std::size_t i = 0; i < 12; ++i) {
      if (i < offset + 1 || i >= offset + 5) {
        EXPECT_TRUE(is_poison(out[i]));
      } else {
        EXPECT_EQ(out[i], static_cast<float>(i - 1));
      }
    }
  }
}

TEST(Batch, TransposesRowsIntoColumns) {
  simd::f32 rows[4] = {four(0, 1, 2, 3), four(4, 5, 6, 7), four(8, 9, 10, 11), four(12, 13, 14, 15)};
  simd::transpose(rows);
  for (std::size_t r = 0; r < 4; ++r)
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(rows[r].get(c), static_cast<float>(4 * c + r));
}

TEST(Batch, LanesSelectsByTheLowFourBits) {
  for (std::uint64_t bits = 0; bits < 16; ++bits) {
    for (const std::uint64_t above : {std::uint64_t{0}, std::uint64_t{0xABCDEF12345670}}) {
      const simd::f32 picked = xsimd::select(simd::lanes(bits | above), simd::splat(1), simd::splat(0));
      for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_EQ(picked.get(lane), static_cast<float>(bits >> lane & 1));
    }
  }
}

TEST(Reduce, AddsEveryLane) {
  EXPECT_EQ(simd::reduce_add(four(1, 10, 100, 1000)), 1111.0f);
  EXPECT_EQ(simd::reduce_add(four(0, 0, 0, 0)), 0.0f);
}

TEST(Reduce, FindsTheMaximumInEveryLane) {
  EXPECT_EQ(simd::reduce_max(four(4, 1, 2, 3)), 4.0f);
  EXPECT_EQ(simd::reduce_max(four(1, 4, 2, 3)), 4.0f);
  EXPECT_EQ(simd::reduce_max(four(1, 2, 4, 3)), 4.0f);
  EXPECT_EQ(simd::reduce_max(four(1, 2, 3, 4)), 4.0f);
  EXPECT_EQ(simd::reduce_max(four(-kInfinity, -3, -kInfinity, -4)), -3.0f);
  EXPECT_EQ(simd::reduce_max(four(-kInfinity, -kInfinity, -kInfinity, -kInfinity)), -kInfinity);
}

TEST(Reduce, ANanInAnyLaneMakesTheSumNan) {
  for (std::size_t lane = 0; lane < 4; ++lane) {
    float lanes[4] = {1, 2, 3, 4};
    lanes[lane] = kNan;
    EXPECT_TRUE(std::isnan(simd::reduce_add(simd::load(lanes))));
  }
}

}  // namespace fovea::test

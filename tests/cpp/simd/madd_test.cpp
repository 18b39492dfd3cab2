#include "simd/madd.hpp"

#include "support/lanes.hpp"
#include "support/random.hpp"

namespace fovea::test {

TEST(Madd, IsTheProductAndTheSumRoundedTwiceOrOnce) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const float a = random.normal(), b = random.normal(), c = random.normal();
    const float got = simd::madd(simd::splat(a), simd::splat(b), simd::splat(c)).get(static_cast<std::size_t>(i % 4));
    const float twice = a * b + c, once = std::fma(a, b, c);
#ifdef __wasm_relaxed_simd__
    ASSERT_TRUE(same_bits(got, twice) || same_bits(got, once)) << a << " * " << b << " + " << c;
#else
    ASSERT_TRUE(same_bits(got, twice)) << a << " * " << b << " + " << c << ", once " << once;
#endif
  }
}

TEST(Madd, IsTheSameFunctionOnEveryCall) {
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const float a = random.normal(), b = random.normal(), c = random.normal();
    const simd::f32 first = simd::madd(simd::splat(a), simd::splat(b), simd::splat(c));
    for (std::size_t lane = 1; lane < 4; ++lane) ASSERT_TRUE(same_bits(first.get(0), first.get(lane)));
  }
}

TEST(Madd, TellsItsOperandsApart) {
  EXPECT_EQ(simd::madd(simd::splat(2), simd::splat(3), simd::splat(4)).get(0), 10.0f);
  EXPECT_EQ(simd::madd(simd::splat(4), simd::splat(2), simd::splat(3)).get(3), 11.0f);
}

TEST(Madd, PassesNanAndInfinityOn) {
  const auto madd = [](float a, float b, float c) { return simd::madd(simd::splat(a), simd::splat(b), simd::splat(c)).get(0); };
  EXPECT_TRUE(std::isnan(madd(kNan, 1, 1)));
  EXPECT_TRUE(std::isnan(madd(1, kNan, 1)));
  EXPECT_TRUE(std::isnan(madd(1, 1, kNan)));
  EXPECT_TRUE(std::isnan(madd(0, kInfinity, 1)));
  EXPECT_TRUE(std::isnan(madd(1, kInfinity, -kInfinity)));
  EXPECT_EQ(madd(1, kInfinity, 1), kInfinity);
}

}  // namespace fovea::test

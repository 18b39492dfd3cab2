/// Half floats: every one of them, and the rounding to them against a rule that only compares distances.

#include "ops/float16.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "simd/float16.hpp"
#include "support/random.hpp"

namespace fovea::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

/// IEEE 754-2019 §3.4, binary16. The payload of a NaN is not looked at here.
double value_of(std::uint16_t half) {
  const int exponent = half >> 10 & 0x1F, mantissa = half & 0x3FF;
  const double sign = (half & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
}

/// The finite halves from 0 up, and 2^16 where the next one would be: what is nearest to that becomes infinity.
const std::vector<double>& steps() {
  static const std::vector<double> all = [] {
    std::vector<double> values;
    for (std::uint16_t half = 0; half < 0x7C00; ++half) values.push_back(value_of(half));
    values.push_back(65536);
    return values;
  }();
  return all;
}

/// The nearest half, of two the even one.
std::uint16_t nearest(float x) {
  const std::uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const double size = std::abs(static_cast<double>(x));
  const auto above = std::lower_bound(steps().begin(), steps().end(), size);
  if (above == steps().end()) return sign | 0x7C00;
  auto index = static_cast<std::size_t>(above - steps().begin());
  if (index > 0) {
    const double up = steps()[index] - size, down = size - steps()[index - 1];
    if (down < up || (down == up && index % 2 == 1)) --index;
  }
  return static_cast<std::uint16_t>(sign | index);
}

std::vector<std::uint16_t> rounded(const std::vector<float>& floats) {
  std::vector<std::uint16_t> halves(floats.size(), 0xABCD);
  to_float16(floats.data(), floats.size(), halves.data());
  return halves;
}

std::vector<float> widened(const std::vector<std::uint16_t>& halves) {
  std::vector<float> floats(halves.size(), -1.0f);
  from_float16(halves.data(), halves.size(), floats.data());
  return floats;
}

}  // namespace

TEST(Halves, EveryOneIsItsFloatAndComesBack) {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = static_cast<std::uint16_t>(n);
  const std::vector<float> floats = widened(all);
  const std::vector<std::uint16_t> back = rounded(floats);
  for (std::size_t n = 0; n < all.size(); ++n) {
    const double value = value_of(all[n]);
    if (std::isnan(value)) {
      const auto bits = std::bit_cast<std::uint32_t>(floats[n]);
      ASSERT_EQ(bits, (n & 0x8000) << 16 | 0x7F800000 | (n & 0x3FF) << 13) << n;
      ASSERT_EQ(back[n], n | 0x0200) << n;
    } else {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(floats[n]), std::bit_cast<std::uint32_t>(static_cast<float>(value))) << n;
      ASSERT_EQ(back[n], n) << n;
    }
  }
}

TEST(Halves, AnyOneIsItsFloatAndFiniteOnesAreMovedExactly) {
  for (std::uint32_t n = 0; n < 65536; ++n) {
    const auto half = static_cast<std::uint16_t>(n);
    const std::uint16_t four[4] = {0x3C00, half, 0xFC00, half};
    const double value = value_of(half);
    for (const float got :
         {simd::any_float16(half), simd::load_any_float16(four).get(1), simd::load_any_float16(four).get(3)}) {
      if (std::isnan(value)) {
        ASSERT_TRUE(std::isnan(got)) << n;
      } else {
        ASSERT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(static_cast<float>(value))) << n;
      }
    }
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(simd::scaled_float16(half), static_cast<float>(value * 0x1p-112)) << n;
    ASSERT_EQ(simd::load_scaled_float16(four).get(1), static_cast<float>(value * 0x1p-112)) << n;
  }
}

TEST(Halves, FloatsGoToTheNearestAndTiesToTheEvenOne) {
  std::vector<float> floats = {0.0f,     -0.0f, 0x1p-149f, -0x1p-126f, 0x1p-25f, 0x1.000002p-25f, 65504.0f, 65519.996f,
                               65520.0f, 1e5f,  3.4e38f,   kInf,       -kInf};
  // All halves, what is halfway between two, and the floats beside both.
  for (std::size_t n = 0; n + 1 < steps().size(); ++n) {
    for (const double point : {steps()[n], (steps()[n] + steps()[n + 1]) / 2}) {
      const auto x = static_cast<float>(point);
      for (const float near : {x, std::nextafter(x, kInf), std::nextafter(x, -kInf)}) {
        floats.push_back(near);
        floats.push_back(-near);
      }
    }
  }
  Random random(5);
  for (int n = 0; n < 1 << 20; ++n) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
    if (!std::isnan(x)) floats.push_back(x);
  }
  const std::vector<std::uint16_t> halves = rounded(floats);
  for (std::size_t n = 0; n < floats.size(); ++n) ASSERT_EQ(halves[n], nearest(floats[n])) << floats[n];
}

TEST(Halves, NotANumberStaysOne) {
  for (const std::uint32_t bits : {0x7F800001u, 0x7FC00000u, 0xFF800001u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    const std::vector<std::uint16_t> half = rounded({std::bit_cast<float>(bits)});
    EXPECT_TRUE(std::isnan(value_of(half[0]))) << bits;
    EXPECT_EQ(half[0] >> 15, bits >> 31);
  }
}

TEST(Halves, AnyCountIsConvertedAndNothingBeyondIt) {
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<float> floats(count);
    for (std::size_t n = 0; n < count; ++n) floats[n] = static_cast<float>(n) - 7.0f;
    floats.shrink_to_fit();
    std::vector<std::uint16_t> halves(count + 1, 0xABCD);
    to_float16(floats.data(), count, halves.data());
    EXPECT_EQ(halves[count], 0xABCD);
    halves.pop_back();
    halves.shrink_to_fit();
    std::vector<float> back(count + 1, 0.5f);
    from_float16(halves.data(), count, back.data());
    EXPECT_EQ(back[count], 0.5f);
    back.pop_back();
    EXPECT_EQ(back, floats);
  }
}

}  // namespace fovea::test

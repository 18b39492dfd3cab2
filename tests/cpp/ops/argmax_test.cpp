/// Argmax against the definition, with ties and NaN.

#include "ops/argmax.hpp"

#include "support/bits.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

std::int32_t definition(const float* x, std::size_t length, std::size_t inner) {
  for (std::size_t l = 0; l < length; ++l) {
    if (std::isnan(x[l * inner])) return static_cast<std::int32_t>(l);
  }
  std::size_t best = 0;
  for (std::size_t l = 1; l < length; ++l) {
    if (x[l * inner] > x[best * inner]) best = l;
  }
  return static_cast<std::int32_t>(best);
}

TEST(Argmax, IsTheLowestPlaceOfTheMaximumOrOfTheFirstNan) {
  Random random(1);
  constexpr std::size_t kOuter[] = {0, 1, 3}, kLengths[] = {1, 2, 5, 15, 16, 64, 67}, kInner[] = {0, 1, 3, 64, 65, 130};
  for (const std::size_t outer : kOuter) {
    for (const std::size_t length : kLengths) {
      for (const std::size_t inner : kInner) {
        std::vector<float> x(outer * length * inner);
        for (float& number : x) {
          number = std::round(2 * random.normal());  // many ties
          if (random.normal() > 2) number = kNan;
        }
        std::vector<std::int32_t> y(outer * inner + 4, -7);
        argmax(x.data(), outer, length, inner, y.data());
        for (std::size_t o = 0; o < outer; ++o) {
          for (std::size_t i = 0; i < inner; ++i)
            ASSERT_EQ(y[o * inner + i], definition(x.data() + o * length * inner + i, length, inner));
        }
        for (std::size_t i = outer * inner; i < y.size(); ++i) ASSERT_EQ(y[i], -7);
      }
    }
  }
}

TEST(Argmax, ThreadsShareOutTheLinesOfEveryAxis) {
  ThreadPool pool;
  pool.start(2);
  Random random(2);
  const std::vector<float> x = [&] {
    std::vector<float> numbers(1200 * 1100);
    for (float& number : numbers) number = random.normal();
    return numbers;
  }();
  constexpr std::size_t kSizes[][3] = {{1200, 1100, 1}, {1, 1200, 1100}, {40, 30, 1100}};
  for (const auto& [outer, length, inner] : kSizes) {
    std::vector<std::int32_t> y(outer * inner, -7);
    argmax(x.data(), outer, length, inner, y.data(), &pool);
    for (std::size_t line = 0; line < y.size(); ++line) {
      ASSERT_EQ(y[line], definition(x.data() + line / inner * length * inner + line % inner, length, inner));
    }
  }
}

TEST(Argmax, InfinitiesAndZerosAreNumbersAsOthers) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const auto of = [](std::vector<float> x) {
    std::int32_t y = -1;
    argmax(x.data(), 1, x.size(), 1, &y);
    return y;
  };
  EXPECT_EQ(of({-kInfinity, -kInfinity}), 0);
  EXPECT_EQ(of({-kInfinity, -1}), 1);
  EXPECT_EQ(of({1, kInfinity, kInfinity}), 1);
  EXPECT_EQ(of({kInfinity, kNan, kNan}), 1);
  EXPECT_EQ(of({kNan, kInfinity}), 0);
  EXPECT_EQ(of({-0.0f, 0.0f}), 0);
}

}  // namespace
}  // namespace fovea::test

/// Dot products in float64.

#include "gemm/dot.hpp"

#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

/// Exact memory: a read behind a row's end is seen by the sanitizer.
std::vector<float> draw(Random& random, std::size_t n) {
  std::vector<float> row(n);
  for (float& x : row) x = 10 * random.normal();
  row.shrink_to_fit();
  return row;
}

}  // namespace

TEST(Dot, InFloat64IsWithinItsRoundingOfTheDefinition) {
  Random random(61);
  for (std::size_t n = 0; n < 70; ++n) {
    const std::vector<float> a = draw(random, n), b = draw(random, n);
    long double sum = 0, size = 0;
    for (std::size_t d = 0; d < n; ++d) {
      const long double product = static_cast<long double>(a[d]) * static_cast<long double>(b[d]);
      sum += product;
      size += std::abs(product);
    }
    const auto error = static_cast<double>(std::abs(sum - static_cast<long double>(dot_in_double(a.data(), b.data(), n))));
    EXPECT_LE(error, static_cast<double>(n) * std::numeric_limits<double>::epsilon() * static_cast<double>(size)) << n;
  }
}

TEST(Dot, ProductsComputedTogetherHaveTheBitsOfEachByItself) {
  Random random(62);
  constexpr double kScale = 0.3;
  for (std::size_t n = 1; n < 70; ++n) {
    std::vector<std::vector<float>> a, b;
    std::vector<std::vector<double>> converted;
    for (std::size_t r = 0; r < kDotRows; ++r) {
      a.push_back(draw(random, n));
      converted.emplace_back(a.back().begin(), a.back().end());
    }
    for (std::size_t c = 0; c < kDotColumns; ++c) b.push_back(draw(random, n));
    const float *rows[kDotRows], *columns[kDotColumns];
    const double* doubles[kDotRows];
    for (std::size_t r = 0; r < kDotRows; ++r) {
      rows[r] = a[r].data();
      doubles[r] = converted[r].data();
    }
    for (std::size_t c = 0; c < kDotColumns; ++c) columns[c] = b[c].data();
    float from_floats[kDotRows][4], from_doubles[kDotRows][4];
    scaled_dots(rows, columns, n, kScale, from_floats);
    scaled_dots(doubles, columns, n, kScale, from_doubles);
    for (std::size_t r = 0; r < kDotRows; ++r) {
      for (std::size_t c = 0; c < kDotColumns; ++c) {
        const auto alone = static_cast<float>(dot_in_double(rows[r], columns[c], n) * kScale);
        EXPECT_TRUE(same_bits(from_floats[r][c], alone)) << n;
        EXPECT_TRUE(same_bits(from_doubles[r][c], alone)) << n;
      }
    }
  }
}

}  // namespace fovea::test

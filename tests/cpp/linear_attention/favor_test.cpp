/// The projection of FAVOR+: orthogonal rows of Gaussian length, and an estimate of exp(q · k) without bias.

#include "linear_attention/favor.hpp"

#include "linear_attention/feature_maps.hpp"
#include "support/random.hpp"
#include "support/scratch.hpp"

namespace fovea::test {
namespace {

std::vector<float> projection_of(std::size_t features, std::size_t width, std::uint64_t seed) {
  std::vector<float> projection(features * width, kPoison);
  Scratch scratch(favor_workspace_bytes(width), 0, kPoison);
  EXPECT_EQ(favor_projection(features, width, to_seed(seed), projection.data(), scratch.workspace()), Status::Ok);
  EXPECT_TRUE(scratch.guard_intact());
  return projection;
}

double dot(const float* a, const float* b, std::size_t width) {
  double sum = 0;
  for (std::size_t d = 0; d < width; ++d) sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
  return sum;
}

/// φ(q) · φ(k), exponents put back.
double estimate(const std::vector<float>& projection, const std::vector<float>& q, const std::vector<float>& k) {
  const Features features = {FeatureMap::Favor, q.size(), projection.size() / q.size(), projection.data()};
  std::vector<float> of_q(features.count()), of_k(features.count());
  write_features(features, q.data(), 1.0f, of_q.data());
  write_features(features, k.data(), 1.0f, of_k.data());
  double sum = 0;
  for (std::size_t f = 0; f < of_q.size(); ++f) sum += std::exp(static_cast<double>(of_q[f]) + static_cast<double>(of_k[f]));
  return sum / static_cast<double>(of_q.size());
}

constexpr std::size_t kWidth = 8;

struct Pair {
  std::vector<float> q = std::vector<float>(kWidth), k = q;
  double exact = 0;
};

Pair draw_pair(std::uint64_t seed) {
  Random random(seed);
  Pair pair;
  for (float& x : pair.q) x = 0.3f * random.normal();
  for (float& x : pair.k) x = 0.3f * random.normal();
  pair.exact = std::exp(dot(pair.q.data(), pair.k.data(), kWidth));
  return pair;
}

}  // namespace

TEST(Favor, TheRowsOfABlockAreOrthogonal) {
  for (const std::size_t width : {1u, 2u, 3u, 8u, 17u, 64u}) {
    const std::size_t features = 2 * width + width / 2;
    const std::vector<float> w = projection_of(features, width, width);
    for (std::size_t i = 0; i < features; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (i / width != j / width) continue;
        const float *const a = w.data() + i * width, *const b = w.data() + j * width;
        EXPECT_LE(std::abs(dot(a, b, width)) / std::sqrt(dot(a, a, width) * dot(b, b, width)), 1e-6) << i << " " << j;
      }
    }
  }
}

TEST(Favor, TheLengthsAreThoseOfIndependentGaussians) {
  for (const std::size_t width : {1u, 3u, 4u, 17u, 64u}) {
    const std::vector<float> w = projection_of(2 * width + 1, width, 9);
    for (std::size_t row = 0; row < 2 * width + 1; ++row) {
      double squares = 0;
      for (std::size_t d = 0; d < width; ++d) {
        const auto four =
            normals(philox(to_seed(9), static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(d / 4), 1, Stream::Favor));
        squares += std::pow(static_cast<double>(four[d % 4]), 2);
      }
      const float* const x = w.data() + row * width;
      EXPECT_NEAR(std::sqrt(dot(x, x, width) / squares), 1.0, 1e-6) << width << ", row " << row;
    }
  }
}

TEST(Favor, TheFirstRowPointsWhereItsGaussianDoes) {
  const std::vector<float> w = projection_of(1, 6, 3);
  std::vector<float> direction;
  for (const std::uint32_t four : {0u, 1u})
    for (const float x : normals(philox(to_seed(3), 0, four, 0, Stream::Favor))) direction.push_back(x);
  direction.resize(6);
  const double cosine =
      dot(w.data(), direction.data(), 6) / std::sqrt(dot(w.data(), w.data(), 6) * dot(direction.data(), direction.data(), 6));
  EXPECT_NEAR(cosine, 1.0, 1e-6);
}

TEST(Favor, TheFirstNumbersStay) {
  const std::vector<float> w = projection_of(5, 3, 1);
  const std::vector<float> expected = {-0.911217213f, 0.50558722f,  -0.913475573f, -0.0705144033f, 0.588314414f,
                                       0.395958275f,  0.476859152f, 0.274902463f,  -0.323528171f,  0.19266513f,
                                       -1.98552954f,  -0.56697315f, 0.0121526392f, 0.322981209f,   -1.12694454f};
  for (std::size_t n = 0; n < w.size(); ++n) EXPECT_NEAR(w[n], expected[n], 1e-6) << n;
}

TEST(Favor, MoreRowsChangeNoneOfTheFirst) {
  const std::vector<float> few = projection_of(7, 5, 2), many = projection_of(23, 5, 2);
  EXPECT_TRUE(same_bits(few, std::span(many).first(few.size())));
  EXPECT_FALSE(same_bits(few, projection_of(7, 5, 3)));
  EXPECT_FALSE(same_bits(few, projection_of(7, 5, 2 + (std::uint64_t{1} << 32))));
}

TEST(Favor, TheMeanOverSeedsIsExpOfTheProduct) {
  constexpr int kSeeds = 600;
  for (std::uint64_t n = 0; n < 4; ++n) {
    const Pair pair = draw_pair(n);
    double sum = 0, squares = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
      const double x = estimate(projection_of(16, kWidth, static_cast<std::uint64_t>(seed)), pair.q, pair.k);
      sum += x;
      squares += x * x;
    }
    const double mean = sum / kSeeds, error = std::sqrt((squares / kSeeds - mean * mean) / kSeeds);
    EXPECT_NEAR(mean, pair.exact, 4 * error);
    EXPECT_LT(error, 0.1 * pair.exact);
  }
}

TEST(Favor, TheErrorFallsAsTheRootOfTheNumberOfRows) {
  const Pair pair = draw_pair(5);
  const auto error = [&pair](std::size_t features) {
    double squares = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed)
      squares += std::pow(estimate(projection_of(features, kWidth, seed), pair.q, pair.k) - pair.exact, 2);
    return std::sqrt(squares / 300);
  };
  const double at_8 = error(8), at_32 = error(32), at_128 = error(128);
  EXPECT_NEAR(at_8 / at_32, 2.0, 0.4);
  EXPECT_NEAR(at_32 / at_128, 2.0, 0.4);
}

TEST(Favor, Errors) {
  std::vector<float> projection(12, kPoison);
  Scratch scratch(favor_workspace_bytes(3), 1, kPoison);
  EXPECT_EQ(favor_projection(4, 3, {}, projection.data(), scratch.workspace()), Status::Memory);
  EXPECT_EQ(favor_projection(4, 0, {}, projection.data(), scratch.workspace()), Status::Shape);
  EXPECT_TRUE(all_poison(projection));
  // No rows are none.
  Scratch enough(favor_workspace_bytes(3), 0, kPoison);
  EXPECT_EQ(favor_projection(0, 3, {}, projection.data(), enough.workspace()), Status::Ok);
  EXPECT_TRUE(all_poison(projection));
}

}  // namespace fovea::test

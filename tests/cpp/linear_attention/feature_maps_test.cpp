/// Feature maps against their definitions in double.

#include "reference/feature_maps.hpp"
#include "support/random.hpp"

namespace fovea::test {
namespace {

const std::vector<std::size_t> kWidths = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 33};

/// Favor's projection need not be orthogonal here.
Features features_of(FeatureMap map, std::size_t width, std::vector<float>& projection, Random& random, std::size_t count = 7) {
  projection.resize(map == FeatureMap::Favor ? count * width : 0);
  for (float& w : projection) w = random.normal();
  return {map, width, map == FeatureMap::Favor ? count : 0, projection.data()};
}

std::vector<float> map_row(const Features& features, const std::vector<float>& x, float scale) {
  constexpr std::size_t kGuard = 8;
  std::vector<float> out(features.count() + kGuard, kPoison);
  write_features(features, x.data(), scale, out.data());
  EXPECT_TRUE(all_poison(std::span(out).last(kGuard)));
  out.resize(features.count());
  return out;
}

Oracle oracle_of(const Features& features, const std::vector<float>& x, float scale) {
  const auto truth = features_ref<double>(features, x.data(), scale);
  Oracle oracle;
  oracle.truth = truth.value;
  oracle.scale = truth.move;
  oracle.plain = features_ref<float>(features, x.data(), scale).value;
  for (std::size_t n = 0; n < truth.value.size(); ++n) oracle.scale[n] += std::abs(truth.value[n]);
  oracle.floor.assign(truth.value.size(), static_cast<double>(std::numeric_limits<float>::min()));
  return oracle;
}

const FeatureMap kMaps[] = {FeatureMap::Identity, FeatureMap::Elu1,   FeatureMap::Relu,  FeatureMap::SquaredRelu,
                            FeatureMap::Exp,      FeatureMap::Taylor, FeatureMap::Favor, FeatureMap::Softmax};

}  // namespace

TEST(FeatureMaps, EveryMapOfEveryWidthAgrees) {
  Random random(1);
  std::vector<float> projection;
  for (const FeatureMap map : kMaps) {
    for (const std::size_t width : kWidths) {
      for (const float scale : {1.0f, 0.3f, -2.0f}) {
        for (const std::size_t count : {1u, 4u, 9u}) {
          const Features features = features_of(map, width, projection, random, count);
          std::vector<float> x(width);
          for (float& number : x) number = 3 * random.normal();
          EXPECT_TRUE(within_tolerance(map_row(features, x, scale), oracle_of(features, x, scale)))
              << static_cast<int>(map) << ", width " << width << ", scale " << scale;
        }
      }
    }
  }
}

TEST(FeatureMaps, ZeroAndFarNumbersAgree) {
  std::vector<float> projection;
  Random random(2);
  for (const FeatureMap map : {FeatureMap::Identity, FeatureMap::Elu1, FeatureMap::Relu, FeatureMap::SquaredRelu}) {
    for (const float x :
         {0.0f, -0.0f, 1e-30f, -1e-30f, 1e-7f, -1e-7f, 87.0f, -87.0f, -104.0f, 1e4f, -1e4f, 1e18f, -1e18f, -kInfinity}) {
      const std::vector<float> row(5, x);
      const Features features = features_of(map, 5, projection, random);
      EXPECT_TRUE(within_tolerance(map_row(features, row, 1.0f), oracle_of(features, row, 1.0f)))
          << static_cast<int>(map) << " " << x;
    }
  }
}

TEST(FeatureMaps, TheProductOfTaylorsIsOnePlusXPlusHalfXSquared) {
  Random random(3);
  for (const std::size_t width : kWidths) {
    const Features features = {FeatureMap::Taylor, width};
    EXPECT_EQ(features.count(), 1 + width + width * width);
    std::vector<float> q(width), k(width);
    for (float& x : q) x = random.normal();
    for (float& x : k) x = random.normal();
    const std::vector<float> a = map_row(features, q, 0.5f), b = map_row(features, k, 1.0f);
    double product = 0, terms = 0, x = 0;
    for (std::size_t f = 0; f < a.size(); ++f) {
      const double term = static_cast<double>(a[f]) * static_cast<double>(b[f]);
      product += term;
      terms += std::abs(term);
    }
    for (std::size_t d = 0; d < width; ++d) x += 0.5 * static_cast<double>(q[d]) * static_cast<double>(k[d]);
    EXPECT_NEAR(product, 1 + x + x * x / 2, kToleranceFactor * static_cast<double>(kEpsilon) * terms) << width;
  }
}

TEST(FeatureMaps, ANanPassesThroughEveryMapAndTouchesNoOtherNumberOfAnElementwiseOne) {
  Random random(4);
  std::vector<float> projection;
  for (const FeatureMap map : kMaps) {
    for (const std::size_t width : kWidths) {
      const Features features = features_of(map, width, projection, random);
      std::vector<float> x(width);
      for (float& number : x) number = random.normal();
      const std::vector<float> clean = map_row(features, x, 1.0f);
      for (std::size_t at = 0; at < width; ++at) {
        std::vector<float> broken = x;
        broken[at] = kNan;
        const std::vector<float> got = map_row(features, broken, 1.0f);
        if (map == FeatureMap::Favor) {
          EXPECT_TRUE(all_nan(got));
          continue;
        }
        const std::size_t first = map == FeatureMap::Taylor ? 1 : 0;
        for (std::size_t d = 0; d < width; ++d) {
          if (d == at) {
            EXPECT_TRUE(std::isnan(got[first + d])) << static_cast<int>(map) << " " << width;
          } else {
            EXPECT_TRUE(same_bits(got[first + d], clean[first + d])) << static_cast<int>(map) << " " << width;
          }
        }
      }
    }
  }
}

TEST(FeatureMaps, ExponentsBecomeFeatures) {
  Random random(5);
  for (const std::size_t count : kWidths) {
    for (const float m : {0.0f, 3.0f, 200.0f, -kInfinity}) {
      std::vector<float> x(count + 4, kPoison);
      Oracle oracle;
      for (std::size_t f = 0; f < count; ++f) {
        x[f] = (std::isfinite(m) ? m : 0) - 3 * std::abs(random.normal());
        const double shifted = static_cast<double>(x[f]) - (std::isfinite(m) ? static_cast<double>(m) : 0);
        oracle.truth.push_back(0.25 * std::exp(shifted));
        oracle.plain.push_back(0.25f * std::exp(x[f] - (std::isfinite(m) ? m : 0)));
        oracle.scale.push_back(oracle.truth[f] * (1 + std::abs(shifted)));
      }
      exponentiate_features(x.data(), count, m, 0.25f);
      EXPECT_TRUE(within_tolerance(std::span(x).first(count), oracle)) << count << " " << m;
      EXPECT_TRUE(all_poison(std::span(x).last(4)));
    }
  }
}

TEST(FeatureMaps, TheHighestOfAnyCountIsFound) {
  Random random(6);
  for (const std::size_t count : kWidths) {
    for (std::size_t at = 0; at < count; ++at) {
      std::vector<float> x(count);
      for (float& number : x) number = -10 + random.uniform(-1, 1);
      x[at] = -8.5f;
      EXPECT_EQ(max_of(x.data(), count), -8.5f);
    }
  }
}

/// Rows of features: what is exponentiated has its highest taken out, of each row (queries) or of all (keys).
TEST(FeatureMaps, RowsOfFeaturesAgree) {
  Random random(7);
  std::vector<float> projection;
  for (const FeatureMap map : kMaps) {
    for (const bool keys : {false, true}) {
      for (const std::size_t rows : {0u, 1u, 5u}) {
        for (const std::size_t width : {1u, 4u, 7u}) {
          const Features features = features_of(map, width, projection, random);
          const std::size_t count = features.count(), stride = width + 3;
          std::vector<float> x(rows * stride, kHuge), out(rows * count + 4, kPoison);
          std::vector<std::vector<double>> truth;
          double highest = -static_cast<double>(kInfinity);
          for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t d = 0; d < width; ++d) x[row * stride + d] = 30 * random.normal();
            truth.push_back(features_ref<double>(features, x.data() + row * stride, 0.1f).value);
            highest = std::max(highest, *std::max_element(truth[row].begin(), truth[row].end()));
          }
          write_feature_rows(features, x.data(), static_cast<std::ptrdiff_t>(stride), rows, 0.1f, keys, out.data());
          EXPECT_TRUE(all_poison(std::span(out).last(4)));
          for (std::size_t row = 0; row < rows; ++row) {
            double sum_of_row = 0;
            const double own = *std::max_element(truth[row].begin(), truth[row].end());
            for (const double e : truth[row]) sum_of_row += std::exp(e);
            for (std::size_t f = 0; f < count; ++f) {
              double sum_of_column = 0, expected = truth[row][f];
              for (const auto& other : truth) sum_of_column += std::exp(other[f]);
              if (features.is_stabilized())
                expected = static_cast<double>(features.weight()) * std::exp(expected - (keys ? highest : own));
              if (map == FeatureMap::Softmax) expected = std::exp(expected) / (keys ? sum_of_column : sum_of_row);
              EXPECT_NEAR(out[row * count + f], expected, 1e-5 * std::abs(expected) + 1e-30) << static_cast<int>(map) << keys;
            }
          }
        }
      }
    }
  }
}

TEST(FeatureMaps, SoftmaxOfARowSumsToOne) {
  Random random(8);
  for (const std::size_t count : kWidths) {
    std::vector<float> x(count + 4, kPoison);
    for (std::size_t f = 0; f < count; ++f) x[f] = 40 * random.normal() + 500;
    softmax_features(x.data(), count);
    double sum = 0;
    for (std::size_t f = 0; f < count; ++f) sum += static_cast<double>(x[f]);
    EXPECT_NEAR(sum, 1.0, 4 * static_cast<double>(kEpsilon));
    EXPECT_TRUE(all_poison(std::span(x).last(4)));
  }
}

}  // namespace fovea::test

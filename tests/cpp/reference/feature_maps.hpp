#pragma once
/// The feature maps of linear attention as their papers write them, one row at a time, y = scale x:
///   identity y      elu1 y > 0 ? y + 1 : exp(y) (arXiv:2006.16236)      relu max(y, 0)      squaredRelu max(y, 0)²
///   exp exp(y)      taylor (1, y, vec(y yᵀ) / √2) (arXiv:2402.18668)     softmax: see linear.hpp
///   favor exp(w[f] · y - |y|²/2) / √F (arXiv:2009.14794)
/// The exponents alone of exp, favor and softmax. In double it is the oracle, in float the plain definition.

#include "linear_attention/feature_maps.hpp"
#include "support/tolerance.hpp"

namespace fovea::test {

/// The error that an eps in each step of the map adds to its results, or to its exponents.
template <class Real>
struct FeaturesRef {
  std::vector<Real> value;
  std::vector<double> move;
};

template <class Real>
void push_favor_ref(const Features& features, const float* x, Real scale, FeaturesRef<Real>& row) {
  Real squares = 0;
  for (std::size_t d = 0; d < features.width; ++d) squares += scale * static_cast<Real>(x[d]) * scale * static_cast<Real>(x[d]);
  for (std::size_t f = 0; f < features.random; ++f) {
    Real dot = 0;
    double terms = 0;
    for (std::size_t d = 0; d < features.width; ++d) {
      const Real term = static_cast<Real>(features.projection[f * features.width + d]) * scale * static_cast<Real>(x[d]);
      dot += term;
      terms += static_cast<double>(std::abs(term));
    }
    row.value.push_back(dot - squares / 2);
    row.move.push_back(terms + static_cast<double>(squares));
  }
}

template <class Real>
FeaturesRef<Real> features_ref(const Features& features, const float* x, float scale_of_x) {
  const auto scale = static_cast<Real>(scale_of_x);
  FeaturesRef<Real> row;
  const auto push = [&row](Real value, double move) {
    row.value.push_back(value);
    row.move.push_back(move);
  };
  if (features.map == FeatureMap::Favor) {
    push_favor_ref(features, x, scale, row);
    return row;
  }
  if (features.map == FeatureMap::Taylor) push(1, 0);
  for (std::size_t d = 0; d < features.width; ++d) {
    const Real y = scale * static_cast<Real>(x[d]);
    const auto size = static_cast<double>(std::abs(y));
    switch (features.map) {
      case FeatureMap::Elu1:
        y > 0 ? push(y + 1, size + 1) : push(std::exp(y), static_cast<double>(std::exp(y)) * (1 + size));
        break;
      case FeatureMap::Relu: push(y < 0 ? 0 : y, y < 0 ? 0 : size); break;
      case FeatureMap::SquaredRelu: push(y < 0 ? 0 : y * y, y < 0 ? 0 : 3 * size * size); break;
      default: push(y, size);
    }
  }
  if (features.map != FeatureMap::Taylor) return row;
  for (std::size_t i = 0; i < features.width; ++i) {
    for (std::size_t j = 0; j < features.width; ++j) {
      const Real product = scale * static_cast<Real>(x[i]) * scale * static_cast<Real>(x[j]) / std::sqrt(Real{2});
      push(product, 3 * static_cast<double>(std::abs(product)));
    }
  }
  return row;
}

}  // namespace fovea::test

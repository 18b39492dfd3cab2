#pragma once
/// Factors of the weights as they are defined, one pair at a time.
///   w[i,j] <- w[i,j] f(i,j)     f = the array's entry, or exp(-(j - center)² / (2 sigma²))       (arXiv:1508.04025 eq. 10)
/// 1 where the call has none, and for appended keys unless it includes them. A weight of 0 stays 0.

#include <cmath>

#include "attention/attention.hpp"

namespace fovea::test {

template <class Real>
Real weight_scale_ref(const AttentionArgs& args, std::size_t b, std::size_t h, std::size_t i, std::size_t j) {
  const WeightScale& scale = args.variant.weight_scale;
  if (!scale.is_given() || (j >= args.positioned_keys() && !scale.of_appended)) return 1;
  if (scale.pairs.data != nullptr) {
    return static_cast<Real>(scale.pairs.row(b, h, i)[static_cast<std::ptrdiff_t>(j) * scale.pairs.key]);
  }
  const auto sigma = static_cast<Real>(scale.sigma.at(b, h, i));
  const Real away = static_cast<Real>(j) - static_cast<Real>(scale.center.at(b, h, i));
  return std::exp(-(away * away) / (2 * sigma * sigma));
}

template <class Real>
Real scaled_ref(const AttentionArgs& args, std::size_t b, std::size_t h, std::size_t i, std::size_t j, Real weight) {
  return weight == 0 ? 0 : weight * weight_scale_ref<Real>(args, b, h, i, j);
}

/// |f|, and by how much it moves relative to itself, per eps: an exponential by its exponent's size.
struct ScaleCondition {
  double factor, moves = 0;

  ScaleCondition(const AttentionArgs& args, std::size_t b, std::size_t h, std::size_t i, std::size_t j)
      : factor(std::abs(weight_scale_ref<double>(args, b, h, i, j))) {
    if (!std::isfinite(factor)) factor = 0;  // of a weight of 0, or the result is not finite either
    const bool is_gaussian = args.variant.weight_scale.center.data != nullptr;
    if (is_gaussian && factor > 0) moves = 1 - std::log(factor);
  }
};

}  // namespace fovea::test

#pragma once
/// How far a float32 kernel may be from the truth:
///   err(kernel) <= 2 * err(plain) + c * eps * scale + floor        eps = 2^-23
/// `truth` is the definition in double, `plain` the same definition in float32 loops as one would write them first, and err
/// the distance from the truth.
///   2 * err(plain)  The kernel sums in another order than the plain loops. Neither order is better, so that the errors are
///                   of one size; flash-attention's tests took the factor 2 from there. err(plain) is the largest of a line
///                   (a row of the output), as in one element the plain loop may be right by luck.
///   c * eps * scale What one rounding of every intermediate may cost when the plain loop was lucky on the whole line.
///                   `scale` is the first-order condition of the result, written beside each reference: how much the result
///                   moves, per eps, when every term it is made of is off by one eps of its own size. It is no free number:
///                   a row decided by one key has a tiny scale however large its logits are.
///   floor           A weight below the smallest normal float may be flushed to zero.
/// c = 8 throughout: 2 eps for exp, 2 for tanh, the rest for the products and sums around them.

#include "support/bits.hpp"

namespace fovea::test {

inline constexpr double kToleranceFactor = 8;

struct Oracle {
  std::vector<double> truth;
  std::vector<double> scale;
  std::vector<double> floor;  // empty = 0
  std::vector<float> plain;
  std::size_t line = 1;  // elements that share their err(plain)
};

/// NaN must meet NaN, an infinity itself; everything else the rule above. The worst element is reported.
inline testing::AssertionResult within_tolerance(std::span<const float> actual, const Oracle& oracle,
                                                 double factor = kToleranceFactor) {
  const std::size_t n = oracle.truth.size();
  if (actual.size() != n) return testing::AssertionFailure() << actual.size() << " results, " << n << " expected";
  double worst = 0;
  std::size_t where = n;
  double allowed_there = 0;
  for (std::size_t first = 0; first < n; first += oracle.line) {
    const std::size_t end = std::min(n, first + oracle.line);
    double plain_error = 0;
    for (std::size_t i = first; i < end; ++i) {
      if (std::isfinite(oracle.truth[i])) plain_error = std::max(plain_error, std::abs(oracle.plain[i] - oracle.truth[i]));
    }
    if (!std::isfinite(plain_error)) {
      return testing::AssertionFailure() << "the plain float32 definition overflows at line " << first / oracle.line
                                         << ": this case has no float32 answer to compare with";
    }
    for (std::size_t i = first; i < end; ++i) {
      const double truth = oracle.truth[i];
      const auto got = static_cast<double>(actual[i]);
      const bool special = !std::isfinite(truth);
      if (is_poison(actual[i]) || (special && !(std::isnan(truth) ? std::isnan(got) : got == truth)) ||
          (!special && !std::isfinite(got))) {
        return testing::AssertionFailure() << "[" << i << "] of " << n << ": got " << got
                                           << (is_poison(actual[i]) ? " (never written)" : "") << ", truth " << truth;
      }
      if (special) continue;
      const double floor = oracle.floor.empty() ? 0 : oracle.floor[i];
      const double allowed = 2 * plain_error + factor * static_cast<double>(kEpsilon) * oracle.scale[i] + floor;
      const double error = std::abs(got - truth);
      const double ratio = error == 0 ? 0 : allowed == 0 ? std::numeric_limits<double>::infinity() : error / allowed;
      if (ratio > worst) {
        worst = ratio;
        where = i;
        allowed_there = allowed;
      }
    }
  }
  if (worst <= 1) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "[" << where << "] of " << n << ": got " << actual[where] << ", truth "
                                     << oracle.truth[where] << ", plain " << oracle.plain[where] << "; error "
                                     << std::abs(actual[where] - oracle.truth[where]) << " is " << worst
                                     << " times the allowed " << allowed_there;
}

}  // namespace fovea::test

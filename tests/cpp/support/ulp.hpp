#pragma once
/// The distance of a float from a real number, in units of the float's last place there.

#include "support/bits.hpp"

namespace fovea::test {

/// |actual - truth| in ULP of the binade of `truth`; below the normal range the ULP is that of the smallest normal number.
inline double ulp_distance(float actual, double truth) noexcept {
  if (std::isnan(truth) || std::isnan(actual)) return std::isnan(truth) && std::isnan(actual) ? 0 : kInfinity;
  if (std::isinf(truth) || std::isinf(actual)) return truth == static_cast<double>(actual) ? 0 : kInfinity;
  int exponent = -126;
  if (truth != 0) exponent = std::max(exponent, std::ilogb(truth));
  return std::abs(static_cast<double>(actual) - truth) / std::ldexp(1.0, exponent - 23);
}

}  // namespace fovea::test

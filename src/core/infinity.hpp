#pragma once
/// The score of a forbidden pair, the maximum of no scores at all, and the logarithm of a sum of nothing.

#include <limits>

namespace fovea {

inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

}  // namespace fovea

#pragma once
/// Bit patterns: the values that make a stray read or a missing write visible, and comparison byte for byte.

#include <bit>

#include "pch.hpp"

namespace fovea::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kEpsilon = std::numeric_limits<float>::epsilon();  // 2^-23

/// Finite and so large that one stray read drowns any result.
inline constexpr float kHuge = 3.0e38f;

/// Fills outputs, their surroundings and workspaces before a call: a NaN that no arithmetic makes.
inline constexpr std::uint32_t kPoisonBits = 0x7FC0BEEFu;
inline const float kPoison = std::bit_cast<float>(kPoisonBits);

inline std::uint32_t bits_of(float x) noexcept { return std::bit_cast<std::uint32_t>(x); }
inline bool is_poison(float x) noexcept { return bits_of(x) == kPoisonBits; }
inline bool is_positive_zero(float x) noexcept { return bits_of(x) == 0; }

/// All NaNs count as equal, but for the poison: it is never a result.
inline bool same_bits(float a, float b) noexcept {
  if (is_poison(a) || is_poison(b)) return is_poison(a) && is_poison(b);
  return (std::isnan(a) && std::isnan(b)) || bits_of(a) == bits_of(b);
}

inline testing::AssertionResult same_bits(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) return testing::AssertionFailure() << "sizes " << a.size() << " and " << b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (same_bits(a[i], b[i])) continue;
    return testing::AssertionFailure() << "[" << i << "] of " << a.size() << ": " << a[i] << " (0x" << std::hex << bits_of(a[i])
                                       << ") and " << b[i] << " (0x" << bits_of(b[i]) << ")";
  }
  return testing::AssertionSuccess();
}

template <class Predicate>
testing::AssertionResult all_of(std::span<const float> values, const char* claim, Predicate holds) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!holds(values[i])) {
      return testing::AssertionFailure() << "[" << i << "] of " << values.size() << " is " << values[i] << ", not " << claim;
    }
  }
  return testing::AssertionSuccess();
}

inline testing::AssertionResult all_zero(std::span<const float> values) { return all_of(values, "+0", is_positive_zero); }
inline testing::AssertionResult all_poison(std::span<const float> values) { return all_of(values, "untouched", is_poison); }
inline testing::AssertionResult all_nan(std::span<const float> values) {
  return all_of(values, "NaN", [](float x) { return std::isnan(x) && !is_poison(x); });
}
inline testing::AssertionResult all_equal(std::span<const float> values, float expected) {
  return all_of(values, std::to_string(expected).c_str(), [expected](float x) { return x == expected; });
}

}  // namespace fovea::test

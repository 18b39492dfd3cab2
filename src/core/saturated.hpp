#pragma once
/// Sizes of memory, which must not wrap: in WebAssembly std::size_t has 32 bits, and a product of a few counts passes even 64.
/// They are computed in 64 bits and stay at kLargestSize, which no memory has, where the result is beyond that.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace fovea {

inline constexpr std::uint64_t kLargestSize = ~std::uint64_t{0};

/// Counts of elements are below this, or clamped to it: they can be rounded up and doubled in std::size_t. No memory holds
/// that many floats.
inline constexpr std::size_t kLargestCount = ~std::size_t{0} / 2;

[[nodiscard]] constexpr std::size_t clamped_count(std::uint64_t count) noexcept {
  return static_cast<std::size_t>(std::min<std::uint64_t>(count, kLargestCount));
}

/// The product of the counts, at most kLargestSize; 0 if one of them is 0.
template <std::unsigned_integral... Counts>
[[nodiscard]] constexpr std::uint64_t saturated_product(Counts... counts) noexcept {
  std::uint64_t product = 1;
  bool overflows = false, is_zero = false;
  const auto multiply = [&](std::uint64_t count) {
    is_zero = is_zero || count == 0;
    overflows = __builtin_mul_overflow(product, count, &product) || overflows;
  };
  (multiply(counts), ...);
  return is_zero ? 0 : overflows ? kLargestSize : product;
}

/// The sum of the counts, at most kLargestSize.
template <std::unsigned_integral... Counts>
[[nodiscard]] constexpr std::uint64_t saturated_sum(Counts... counts) noexcept {
  std::uint64_t sum = 0;
  const auto add = [&](std::uint64_t count) { sum = count > kLargestSize - sum ? kLargestSize : sum + count; };
  (add(counts), ...);
  return sum;
}

}  // namespace fovea

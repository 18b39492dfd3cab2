#pragma once
/// Sets of up to 64 things as the bits of a word.

#include <cstddef>
#include <cstdint>

namespace fovea {

/// Bits [from, to) of 64; none where from >= to.
constexpr std::uint64_t bit_range(std::size_t from, std::size_t to) noexcept {
  return from >= to ? 0 : (~std::uint64_t{0} >> (64 - (to - from))) << from;
}

}  // namespace fovea

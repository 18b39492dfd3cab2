#pragma once
/// Rows of half floats (IEEE binary16, as bits), to float32 and back: exact one way, to nearest even the other (simd/half.hpp).

#include <cstddef>
#include <cstdint>

namespace fovea {

/// floats[i] <- halves[i], i < count
void from_halves(const std::uint16_t* halves, std::size_t count, float* floats) noexcept;

/// halves[i] <- floats[i], i < count
void to_halves(const float* floats, std::size_t count, std::uint16_t* halves) noexcept;

}  // namespace fovea

#pragma once
/// Rows of float16 (IEEE binary16, as bits), to float32 and back: exact one way, to nearest even the other (simd/float16.hpp).

#include <cstddef>
#include <cstdint>

namespace fovea {

/// floats[i] <- f16[i], i < count
void from_float16(const std::uint16_t* f16, std::size_t count, float* floats) noexcept;

/// Converts finite numbers alone, several times as fast where few are subnormal: floats[i] <- f16[i], i < count
void from_finite_float16(const std::uint16_t* f16, std::size_t count, float* floats) noexcept;

/// f16[i] <- floats[i], i < count
void to_float16(const float* floats, std::size_t count, std::uint16_t* f16) noexcept;

}  // namespace fovea

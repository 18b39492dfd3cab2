#pragma once
/// Four lanes to one float. NaN in any lane makes the sum NaN; the maximum may miss it.

#include "simd/batch.hpp"

namespace fovea::simd {

inline float reduce_add(f32 x) noexcept { return xsimd::reduce_add(x); }
inline float reduce_max(f32 x) noexcept { return xsimd::reduce_max(x); }

}  // namespace fovea::simd

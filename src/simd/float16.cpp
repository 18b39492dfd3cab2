#include "simd/float16.hpp"

namespace fovea::simd {

const std::int32_t kFloat16Bits = static_cast<std::int32_t>(0x8FFFE000);

const Float16Constants kFloat16 = {
    .magnitude = 0x0FFFE000,
    .raise = 224 << 23,
    .sign = static_cast<std::int32_t>(0x80000000),
    .lower = -0x1p98f,
    .scale = 0x1p-112f,
};

}  // namespace fovea::simd

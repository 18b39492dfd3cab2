#include "simd/float16.hpp"

namespace fovea::simd {

const std::int32_t kFloat16Bits = static_cast<std::int32_t>(0x8FFFE000);

}  // namespace fovea::simd

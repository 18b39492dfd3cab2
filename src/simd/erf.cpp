#include "simd/erf.hpp"

namespace fovea::simd {

const NormalConstants kNormal = {
    .slope = 0.34375f,
    .half = 0.5f,
    .p = {0x1.3656bap-23f, 0x1.18cfbcp-3f, 0x1.19ce38p-3f, 0x1.dca0c0p-4f, 0x1.d3559ep-4f, -0x1.5de860p-5f, 0x1.915c84p-3f,
          -0x1.1ae9c6p-2f, 0x1.2b4d10p-3f, -0x1.cfa948p-6f},
};

}  // namespace fovea::simd

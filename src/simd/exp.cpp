#include "simd/exp.hpp"

namespace fovea::simd {

const ExpConstants kExp = {
    .lowest = -88.0f,
    .round = 0x1.8p23f,
    .log2e = 0x1.715476p+0f,
    .minus_ln2_high = -0x1.62ep-1f,
    .minus_ln2_low = -0x1.0bfbe8p-15f,
    .p = {0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.123a2p-7f, 0x1.6a23dp-10f},
    .one = 1.0f,
    .tiny = 0x1p-30f,
};

}  // namespace fovea::simd

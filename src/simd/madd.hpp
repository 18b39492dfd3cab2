#pragma once
/// a*b + c: the one operation in which the relaxed tier differs. There the engine may round once (fused) or twice; elsewhere
/// it is a product and a sum, rounded each, the same in every engine. xsimd's own fma does not use relaxed SIMD.

#include "simd/batch.hpp"

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace fovea::simd {

/// Whether madd is one instruction, which needs no register for the product.
#ifdef __wasm_relaxed_simd__
inline constexpr bool kMaddIsOne = true;
#else
inline constexpr bool kMaddIsOne = false;
#endif

inline f32 madd(f32 a, f32 b, f32 c) noexcept {
#ifdef __wasm_relaxed_simd__
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace fovea::simd

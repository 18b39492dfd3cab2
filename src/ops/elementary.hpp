#pragma once
/// Elementary functions, element by element: |x|, exp(x), ln x. In place allowed.
/// exp: of -inf 0, of more than 88.72 infinity; ln: -inf of 0, NaN of less.
/// Accuracy: |x| exact; exp within 2 ULP, above 87 within 5, below -87.33 as simd/exp.hpp; ln computed in double, then rounded.
/// Determinism: an element's bits depend on nothing else.

#include <cstddef>
#include <cstdint>

namespace fovea {

enum class Elementary : std::uint32_t { Abs, Exp, Log };

void elementary(Elementary kind, const float* x, std::size_t count, float* y) noexcept;

}  // namespace fovea

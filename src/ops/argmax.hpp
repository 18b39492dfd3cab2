#pragma once
/// Where the largest number of each line stands.
///   y[o, i] = the lowest l whose x[o, l, i] is the maximum over l; that of the first NaN, where there is one (as PyTorch, NumPy)
/// Determinism: exact; threads share out lines.
/// Shapes: x [outer, length, inner], y [outer, inner].   Requires: length from 1 to 2^31 - 1.   -0 and 0 are equal.

#include <cstddef>
#include <cstdint>

#include "core/thread_pool.hpp"

namespace fovea {

void argmax(const float* x, std::size_t outer, std::size_t length, std::size_t inner, std::int32_t* y,
            ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

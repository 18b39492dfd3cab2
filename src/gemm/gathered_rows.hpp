#pragma once
/// Products of one vector with a few rows that are listed, wherever they lie: nothing is packed.

#include <cstddef>

#include "gemm/panels.hpp"

namespace fovea {

/// out[n] = x · rows[n] for n < count; up to three entries after them are overwritten.
void gathered_dots(const float* x, SourceRows rows, std::size_t count, std::size_t width, float* out) noexcept;

/// o <- o + Σ_n p[n] rows[n] where bit n of `chosen` is set, in the order of n; other rows are not read.
void gathered_axpy(const float* p, std::uint64_t chosen, SourceRows rows, std::size_t count, std::size_t width,
                   float* o) noexcept;

}  // namespace fovea

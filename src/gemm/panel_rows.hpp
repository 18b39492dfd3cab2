#pragma once
/// A few rows, as they lie in memory, times column panels (panels.hpp): the product of one step of a recurrent layer, one row for
/// each sequence. Fewer rows than a register tile has take more panels at once.

#include <cstddef>

namespace fovea {

/// out[r][0 .. 8·panels) <- start[·] + Σ_d rows[r][d] b[panel][d][·], r < count, the sum in order from `start` on (null = 0).
/// An element depends on its row, its column and its start alone: not on `count`.
void multiply_rows_by_panels(const float* rows, std::size_t stride, std::size_t count, const float* b, std::size_t depth,
                             std::size_t panels, const float* start, float* out, std::size_t out_stride) noexcept;

}  // namespace fovea

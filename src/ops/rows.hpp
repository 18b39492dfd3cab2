#pragma once
/// Products of one vector with up to 64 rows as they lie in memory: nothing is packed, as each row is used once or a few
/// times. What these two read is what they cost. Rows are walked in four streams, 0, 16, 32, 48, 1, 17, ...: that reads
/// memory faster than one stream does, and the order of every sum is the same for 64 rows as for fewer.

#include <cstddef>
#include <cstdint>

namespace fovea {

inline constexpr std::size_t kMostRows = 64;

/// out[j] = x · rows[j], j < count; rows are `stride` apart, and contiguous along `width`. Later entries of out, up to 64, may
/// be overwritten.
void multiply_rows(const float* x, const float* rows, std::ptrdiff_t stride, std::size_t count, std::size_t width,
                   float* out) noexcept;

/// o <- o + Σ_j p[j] rows[j] over the rows j whose bit is set in `chosen`. Others are not read.
void accumulate_chosen_rows(const float* p, std::uint64_t chosen, const float* rows, std::ptrdiff_t stride, std::size_t width,
                            float* o) noexcept;

}  // namespace fovea

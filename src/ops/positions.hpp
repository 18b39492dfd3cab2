#pragma once
/// Vectors that tell positions p = start + t apart.
///   sinusoidal, with angle a_i = p base^(-2i / D):
///     Interleaved    sin a_0, cos a_0, sin a_1, cos a_1, ...                  (arXiv:1706.03762, §3.5)
///     SplitHalf      sin a_0, sin a_1, ..., cos a_0, cos a_1, ...
///     Tensor2Tensor  SplitHalf with a_i = p base^(-i / (h - 1)), h = floor(D / 2); an odd D ends with 0, as in that library
///   of the first two an odd D leaves out the last cosine.
///   table_rows: rows of a learned table.
/// Shapes: out [T, D]; table [rows, D]; ids [T], or null: start + t.   Errors: Status::Value, for an id outside of the table.
/// Accuracy: angles, sines and cosines in double, rounded once.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"

namespace fovea {

enum class SinusoidalForm : std::uint32_t { Interleaved, SplitHalf, Tensor2Tensor };

void sinusoidal(SinusoidalForm form, double base, std::int32_t start, std::size_t tokens, std::size_t width,
                float* out) noexcept;

[[nodiscard]] Status table_rows(const float* table, std::size_t rows, std::size_t width, const std::int32_t* ids,
                                std::int32_t start, std::size_t tokens, float* out) noexcept;

}  // namespace fovea

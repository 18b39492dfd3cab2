#pragma once
/// Sums, differences and products of two arrays, element by element, broadcast by NumPy's rule.
///   y = scale · (a + b)      y = scale · (a - b)      y = scale · (a b)
/// Shapes: y is row-major and has the lengths of the axes, outermost first. a and b are walked by strides, counted in floats:
///   0 where an axis repeats; on the last axis 0 or 1. No axes: one element. At most kMaxArithmeticAxes.
/// Accuracy: a difference or product in float32, rounded, then the scale. In place is not allowed.
/// Determinism: an element's bits depend on nothing else; threads share out chunks of constant size.

#include <cstddef>
#include <cstdint>

#include "core/thread_pool.hpp"

namespace fovea {

enum class Arithmetic : std::uint32_t { Add, Subtract, Multiply };

inline constexpr std::size_t kMaxArithmeticAxes = 64;

struct ArithmeticArgs {
  Arithmetic kind = Arithmetic::Add;
  float scale = 1.0f;
  std::size_t rank = 0;
  const std::int32_t* lengths = nullptr;  // [rank], as the strides
  const std::int32_t* a_strides = nullptr;
  const std::int32_t* b_strides = nullptr;
  const float* a = nullptr;
  const float* b = nullptr;
  float* y = nullptr;
};

void arithmetic(const ArithmeticArgs& args, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

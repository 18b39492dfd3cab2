#pragma once
/// Two arrays element by element, broadcast by NumPy's rule.
///   y = scale · (a + b)      y = scale · (a - b)      y = scale · (a b)      y = a / b      y = min(a, b)      y = max(a, b)
/// Shapes: y is row-major and has the lengths of the axes; a and b are walked by strides, on the last axis 0 or 1.
/// min and max: NaN where either is NaN; of two zeros either.
/// Accuracy: a result in float32, rounded, then the scale. In place is not allowed.
/// Determinism: an element's bits depend on nothing else; threads share out chunks of constant size.

#include <cstddef>
#include <cstdint>

#include "core/thread_pool.hpp"
#include "ops/row_walk.hpp"

namespace fovea {

enum class Arithmetic : std::uint32_t { Add, Subtract, Multiply, Divide, Minimum, Maximum };

struct ArithmeticArgs {
  Arithmetic kind = Arithmetic::Add;
  float scale = 1.0f;
  SharedAxes<2> axes;  // of a and b
  const float* a = nullptr;
  const float* b = nullptr;
  float* y = nullptr;
};

void arithmetic(const ArithmeticArgs& args, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

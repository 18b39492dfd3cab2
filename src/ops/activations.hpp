#pragma once
/// Activation functions, element by element.
///   relu       max(x, 0)
///   gelu       x Φ(x), Φ of the normal distribution                                      (arXiv:1606.08415, §2)
///   geluTanh   x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2, as x sigmoid(2√(2/π) (...))   (arXiv:1606.08415, §2)
///   silu       x sigmoid(p x)                                                            (arXiv:1702.03118; p: 1710.05941)
///   elu        x where x > 0, else p (exp(x) - 1)                                        (arXiv:1511.07289, eq. 1)
///   leakyRelu  x where x >= 0, else p x
///   tanh, sigmoid
/// Shapes: `rows` runs of `columns` floats, x's `x_row` apart, y's one after another. In place allowed where x is so, too.
/// NaN gives NaN, -inf its limit: 0 of gelu and silu, -p of elu.
/// Accuracy, in relative error: elu 4 eps, silu and gelu 10 eps, geluTanh 10 eps + 4 eps |2√(2/π) (x + 0.044715 x³)|; results
///   below the smallest normal number times max(1, |x|) may be 0. tanh and sigmoid as in src/simd.
/// Determinism: an element's bits depend on nothing else; threads share out chunks.

#include <cstddef>
#include <cstdint>

#include "core/thread_pool.hpp"
#include "gemm/matmul.hpp"

namespace fovea {

enum class Activation : std::uint32_t { None, Relu, Gelu, GeluTanh, Silu, Elu, LeakyRelu, Tanh, Sigmoid };

/// Which, and its number p.
struct ActivationArgs {
  Activation kind = Activation::None;
  float parameter = 0.0f;
};

/// y <- f(x) of one run.
void activate(const ActivationArgs& function, const float* x, std::size_t count, float* y) noexcept;

/// The function as the end of a product of matrices; `function` outlives it.
[[nodiscard]] RowEpilogue epilogue_of(const ActivationArgs& function) noexcept;

void activate_rows(const ActivationArgs& function, const float* x, std::ptrdiff_t x_row, std::size_t rows, std::size_t columns,
                   float* y, ThreadPool* pool = nullptr) noexcept;

/// Gated linear units: y <- a · f(b), of runs of 2 × `half` floats, a before b (arXiv:2002.05202, eq. 5; glu:
/// arXiv:1612.08083).
void gate_rows(const ActivationArgs& function, const float* x, std::size_t rows, std::size_t half, float* y,
               ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

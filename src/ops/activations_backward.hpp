#pragma once
/// Gradients of ops/activations.hpp: dX += dY f'(x).
///   relu       1 where x > 0, else 0                      gelu       Φ(x) + x φ(x)
///   geluTanh   σ(u) + x σ(u) σ(-u) u',  u = 2√(2/π) (x + 0.044715 x³)
///   silu       σ(z) + z σ(z) σ(-z),  z = p x              elu        1 where x > 0, else p exp(x)
///   leakyRelu  1 where x > 0, else p                      tanh       4 σ(2x) σ(-2x)
///   sigmoid    σ(x) σ(-x)
/// A call that wrote y over x leaves the result alone, which tells the derivative of tanh, sigmoid and relu: 1 - y², y (1 - y), 1 where y > 0.
/// Shapes: x as in the call, and d_x at its strides; d_y as y.  Gates: y = a f(b), dA += dY f(b), dB += dY a f'(b).
/// In place, d_x = d_y: dY is replaced, where x is contiguous.  `fresh`: d_x is written and not read, 0 before.
/// Accuracy: the derivative within 8 eps of max(1, |p|) in absolute terms, of tanh and sigmoid 16 eps of itself; then a product, and a sum.
/// Determinism: an element's bits depend on nothing else; threads share out rows.

#include <cstddef>

#include "core/thread_pool.hpp"
#include "ops/activations.hpp"

namespace fovea {

struct ActivationBackwardArgs {
  ActivationArgs function;
  const float* x = nullptr;
  std::ptrdiff_t x_row = 0;
  std::size_t rows = 0, columns = 0;
  bool x_is_result = false;  // x was overwritten by y
  const float* d_y = nullptr;
  float* d_x = nullptr;
  bool fresh = false;
};

/// Status::Value: of a function whose result does not tell the derivative.
[[nodiscard]] Status activate_rows_backward(const ActivationBackwardArgs& args, ThreadPool* pool = nullptr) noexcept;

/// x, d_x [rows, 2 half]; d_y [rows, half].
void gate_rows_backward(const ActivationArgs& function, const float* x, std::size_t rows, std::size_t half, const float* d_y,
                        float* d_x, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

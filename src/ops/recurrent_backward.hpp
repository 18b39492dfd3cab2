#pragma once
/// Gradients of ops/recurrent.hpp, by backpropagation through time.
/// The states before all tokens are known from the call's output, so that the gates of all tokens are computed again by one product;
/// then the gradient of the state goes from token to token, and those of the weights are products over all tokens.
/// Shapes: as in the call, of which output is read; gradients at the strides of their arrays. A null gradient of an input is not
///   wanted, one of a result is 0. Padding receives nothing, and its d_output is not read.
/// Errors: Status::Shape, Status::Memory.   Workspace: recurrent_backward_workspace_bytes(), some (I + P + 2 G Hd) T B floats.
/// Accuracy: products as gemm/matmul_backward.hpp; errors grow with T as those of the gradient of the plain float32 loops.
/// Determinism: bits depend on the call alone.

#include "ops/recurrent.hpp"

namespace fovea {

struct RecurrentDirectionGradients {
  float* weight_ih = nullptr;
  float* weight_hh = nullptr;
  float* bias_ih = nullptr;
  float* bias_hh = nullptr;
  float* weight_hr = nullptr;
  float* initial_hidden = nullptr;
  float* initial_cell = nullptr;
  const float* hidden = nullptr;  // of the last state
  const float* cell = nullptr;
};

struct RecurrentBackwardArgs {
  RecurrentArgs forward;
  const float* d_output = nullptr;
  float* d_x = nullptr;
  std::array<RecurrentDirectionGradients, 2> directions{};  // as those of the call
};

[[nodiscard]] std::uint64_t recurrent_backward_workspace_bytes(const RecurrentBackwardArgs& args,
                                                               std::size_t threads = 1) noexcept;

[[nodiscard]] Status recurrent_backward(const RecurrentBackwardArgs& args, Workspace workspace,
                                        ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

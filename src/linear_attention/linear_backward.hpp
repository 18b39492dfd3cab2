#pragma once
/// Gradients of linear attention (linear_attention/linear_attention.hpp) of the linear rule, from an empty state.
///   With u[i] = output_scale dOut[i] / D[i], c[i] = -(dOut[i] · out[i]) / D[i] (not normalized: D = 1, c = 0), over pairs (i, j) that
///   see each other:
///   dφ(q[i]) = Σ_j (u[i] · v[j] + c[i]) φ(k[j]),   dφ(k[j]) = Σ_i (u[i] · v[j] + c[i]) φ(q[i]),   dv[j] = Σ_i (φ(q[i]) · φ(k[j])) u[i]
/// as sums of states: of φ(k) [v, 1]ᵀ over the keys before a query, of φ(q) [u, c]ᵀ over the queries behind a key; then through the
/// feature maps. Keys and values from key_lengths[b] on receive nothing.
/// Shapes: as in the call, of which output is read; d_output at its strides, d_q, d_k, d_v at those of q, k, v; null: not wanted.
/// Stabilizers of exponential features: of each feature the largest exponent of all keys. Where causal, exponents of a feature that
///   rise by more than 80 in one call are beyond float32's range, and their gradients not finite.
/// Errors: Status::Value, for another rule or a call that begins with a state; Status::Shape, Status::Memory.
/// Workspace: linear_backward_workspace_bytes(), some (2 F + Dv) (Tq + 2 Tk) floats for each thread.
/// Accuracy: float32; products as gemm/matmul.hpp, chunks of 64 tokens added in order.
/// Determinism: bits depend neither on threads nor on other heads.

#include "linear_attention/linear_attention.hpp"

namespace fovea {

struct LinearBackwardArgs {
  LinearArgs forward;
  const float* d_output = nullptr;
  float* d_q = nullptr;
  float* d_k = nullptr;
  float* d_v = nullptr;
};

[[nodiscard]] std::uint64_t linear_backward_workspace_bytes(const LinearBackwardArgs& args, std::size_t threads = 1) noexcept;

[[nodiscard]] Status linear_attention_backward(const LinearBackwardArgs& args, Workspace workspace,
                                               ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

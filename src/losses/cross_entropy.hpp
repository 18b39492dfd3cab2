#pragma once
/// Cross entropy of logits and classes, the weighted mean over rows.
///   nll[r] = ln Σ_j exp(x[r,j]) - x[r, target[r]],   loss = Σ_r w[r] nll[r] / Σ_r w[r],   w = 1 without weights
///   dX[r,j] += dLoss w[r] / Σ w (softmax(x[r])[j] - [j = target[r]])
/// Rows whose target is `ignore_index`, and rows of weight 0, are left out: whatever their logits are, they receive nothing. Without
/// any other row the loss is NaN.
/// Shapes: x [rows, classes], `x_row` floats apart, d_x alike; targets, weights [rows], weights null: 1; statistics [rows, 2], which
///   the loss writes and the gradient reads: the maximum of a row, 1 / Σ exp(x - maximum).
/// Errors: Status::Value, for a target that is neither a class nor ignore_index; Status::Memory. Nothing is written then.
/// Workspace: cross_entropy_workspace_bytes(rows).
/// Accuracy: exponentials and their sum in float32; logarithms, the loss and the factor of dX in double, rounded once.
/// Determinism: bits depend on the call alone; threads share out rows.
/// Differs from torch.nn.functional.cross_entropy with reduction 'mean' in its weights, which are of rows and not of classes.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

struct CrossEntropyArgs {
  std::size_t rows = 0, classes = 0;
  const float* x = nullptr;
  std::ptrdiff_t x_row = 0;
  const std::int32_t* targets = nullptr;
  std::int32_t ignore_index = -100;
  const float* weights = nullptr;
  float* statistics = nullptr;
};

[[nodiscard]] std::uint64_t cross_entropy_workspace_bytes(std::size_t rows) noexcept;

[[nodiscard]] Status cross_entropy(const CrossEntropyArgs& args, float* loss, Workspace workspace,
                                   ThreadPool* pool = nullptr) noexcept;

/// d_loss [1].
[[nodiscard]] Status cross_entropy_backward(const CrossEntropyArgs& args, const float* d_loss, float* d_x, Workspace workspace,
                                            ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

#pragma once
/// Layer normalization and root-mean-square normalization along one axis, after an optional residual sum.
///   s = x + residual
///   layer  y[i] = (s[i] - mean s) / √(mean (s - mean s)² + eps) · weight[i] + bias[i]     (arXiv:1607.06450, eq. 3)
///   rms    y[i] = s[i] / √(mean s² + eps) · weight[i] + bias[i]                           (arXiv:1910.07467, eq. 4)
/// Shapes: x [outer, n, inner], `x_outer` floats from one of the first axis to the next and contiguous below; residual and y
///   contiguous; weight, bias [n] or null; residual null or of x's shape. y may be x, or the residual.
/// Passes over a line: its mean; what is off that mean, and its square (the mean of what is off corrects the mean, which on
///   data with an offset is where the error of two passes comes from); the result. Lines whose squares leave float32's range
///   are read times a power of two that keeps them in it. NaN or ±inf in a line makes the line NaN (rms: an infinite entry NaN, the others 0), and no other.
/// Errors: Status::Memory.   Workspace: row_norm_workspace_bytes(n, inner, threads).
/// Accuracy: <= 2x the error of the float32 definition + 8 eps.
/// Determinism: a line's bits depend on itself alone; threads share out lines.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

enum class RowNorm : std::uint32_t { Layer, Rms };

struct RowNormArgs {
  RowNorm kind = RowNorm::Layer;
  std::size_t outer = 0, n = 0, inner = 1;
  const float* x = nullptr;
  std::ptrdiff_t x_outer = 0;
  const float* residual = nullptr;
  const float* weight = nullptr;
  const float* bias = nullptr;
  float eps = 0.0f;
  float* y = nullptr;
};

[[nodiscard]] std::uint64_t row_norm_workspace_bytes(std::size_t n, std::size_t inner, std::size_t threads = 1) noexcept;

[[nodiscard]] Status row_norm(const RowNormArgs& args, Workspace workspace, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

#pragma once
/// Mean of squared differences.
///   loss = Σ (x - target)² / n,   dX += dLoss 2 (x - target) / n,   dTarget -= that
/// Shapes: x, target [n]; d_x and d_target alike, null: not wanted. Without elements the loss is NaN.
/// Errors: Status::Memory.   Workspace: mean_squared_error_workspace_bytes(n).
/// Accuracy: differences and the loss in double, rounded once; a gradient in float32.
/// Determinism: bits depend on the call alone; threads share out chunks.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

[[nodiscard]] std::uint64_t mean_squared_error_workspace_bytes(std::size_t count) noexcept;

[[nodiscard]] Status mean_squared_error(const float* x, const float* target, std::size_t count, float* loss,
                                        Workspace workspace, ThreadPool* pool = nullptr) noexcept;

/// d_loss [1].
void mean_squared_error_backward(const float* x, const float* target, std::size_t count, const float* d_loss, float* d_x,
                                 float* d_target, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

#pragma once
/// The norm of gradients and their scaling, for clipping.
///   squared_norm   Σ x² in double: not finite where, and only where, an x is not
///   scale          x <- factor x
/// Shapes: x [count].   Errors: Status::Memory.   Workspace: squared_norm_workspace_bytes(count).
/// Determinism: sums over chunks of a constant number of elements, added in order; threads share out chunks.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

[[nodiscard]] std::uint64_t squared_norm_workspace_bytes(std::size_t count) noexcept;

[[nodiscard]] Status squared_norm(const float* x, std::size_t count, double* norm, Workspace workspace,
                                  ThreadPool* pool = nullptr) noexcept;

void scale(float factor, std::size_t count, float* x, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

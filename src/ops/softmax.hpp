#pragma once
/// Softmax, its logarithm and its normalizer along one axis.
///   softmax[i] = exp(x[i] - m) / Σ exp(x[j] - m),  logsumexp = m + ln Σ exp(x[j] - m),  log_softmax[i] = x[i] - logsumexp,
///   m = max x.
/// The rule for -inf, stated once for the library: an entry of -inf is masked and gets weight exactly 0; a line in which
///   every entry is -inf has no softmax: its weights are 0, its logsumexp and log_softmax -inf. NaN or +inf in: NaN out,
///   for the whole line.
/// Shapes: x and y are [outer, n, inner], contiguous, the axis in the middle; logsumexp writes [outer, inner].
/// y may be x.   Accuracy: <= 2x the error of the float32 definition + 8 eps.   Errors: Status::Memory.
/// Workspace: softmax_workspace_bytes(n, inner, threads).
/// Determinism: a line's bits depend on itself alone; threads share out lines.

#include <cstddef>
#include <cstdint>

#include "core/status.hpp"
#include "core/thread_pool.hpp"
#include "core/workspace.hpp"

namespace fovea {

enum class SoftmaxKind : std::uint32_t { Softmax, LogSoftmax, LogSumExp };

[[nodiscard]] std::uint64_t softmax_workspace_bytes(std::size_t n, std::size_t inner, std::size_t threads = 1) noexcept;

[[nodiscard]] Status softmax(SoftmaxKind kind, const float* x, float* y, std::size_t outer, std::size_t n, std::size_t inner,
                             Workspace workspace, ThreadPool* pool = nullptr) noexcept;

}  // namespace fovea

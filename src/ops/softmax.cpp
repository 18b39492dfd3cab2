#include "ops/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "core/infinity.hpp"
#include "ops/line_block.hpp"
#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

constexpr std::size_t kCost = 8;            // multiply-adds in the time of an entry
constexpr std::size_t kTaskEntries = 8192;  // of contiguous lines

/// The maximum; a NaN may hide from it, never from the sum of exponentials.
float max_of(const float* x, std::size_t n) noexcept {
  constexpr std::size_t kUnroll = 4;
  f32 m[kUnroll];
  for (f32& lanes : m) lanes = splat(kMinusInfinity);
  std::size_t i = 0;
  for (; i + kUnroll * f32::size <= n; i += kUnroll * f32::size) {
    for (std::size_t u = 0; u < kUnroll; ++u) m[u] = simd::max(m[u], load(x + i + u * f32::size));
  }
  for (; i + f32::size <= n; i += f32::size) m[0] = simd::max(m[0], load(x + i));
  float all = simd::reduce_max(simd::max(simd::max(m[0], m[1]), simd::max(m[2], m[3])));
  for (; i < n; ++i) all = x[i] > all ? x[i] : all;
  return all;
}

/// Σ exp(x - shift);  p <- exp(x - shift) where kStore
template <bool kStore>
float sum_exp(const float* x, std::size_t n, float shift, float* p) noexcept {
  const f32 m = splat(shift);
  f32 sums[2] = {splat(0.0f), splat(0.0f)};
  const auto take = [&](std::size_t i, f32& sum) {
    const f32 e = simd::exp(simd::without_tiny(load(x + i) - m));
    sum = sum + e;
    if constexpr (kStore) store(p + i, e);
  };
  std::size_t i = 0;
  for (; i + 2 * f32::size <= n; i += 2 * f32::size) {
    take(i, sums[0]);
    take(i + f32::size, sums[1]);
  }
  if (i + f32::size <= n) {
    take(i, sums[0]);
    i += f32::size;
  }
  float sum = simd::reduce_add(sums[0] + sums[1]);
  for (; i < n; ++i) {
    const float e = simd::exp(x[i] - shift);
    sum += e;
    if constexpr (kStore) p[i] = e;
  }
  return sum;
}

/// y <- the line's softmax or its logarithm, or the one number of its logsumexp. y may be x.
void softmax_line(SoftmaxKind kind, const float* x, std::size_t n, float* y) noexcept {
  const float m = max_of(x, n), shift = m == kMinusInfinity ? 0.0f : m;
  if (kind == SoftmaxKind::Softmax) {
    // l is 0 only where every entry is -inf
    const float l = sum_exp<true>(x, n, shift, y);
    const f32 factor = splat(l == 0.0f ? 0.0f : 1.0f / l);
    return map(y, n, y, [=](f32 e) { return e * factor; });
  }
  const float l = sum_exp<false>(x, n, shift, nullptr);
  if (kind == SoftmaxKind::LogSumExp) {
    *y = m + std::log(l);
    return;
  }
  const f32 max = splat(shift), log_l = splat(l == 0.0f ? 0.0f : std::log(l));
  map(x, n, y, [=](f32 own) { return (own - max) - log_l; });
}

/// The lines [first, first + count) of the axis at x.
void softmax_block(SoftmaxKind kind, const float* x, std::size_t n, std::size_t inner, std::size_t count, float* y,
                   float* lines) noexcept {
  gather_lines(x, n, inner, count, lines);
  const bool reduces = kind == SoftmaxKind::LogSumExp;
  for (std::size_t l = 0; l < count; ++l) {
    float* const line = lines + l * line_stride(n);
    softmax_line(kind, line, n, reduces ? y + l : line);
  }
  if (!reduces) scatter_lines(lines, n, inner, count, y);
}

ThreadWorkspaces take_scratch(std::size_t n, std::size_t inner, std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [&](Workspace& own) { take_line_block(n, inner, own); }};
}

}  // namespace

std::uint64_t softmax_workspace_bytes(std::size_t n, std::size_t inner, std::size_t threads) noexcept {
  return count_bytes([&](Workspace& workspace) { take_scratch(n, inner, threads, workspace); });
}

Status softmax(SoftmaxKind kind, const float* x, float* y, std::size_t outer, std::size_t n, std::size_t inner,
               Workspace workspace, ThreadPool* pool) noexcept {
  const ThreadWorkspaces scratch = take_scratch(n, inner, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const std::size_t out_n = kind == SoftmaxKind::LogSumExp ? 1 : n;
  ThreadPool* const chosen = is_short_work(outer, n, inner, kCost) ? nullptr : pool;
  if (inner == 1) {
    const std::size_t rows = std::max<std::size_t>(1, kTaskEntries / std::max<std::size_t>(1, n));
    parallel_for(chosen, (outer + rows - 1) / rows, [&](std::size_t task, std::size_t) {
      const std::size_t end = std::min(outer, (task + 1) * rows);
      for (std::size_t o = task * rows; o < end; ++o) softmax_line(kind, x + o * n, n, y + o * out_n);
    });
    return Status::Ok;
  }
  const std::size_t lines = block_lines(n, inner), blocks = inner == 0 ? 0 : (inner + lines - 1) / lines;
  parallel_for(chosen, outer * blocks, [&](std::size_t task, std::size_t thread) {
    const std::size_t o = task / blocks, first = task % blocks * lines;
    Workspace own = scratch.of(thread);
    softmax_block(kind, x + o * n * inner + first, n, inner, std::min(lines, inner - first), y + o * out_n * inner + first,
                  take_line_block(n, inner, own));
  });
  return Status::Ok;
}

}  // namespace fovea

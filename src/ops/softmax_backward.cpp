#include "ops/softmax_backward.hpp"

#include <algorithm>

#include "core/infinity.hpp"
#include "ops/lane_sums.hpp"
#include "ops/line_block.hpp"
#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

constexpr std::size_t kCost = 8;            // multiply-adds in the time of an entry
constexpr std::size_t kTaskEntries = 8192;  // of contiguous lines

/// One line and its gradients; of LogSumExp `from` is x, `y` and `d` are one number each, else `from` is y.
void add_line(SoftmaxKind kind, const float* from, const float* y, const float* d, std::size_t n, bool replaces,
              float* d_x) noexcept {
  const f32 zero = splat(0.0f), masked = splat(kMinusInfinity);
  const auto kept = [zero, none = replaces ? zero == zero : zero != zero](f32 sum) { return simd::select(none, zero, sum); };
  if (kind == SoftmaxKind::LogSumExp) {
    if (*y == kMinusInfinity) return;
    const f32 lse = splat(*y), own = splat(*d);
    return map_onto(
        d_x, n,
        [=](f32 sum, f32 x) { return simd::select(x == masked, sum, sum + own * simd::exp(simd::without_tiny(x - lse))); },
        from);
  }
  if (kind == SoftmaxKind::Softmax) {
    const f32 mean = splat(sum_lanes(
        n, [=](f32 p, f32 dy) { return simd::select(p == zero, zero, dy * p); }, from, d));
    return map_onto(
        d_x, n, [=](f32 sum, f32 p, f32 dy) { return kept(sum) + simd::select(p == zero, zero, p * (dy - mean)); }, from, d);
  }
  const f32 total = splat(sum_lanes(
      n, [=](f32 log_p, f32 dy) { return simd::select(log_p == masked, zero, dy); }, from, d));
  map_onto(
      d_x, n,
      [=](f32 sum, f32 log_p, f32 dy) {
        return kept(sum) + simd::select(log_p == masked, zero, dy - simd::exp(simd::without_tiny(log_p)) * total);
      },
      from, d);
}

/// Blocks of lines where they are not contiguous.
struct LineBlocks {
  float *from, *d, *d_x;

  LineBlocks(std::size_t n, std::size_t inner, Workspace& workspace) noexcept
      : from(take_line_block(n, inner, workspace)),
        d(take_line_block(n, inner, workspace)),
        d_x(take_line_block(n, inner, workspace)) {}
};

/// The lines [first, first + count) of the axis `o`.
void add_block(const SoftmaxBackwardArgs& args, std::size_t o, std::size_t first, std::size_t count,
               const LineBlocks& lines) noexcept {
  const std::size_t n = args.n, inner = args.inner, at = o * n * inner + first, stride = line_stride(n);
  const bool reduces = args.kind == SoftmaxKind::LogSumExp;
  gather_lines((reduces ? args.x : args.y) + at, n, inner, count, lines.from);
  if (!reduces) gather_lines(args.d_y + at, n, inner, count, lines.d);
  gather_lines(args.d_x + at, n, inner, count, lines.d_x);
  for (std::size_t l = 0; l < count; ++l) {
    const std::size_t one = o * inner + first + l;
    add_line(args.kind, lines.from + l * stride, reduces ? args.y + one : nullptr,
             reduces ? args.d_y + one : lines.d + l * stride, n, args.d_x == args.d_y, lines.d_x + l * stride);
  }
  scatter_lines(lines.d_x, n, inner, count, args.d_x + at);
}

ThreadWorkspaces take_scratch(std::size_t n, std::size_t inner, std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [&](Workspace& own) { LineBlocks(n, inner, own); }};
}

}  // namespace

std::uint64_t softmax_backward_workspace_bytes(std::size_t n, std::size_t inner, std::size_t threads) noexcept {
  return count_bytes([&](Workspace& workspace) { take_scratch(n, inner, threads, workspace); });
}

Status softmax_backward(const SoftmaxBackwardArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const std::size_t n = args.n;
  const ThreadWorkspaces scratch = take_scratch(n, args.inner, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const bool reduces = args.kind == SoftmaxKind::LogSumExp;
  ThreadPool* const chosen = is_short_work(args.outer, n, args.inner, kCost) ? nullptr : pool;
  if (args.inner == 1) {
    const std::size_t rows = std::max<std::size_t>(1, kTaskEntries / std::max<std::size_t>(1, n)), out_n = reduces ? 1 : n;
    parallel_for(chosen, (args.outer + rows - 1) / rows, [&](std::size_t task, std::size_t) {
      for (std::size_t o = task * rows; o < std::min(args.outer, (task + 1) * rows); ++o) {
        add_line(args.kind, (reduces ? args.x : args.y) + o * n, args.y + o * out_n, args.d_y + o * out_n, n,
                 args.d_x == args.d_y, args.d_x + o * n);
      }
    });
    return Status::Ok;
  }
  const std::size_t lines = block_lines(n, args.inner), blocks = args.inner == 0 ? 0 : (args.inner + lines - 1) / lines;
  parallel_for(chosen, args.outer * blocks, [&](std::size_t task, std::size_t thread) {
    const std::size_t first = task % blocks * lines;
    Workspace own = scratch.of(thread);
    add_block(args, task / blocks, first, std::min(lines, args.inner - first), LineBlocks(n, args.inner, own));
  });
  return Status::Ok;
}

}  // namespace fovea

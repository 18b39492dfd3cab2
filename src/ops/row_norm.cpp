#include "ops/row_norm.hpp"

#include <algorithm>
#include <cmath>

#include "ops/line_block.hpp"
#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

constexpr std::size_t kRows = 16;  // of one task
constexpr std::size_t kCost = 4;   // multiply-adds that an element counts for
constexpr std::size_t kUnroll = 4;

/// Squares below and above may have lost digits, or be 0 or infinite.
constexpr float kSmall = 0x1p-100f, kLarge = 0x1p100f;

struct Sums {
  float first, second;
};

/// s x, or x where lines are not scaled
template <bool kScaled>
f32 scaled(f32 x, float s) noexcept {
  if constexpr (kScaled) return x * splat(s);
  return x;
}

/// Σ d and Σ d², d = s x - shift
template <bool kScaled>
Sums sums_of(const float* x, std::size_t n, float s, float shift) noexcept {
  const f32 m = splat(shift);
  f32 first[kUnroll], second[kUnroll];
  for (std::size_t u = 0; u < kUnroll; ++u) first[u] = second[u] = splat(0.0f);
  std::size_t i = 0;
  for (; i + kUnroll * f32::size <= n; i += kUnroll * f32::size) {
    for (std::size_t u = 0; u < kUnroll; ++u) {
      const f32 d = scaled<kScaled>(load(x + i + u * f32::size), s) - m;
      first[u] = first[u] + d;
      second[u] = madd(d, d, second[u]);
    }
  }
  for (; i + f32::size <= n; i += f32::size) {
    const f32 d = scaled<kScaled>(load(x + i), s) - m;
    first[0] = first[0] + d;
    second[0] = madd(d, d, second[0]);
  }
  Sums sums = {simd::reduce_add((first[0] + first[1]) + (first[2] + first[3])),
               simd::reduce_add((second[0] + second[1]) + (second[2] + second[3]))};
  for (; i < n; ++i) {
    const float d = s * x[i] - shift;
    sums.first += d;
    sums.second += d * d;
  }
  return sums;
}

/// Σ s x
template <bool kScaled>
float sum_of(const float* x, std::size_t n, float s) noexcept {
  f32 sums[kUnroll];
  for (f32& sum : sums) sum = splat(0.0f);
  std::size_t i = 0;
  for (; i + kUnroll * f32::size <= n; i += kUnroll * f32::size) {
    for (std::size_t u = 0; u < kUnroll; ++u) sums[u] = sums[u] + scaled<kScaled>(load(x + i + u * f32::size), s);
  }
  for (; i + f32::size <= n; i += f32::size) sums[0] = sums[0] + scaled<kScaled>(load(x + i), s);
  float sum = simd::reduce_add((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; i < n; ++i) sum += s * x[i];
  return sum;
}

/// Whether no x is infinite or NaN.
bool all_finite(const float* x, std::size_t n) noexcept {
  f32 zeros[kUnroll];  // stay 0 unless something times 0 is NaN
  for (f32& lanes : zeros) lanes = splat(0.0f);
  std::size_t i = 0;
  for (; i + kUnroll * f32::size <= n; i += kUnroll * f32::size) {
    for (std::size_t u = 0; u < kUnroll; ++u) zeros[u] = madd(load(x + i + u * f32::size), splat(0.0f), zeros[u]);
  }
  for (; i < n; ++i) zeros[0] = madd(splat(x[i]), splat(0.0f), zeros[0]);
  return simd::reduce_add((zeros[0] + zeros[1]) + (zeros[2] + zeros[3])) == 0.0f;
}

/// How a line is normalized: y <- ((s x - m) - c) · scale · weight + bias
struct LineScale {
  float s, m, c, scale;
};

template <bool kScaled>
void scale_line(const RowNormArgs& args, const float* x, const LineScale& line, float* y) noexcept {
  const f32 mean = splat(line.m), rest = splat(line.c), factor = splat(line.scale);
  const auto normalized = [=](f32 a) { return ((scaled<kScaled>(a, line.s) - mean) - rest) * factor; };
  if (args.weight == nullptr) {
    map(x, args.n, y, normalized);
  } else if (args.bias == nullptr) {
    return map(x, args.weight, args.n, y, [=](f32 a, f32 w) { return normalized(a) * w; });
  } else {
    std::size_t i = 0;
    for (; i + f32::size <= args.n; i += f32::size) {
      store(y + i, madd(normalized(load(x + i)), load(args.weight + i), load(args.bias + i)));
    }
    for (; i < args.n; ++i) y[i] = madd(normalized(splat(x[i])), splat(args.weight[i]), splat(args.bias[i])).get(0);
    return;
  }
  if (args.bias != nullptr) map(y, args.bias, args.n, y, [](f32 a, f32 b) { return a + b; });
}

/// The power of two that brings a line to where its squares are normal numbers. A line of one large number, all but constant, stays.
float scale_of(float mean, bool is_small) noexcept {
  if (!is_small) return 0x1p-80f;
  return std::abs(mean) < 1.0f ? 0x1p100f : 1.0f;
}

template <bool kScaled>
void normalize_line(const RowNormArgs& args, const float* x, float s, float* y) noexcept {
  const auto n = static_cast<float>(args.n);
  // m <- mean s x, or 0
  const float m = args.kind == RowNorm::Layer ? sum_of<kScaled>(x, args.n, s) / n : 0.0f;
  // c <- mean (s x - m): what rounding has left in m
  const Sums sums = sums_of<kScaled>(x, args.n, s, m);
  const float c = args.kind == RowNorm::Layer ? sums.first / n : 0.0f;
  const float variance = sums.second / n - c * c;
  if constexpr (kScaled) {
    const double root = std::sqrt(static_cast<double>(variance) + static_cast<double>(args.eps) * s * s);
    return scale_line<true>(args, x, {s, m, c, static_cast<float>(1.0 / root)}, y);
  }
  // A line that is not finite has these sums already: its variance is infinite or NaN.
  if (!(variance + args.eps > kSmall && variance < kLarge) && all_finite(x, args.n)) {
    return normalize_line<true>(args, x, scale_of(m, variance + args.eps <= kSmall), y);
  }
  scale_line<false>(args, x, {s, m, c, 1.0f / std::sqrt(variance + args.eps)}, y);
}

/// The lines of one of the outer axis that begin at `first`, `count` <= block_lines() of them, through `lines`.
void normalize_columns(const RowNormArgs& args, std::size_t outer, std::size_t first, std::size_t count,
                       float* lines) noexcept {
  const float* const x = args.x + static_cast<std::ptrdiff_t>(outer) * args.x_outer + first;
  const std::size_t offset = outer * args.n * args.inner + first;
  gather_lines(x, args.n, args.inner, count, lines);
  if (args.residual != nullptr) gather_lines</*kAdd=*/true>(args.residual + offset, args.n, args.inner, count, lines);
  for (std::size_t l = 0; l < count; ++l) {
    float* const line = lines + l * line_stride(args.n);
    normalize_line<false>(args, line, 1.0f, line);
  }
  scatter_lines(lines, args.n, args.inner, count, args.y + offset);
}

void normalize_row(const RowNormArgs& args, std::size_t row) noexcept {
  const float* const x = args.x + static_cast<std::ptrdiff_t>(row) * args.x_outer;
  float* const y = args.y + row * args.n;
  if (args.residual == nullptr) return normalize_line<false>(args, x, 1.0f, y);
  map(x, args.residual + row * args.n, args.n, y, [](f32 a, f32 b) { return a + b; });
  normalize_line<false>(args, y, 1.0f, y);
}

ThreadWorkspaces take_scratch(std::size_t n, std::size_t inner, std::size_t threads, Workspace& workspace) noexcept {
  return {workspace, threads, [&](Workspace& own) { take_line_block(n, inner, own); }};
}

}  // namespace

std::uint64_t row_norm_workspace_bytes(std::size_t n, std::size_t inner, std::size_t threads) noexcept {
  return count_bytes([&](Workspace& workspace) { take_scratch(n, inner, threads, workspace); });
}

Status row_norm(const RowNormArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const ThreadWorkspaces scratch = take_scratch(args.n, args.inner, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  ThreadPool* const chosen = is_short_work(args.outer, args.inner, args.n, kCost) ? nullptr : pool;
  if (args.inner == 1) {
    parallel_for(chosen, (args.outer + kRows - 1) / kRows, [&](std::size_t task, std::size_t) {
      const std::size_t end = std::min(args.outer, (task + 1) * kRows);
      for (std::size_t row = task * kRows; row < end; ++row) normalize_row(args, row);
    });
    return Status::Ok;
  }
  const std::size_t lines = block_lines(args.n, args.inner), groups = args.inner == 0 ? 0 : (args.inner + lines - 1) / lines;
  parallel_for(chosen, args.outer * groups, [&](std::size_t task, std::size_t thread) {
    const std::size_t first = task % groups * lines;
    Workspace own = scratch.of(thread);
    normalize_columns(args, task / groups, first, std::min(lines, args.inner - first),
                      take_line_block(args.n, args.inner, own));
  });
  return Status::Ok;
}

}  // namespace fovea

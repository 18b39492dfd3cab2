#include "ops/row_norm_backward.hpp"

#include <algorithm>
#include <cmath>

#include "ops/lane_sums.hpp"
#include "ops/line_block.hpp"
#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

constexpr std::size_t kRows = 64;  // of one task, and of a chunk of the weights' sums
constexpr std::size_t kCost = 12;  // multiply-adds that an element counts for

/// Squares below and above may have lost digits, or be 0 or infinite.
constexpr float kSmall = 0x1p-100f, kLarge = 0x1p100f;

/// dS = r (g - mean - z slope)
struct LineGradient {
  float r, mean, slope;
};

/// `rest` is what rounding has left in the mean.
struct Centered {
  float mean, rest, variance;
};

/// x <- x - mean x, or x of rms
Centered center(RowNorm kind, float* x, std::size_t n) noexcept {
  const auto count = static_cast<float>(n);
  const auto same = [](f32 a) { return a; };
  const auto square = [](f32 a) { return a * a; };
  if (kind == RowNorm::Rms) return {0.0f, 0.0f, sum_lanes(n, square, x) / count};
  const float mean = sum_lanes(n, same, x) / count;
  map_onto(x, n, [m = splat(mean)](f32 a) { return a - m; });
  const auto [sum, squares] = sum_two(n, same, square, x);
  const float rest = sum / count;
  return {mean, rest, squares / count - rest * rest};
}

/// x <- (x - rest) factor
void scale_centered(float* x, std::size_t n, float rest, float factor) noexcept {
  map_onto(x, n, [m = splat(rest), s = splat(factor)](f32 a) { return (a - m) * s; });
}

bool all_finite(const float* x, std::size_t n) noexcept {
  return sum_lanes(
             n, [](f32 a) { return a * splat(0.0f); }, x) == 0.0f;
}

/// z <- the normalized line that load(z) writes. Returns r.
template <class Load>
float normalize_line(const RowNormArgs& args, float* z, Load load) noexcept {
  load(z);
  const Centered line = center(args.kind, z, args.n);
  const float variance = line.variance + args.eps;
  if (!(variance > kSmall && line.variance < kLarge) && all_finite(z, args.n)) {
    // A power of two brings the squares to where they are normal numbers; a line of one large number, all but constant, stays.
    const float small = std::abs(line.mean) < 1.0f ? 0x1p100f : 1.0f, s = variance <= kSmall ? small : 0x1p-80f;
    load(z);
    scale_centered(z, args.n, 0.0f, s);
    const Centered scaled = center(args.kind, z, args.n);
    const double eps = static_cast<double>(args.eps) * static_cast<double>(s) * static_cast<double>(s);
    const double r = 1.0 / std::sqrt(static_cast<double>(scaled.variance) + eps);
    scale_centered(z, args.n, scaled.rest, static_cast<float>(r));
    return static_cast<float>(r * static_cast<double>(s));
  }
  const float r = 1.0f / std::sqrt(variance);
  scale_centered(z, args.n, line.rest, r);
  return r;
}

/// Adds to the sums of a chunk, turns d into g, and returns how dS is made of z and g.
LineGradient take_gradient(const RowNormBackwardArgs& args, float r, const float* z, float* d, float* d_weight,
                           float* d_bias) noexcept {
  const std::size_t n = args.forward.n;
  if (d_weight != nullptr)
    map_onto(
        d_weight, n, [](f32 sum, f32 a, f32 b) { return sum + a * b; }, d, z);
  if (d_bias != nullptr) add_onto(d_bias, n, d);
  if (args.forward.weight != nullptr)
    map_onto(
        d, n, [](f32 a, f32 w) { return a * w; }, args.forward.weight);
  const auto [sum, along] = sum_two(
      n, [](f32 g, f32) { return g; }, [](f32 g, f32 a) { return g * a; }, d, z);
  const auto count = static_cast<float>(n);
  return {r, args.forward.kind == RowNorm::Layer ? sum / count : 0.0f, along / count};
}

void add_line(const LineGradient& of, const float* z, const float* g, std::size_t n, float* to) noexcept {
  const f32 r = splat(of.r), mean = splat(of.mean), slope = splat(of.slope);
  map_onto(
      to, n, [=](f32 sum, f32 a, f32 b) { return sum + r * ((b - mean) - a * slope); }, z, g);
}

/// How lines are shared out: rows of unit stride by kRows, others by blocks of neighbors.
struct Parts {
  std::size_t lines;       // of a task at most
  std::size_t groups = 1;  // tasks of one of the outer axis, where its lines are not contiguous
  std::size_t tasks;

  explicit Parts(const RowNormArgs& args) noexcept {
    if (args.inner == 1) {
      lines = kRows;
      tasks = (args.outer + kRows - 1) / kRows;
    } else {
      lines = block_lines(args.n, args.inner);
      groups = args.inner == 0 ? 0 : (args.inner + lines - 1) / lines;
      tasks = args.outer * groups;
    }
  }
};

/// The scratch of one task: s and then z, dY and then g, and what is added to.
struct Lines {
  float *z, *g, *to;

  Lines(const RowNormArgs& args, Workspace& workspace) noexcept {
    const bool is_row = args.inner == 1;
    const std::size_t count = is_row ? 1 : block_lines(args.n, args.inner), stride = line_stride(args.n);
    z = workspace.take<float>(count, stride);
    g = workspace.take<float>(count, stride);
    to = workspace.take<float>(is_row ? std::size_t{0} : count, stride);
  }
};

struct Scratch {
  float *d_weight, *d_bias;  // [tasks, n], where they are wanted
  ThreadWorkspaces lines;

  Scratch(const RowNormBackwardArgs& args, const Parts& parts, std::size_t threads, Workspace& workspace) noexcept
      : d_weight(workspace.take<float>(args.d_weight != nullptr ? parts.tasks : 0, args.forward.n)),
        d_bias(workspace.take<float>(args.d_bias != nullptr ? parts.tasks : 0, args.forward.n)),
        lines(workspace, threads, [&](Workspace& own) { Lines(args.forward, own); }) {}
};

void run_rows(const RowNormBackwardArgs& args, std::size_t from, std::size_t to, const Lines& lines, float* d_weight,
              float* d_bias) noexcept {
  const RowNormArgs& forward = args.forward;
  const std::size_t n = forward.n;
  for (std::size_t row = from; row < to; ++row) {
    const auto x_at = static_cast<std::ptrdiff_t>(row) * forward.x_outer;
    const float r = normalize_line(forward, lines.z, [&](float* s) {
      std::copy_n(forward.x + x_at, n, s);
      if (forward.residual != nullptr) add_onto(s, n, forward.residual + row * n);
    });
    std::copy_n(args.d_y + row * n, n, lines.g);
    const LineGradient gradient = take_gradient(args, r, lines.z, lines.g, d_weight, d_bias);
    if (args.d_x != nullptr) add_line(gradient, lines.z, lines.g, n, args.d_x + x_at);
    if (args.d_residual != nullptr) add_line(gradient, lines.z, lines.g, n, args.d_residual + row * n);
  }
}

/// The lines of one of the outer axis that begin at `first`.
void run_columns(const RowNormBackwardArgs& args, std::size_t outer, std::size_t first, std::size_t count, const Lines& lines,
                 float* d_weight, float* d_bias) noexcept {
  constexpr std::size_t kMostLines = 128;
  const RowNormArgs& forward = args.forward;
  const std::size_t n = forward.n, inner = forward.inner, stride = line_stride(n), at = outer * n * inner + first;
  const auto x_at = static_cast<std::ptrdiff_t>(outer) * forward.x_outer + static_cast<std::ptrdiff_t>(first);
  gather_lines(forward.x + x_at, n, inner, count, lines.z);
  if (forward.residual != nullptr) gather_lines</*kAdd=*/true>(forward.residual + at, n, inner, count, lines.z);
  gather_lines(args.d_y + at, n, inner, count, lines.g);
  LineGradient gradients[kMostLines];
  for (std::size_t l = 0; l < count; ++l) {
    float* const z = lines.z + l * stride;
    const float r = normalize_line(forward, z, [&, is_loaded = true](float* line) mutable {
      for (std::size_t i = 0; i < n && !is_loaded; ++i) {
        const std::size_t step = i * inner + l;
        line[i] = forward.x[x_at + static_cast<std::ptrdiff_t>(step)];
        if (forward.residual != nullptr) line[i] += forward.residual[at + step];
      }
      is_loaded = false;
    });
    gradients[l] = take_gradient(args, r, z, lines.g + l * stride, d_weight, d_bias);
  }
  const auto add = [&](float* to) {
    gather_lines(to, n, inner, count, lines.to);
    for (std::size_t l = 0; l < count; ++l)
      add_line(gradients[l], lines.z + l * stride, lines.g + l * stride, n, lines.to + l * stride);
    scatter_lines(lines.to, n, inner, count, to);
  };
  if (args.d_x != nullptr) add(args.d_x + x_at);
  if (args.d_residual != nullptr) add(args.d_residual + at);
}

}  // namespace

std::uint64_t row_norm_backward_workspace_bytes(const RowNormBackwardArgs& args, std::size_t threads) noexcept {
  return count_bytes([&](Workspace& workspace) { Scratch(args, Parts(args.forward), threads, workspace); });
}

Status row_norm_backward(const RowNormBackwardArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const RowNormArgs& forward = args.forward;
  const Parts parts(forward);
  const Scratch scratch(args, parts, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  const std::size_t n = forward.n;
  // Entries of x whose stride is 0 are one array: its gradients are added in order, by one thread.
  const bool is_alone = forward.x_outer == 0 || is_short_work(forward.outer, forward.inner, n, kCost);
  ThreadPool* const chosen = is_alone ? nullptr : pool;
  parallel_for(chosen, parts.tasks, [&](std::size_t task, std::size_t thread) {
    Workspace own = scratch.lines.of(thread);
    const Lines lines(forward, own);
    const auto chunk = [&](const float* wanted, float* all) {
      if (wanted == nullptr) return static_cast<float*>(nullptr);
      std::fill_n(all + task * n, n, 0.0f);
      return all + task * n;
    };
    float *const d_weight = chunk(args.d_weight, scratch.d_weight), *const d_bias = chunk(args.d_bias, scratch.d_bias);
    if (forward.inner == 1) {
      run_rows(args, task * kRows, std::min(forward.outer, (task + 1) * kRows), lines, d_weight, d_bias);
    } else {
      const std::size_t first = task % parts.groups * parts.lines;
      run_columns(args, task / parts.groups, first, std::min(parts.lines, forward.inner - first), lines, d_weight, d_bias);
    }
  });
  for (std::size_t task = 0; task < parts.tasks; ++task) {
    if (args.d_weight != nullptr) add_onto(args.d_weight, n, scratch.d_weight + task * n);
    if (args.d_bias != nullptr) add_onto(args.d_bias, n, scratch.d_bias + task * n);
  }
  return Status::Ok;
}

}  // namespace fovea

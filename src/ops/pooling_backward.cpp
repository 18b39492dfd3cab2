#include "ops/pooling_backward.hpp"

#include <algorithm>
#include <cmath>

#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

constexpr std::size_t kLines = 64;  // neighbors of one task

/// Lines [first, first + count) of one of the outer axis: places `inner` floats apart.
struct LineGroup {
  const float* x;
  const float* d_y;
  float* d_x;
  std::size_t count;
};

/// The entries [from, to) of window `o` that exist, and the divisor of a mean.
struct Window {
  std::size_t from, to;
  float divisor = 1.0f;

  Window(const PoolingArgs& args, std::size_t o) noexcept {
    const std::size_t start = o * args.stride;  // counted from the first padding
    from = std::max(start, args.padding) - args.padding;
    to = std::min(start + args.kernel - args.padding, args.n);
    if (args.kind == Pooling::Mean) divisor = static_cast<float>(args.count_padding ? args.kernel : to - from);
  }
};

void add_to_maxima(const PoolingArgs& args, const Window& window, const LineGroup& lines, const float* d_y) noexcept {
  for (std::size_t l = 0; l < lines.count; ++l) {
    std::size_t best = window.from;
    for (std::size_t i = window.from; i < window.to; ++i) {
      const float own = lines.x[i * args.inner + l], most = lines.x[best * args.inner + l];
      if (own > most || (std::isnan(own) && !std::isnan(most))) best = i;
    }
    lines.d_x[best * args.inner + l] += d_y[l];
  }
}

void add_to_all(const PoolingArgs& args, const Window& window, const LineGroup& lines, const float* d_y) noexcept {
  const simd::f32 divisor = simd::splat(window.divisor);
  if (args.inner == 1) {
    const simd::f32 term = simd::splat(*d_y) / divisor;
    return map_onto(lines.d_x + window.from, window.to - window.from, [term](simd::f32 sum) { return sum + term; });
  }
  for (std::size_t i = window.from; i < window.to; ++i) {
    map_onto(
        lines.d_x + i * args.inner, lines.count, [divisor](simd::f32 sum, simd::f32 d) { return sum + d / divisor; }, d_y);
  }
}

}  // namespace

void pool_windows_backward(const PoolingBackwardArgs& args, ThreadPool* pool) noexcept {
  const PoolingArgs& forward = args.forward;
  const std::size_t inner = forward.inner, groups = (inner + kLines - 1) / kLines;
  const bool is_short = is_short_work(forward.outer, forward.n_out, inner, forward.kernel);
  parallel_for(is_short ? nullptr : pool, forward.outer * groups, [&](std::size_t task, std::size_t) {
    const std::size_t o = task / groups, first = task % groups * kLines, start = o * forward.n * inner + first;
    const LineGroup lines = {forward.kind == Pooling::Max ? forward.x + start : nullptr,
                             args.d_y + o * forward.n_out * inner + first, args.d_x + start, std::min(kLines, inner - first)};
    for (std::size_t out = 0; out < forward.n_out; ++out) {
      const Window window(forward, out);
      const float* const d_y = lines.d_y + out * inner;
      forward.kind == Pooling::Max ? add_to_maxima(forward, window, lines, d_y) : add_to_all(forward, window, lines, d_y);
    }
  });
}

}  // namespace fovea

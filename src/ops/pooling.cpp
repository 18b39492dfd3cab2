#include "ops/pooling.hpp"

#include <algorithm>

#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;

/// Combines the entries of one run to one number.
template <class F>
float combine(const float* x, std::size_t count, F f) noexcept {
  if (count < f32::size) {
    f32 all = splat(x[0]);
    for (std::size_t i = 1; i < count; ++i) all = f(all, splat(x[i]));
    return all.get(0);
  }
  f32 lanes = load(x);
  std::size_t i = f32::size;
  for (; i + f32::size <= count; i += f32::size) lanes = f(lanes, load(x + i));
  f32 all = f(f(splat(lanes.get(0)), splat(lanes.get(1))), f(splat(lanes.get(2)), splat(lanes.get(3))));
  for (; i < count; ++i) all = f(all, splat(x[i]));
  return all.get(0);
}

/// y[0 .. inner) <- the rows of one window, combined
template <class F>
void combine_rows(const float* x, std::size_t rows, std::size_t inner, float* y, F f) noexcept {
  if (inner == 1) {
    y[0] = combine(x, rows, f);
    return;
  }
  std::copy_n(x, inner, y);
  for (std::size_t row = 1; row < rows; ++row) map(y, x + row * inner, inner, y, f);
}

void pool_one(const PoolingArgs& args, std::size_t outer, std::size_t o) noexcept {
  const std::size_t start = o * args.stride;  // of the window, counted from the first padding
  const std::size_t from = std::max(start, args.padding) - args.padding;
  const std::size_t to = std::min(start + args.kernel - args.padding, args.n);
  const float* const x = args.x + (outer * args.n + from) * args.inner;
  float* const y = args.y + (outer * args.n_out + o) * args.inner;
  if (args.kind == Pooling::Max) {
    return combine_rows(x, to - from, args.inner, y, [](f32 a, f32 b) { return simd::max_or_nan(a, b); });
  }
  combine_rows(x, to - from, args.inner, y, [](f32 a, f32 b) { return a + b; });
  if (args.kind == Pooling::Sum) return;
  const f32 count = splat(static_cast<float>(args.count_padding ? args.kernel : to - from));
  map(y, args.inner, y, [count](f32 sum) { return sum / count; });
}

}  // namespace

void pool_windows(const PoolingArgs& args, ThreadPool* pool) noexcept {
  const bool is_short = is_short_work(args.outer * args.n_out, args.inner, args.kernel);
  parallel_for(is_short ? nullptr : pool, args.outer * args.n_out,
               [&](std::size_t task, std::size_t) { pool_one(args, task / args.n_out, task % args.n_out); });
}

}  // namespace fovea

#include "ops/pooling.hpp"

#include <algorithm>

#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;

constexpr std::size_t kTaskResults = 512;  // of windows along contiguous lines
/// Windows of a contiguous line with fewer entries are combined entry by entry, four windows at once; others each by itself.
constexpr std::size_t kShortWindow = 16;

/// Combines the entries of one run to one number: those of a short window in order.
template <class F>
float combine(const float* x, std::size_t count, bool in_order, F f) noexcept {
  constexpr std::size_t kUnroll = 4, kStep = kUnroll * f32::size;
  f32 all = splat(x[0]);
  std::size_t i = 1;
  if (!in_order && count >= kStep) {
    f32 lanes[kUnroll];
    for (std::size_t u = 0; u < kUnroll; ++u) lanes[u] = load(x + u * f32::size);
    for (i = kStep; i + kStep <= count; i += kStep) {
      for (std::size_t u = 0; u < kUnroll; ++u) lanes[u] = f(lanes[u], load(x + i + u * f32::size));
    }
    const f32 four = f(f(lanes[0], lanes[1]), f(lanes[2], lanes[3]));
    all = f(f(splat(four.get(0)), splat(four.get(1))), f(splat(four.get(2)), splat(four.get(3))));
  }
  for (; i < count; ++i) all = f(all, splat(x[i]));
  return all.get(0);
}

/// x[0], x[stride], x[2 stride], x[3 stride]. The entry behind the last one may be read where `is_followed`.
f32 load_apart(const float* x, std::size_t stride, bool is_followed) noexcept {
  if (stride == 1) return load(x);
  if (stride == 2 && is_followed) {
    f32 even = load(x), odd = load(x + 4);
    simd::split_pairs(even, odd);
    return even;
  }
  const float four[f32::size] = {x[0], x[stride], x[2 * stride], x[3 * stride]};
  return load(four);
}

/// y[0 .. inner) <- the rows of one window, combined
template <class F>
void combine_rows(const float* x, std::size_t rows, std::size_t inner, float* y, F f) noexcept {
  std::copy_n(x, inner, y);
  for (std::size_t row = 1; row < rows; ++row) map(y, x + row * inner, inner, y, f);
}

/// The entries of window `o` that exist.
struct Window {
  std::size_t from, to;

  Window(const PoolingArgs& args, std::size_t o) noexcept {
    const std::size_t start = o * args.stride;  // counted from the first padding
    from = std::max(start, args.padding) - args.padding;
    to = std::min(start + args.kernel - args.padding, args.n);
  }

  [[nodiscard]] std::size_t count() const noexcept { return to - from; }
  /// The divisor of a mean.
  [[nodiscard]] float divisor(const PoolingArgs& args) const noexcept {
    return static_cast<float>(args.count_padding ? args.kernel : count());
  }
};

/// One window of an axis that is not the last.
template <class F>
void pool_rows(const PoolingArgs& args, std::size_t outer, std::size_t o, F f) noexcept {
  const Window window(args, o);
  float* const y = args.y + (outer * args.n_out + o) * args.inner;
  combine_rows(args.x + (outer * args.n + window.from) * args.inner, window.count(), args.inner, y, f);
  if (args.kind != Pooling::Mean) return;
  const f32 count = splat(window.divisor(args));
  map(y, args.inner, y, [count](f32 sum) { return sum / count; });
}

/// y[o] of the windows [begin, end) of a contiguous line, each by itself.
template <class F>
void pool_each(const PoolingArgs& args, const float* x, std::size_t begin, std::size_t end, float* y, F f) noexcept {
  for (std::size_t o = begin; o < end; ++o) {
    const Window window(args, o);
    const float all = combine(x + window.from, window.count(), args.kernel < kShortWindow, f);
    y[o] = args.kind == Pooling::Mean ? all / window.divisor(args) : all;
  }
}

/// y[o] of the windows [begin, end) of a contiguous line.
template <class F>
void pool_line(const PoolingArgs& args, const float* x, std::size_t begin, std::size_t end, float* y, F f) noexcept {
  // The first window without padding, and the first behind with padding.
  const std::size_t whole_from = (args.padding + args.stride - 1) / args.stride;
  const std::size_t whole_to =
      args.n + args.padding < args.kernel ? 0 : (args.n + args.padding - args.kernel) / args.stride + 1;
  const std::size_t from = std::clamp(whole_from, begin, end), to = std::clamp(whole_to, from, end);
  const std::size_t kernel = args.kernel, stride = args.stride;
  std::size_t o = from;
  if (kernel < kShortWindow) {
    pool_each(args, x, begin, from, y, f);
    const f32 divisor = splat(static_cast<float>(kernel));
    const bool is_mean = args.kind == Pooling::Mean;
    for (; o + f32::size <= to; o += f32::size) {
      const std::size_t at = o * stride - args.padding;
      const float* const first = x + at;
      const bool is_followed = at + 3 * stride + kernel < args.n;
      f32 four = load_apart(first, stride, is_followed);
      for (std::size_t k = 1; k < kernel; ++k) four = f(four, load_apart(first + k, stride, is_followed));
      simd::store(y + o, is_mean ? four / divisor : four);
    }
  } else {
    o = begin;
  }
  pool_each(args, x, o, end, y, f);
}

template <class F>
void pool_all(const PoolingArgs& args, ThreadPool* pool, F f) noexcept {
  if (args.inner != 1) {
    return parallel_for(pool, args.outer * args.n_out,
                        [&](std::size_t task, std::size_t) { pool_rows(args, task / args.n_out, task % args.n_out, f); });
  }
  const std::size_t results = args.outer * args.n_out;
  parallel_for(pool, (results + kTaskResults - 1) / kTaskResults, [&](std::size_t task, std::size_t) {
    const std::size_t end = std::min(results, (task + 1) * kTaskResults);
    for (std::size_t at = task * kTaskResults; at < end;) {
      const std::size_t line = at / args.n_out, next = std::min(end, (line + 1) * args.n_out);
      const std::size_t first = line * args.n_out;
      pool_line(args, args.x + line * args.n, at - first, next - first, args.y + first, f);
      at = next;
    }
  });
}

}  // namespace

void pool_windows(const PoolingArgs& args, ThreadPool* pool) noexcept {
  ThreadPool* const chosen = is_short_work(args.outer, args.n_out, args.inner, args.kernel) ? nullptr : pool;
  if (args.kind == Pooling::Max) return pool_all(args, chosen, [](f32 a, f32 b) { return simd::max_or_nan(a, b); });
  pool_all(args, chosen, [](f32 a, f32 b) { return a + b; });
}

}  // namespace fovea

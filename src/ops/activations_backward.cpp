#include "ops/activations_backward.hpp"

#include <algorithm>
#include <limits>

#include "ops/map.hpp"
#include "simd/map_onto.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

constexpr std::size_t kRun = 512;  // elements of one row at once
constexpr std::size_t kTask = 4096;
constexpr std::size_t kCost = 24;           // multiply-adds that an element counts for
constexpr float kSlope = 0x1.988454p+0f;    // 2√(2/π) = 1.5957692
constexpr float kCubic = 0x1.6e4e26p-5f;    // 0.044715
constexpr float kDensity = 0x1.988454p-2f;  // 1/√(2π) = 0.39894228

/// σ(x) and its derivative σ(x) σ(-x), each in relative accuracy.
struct Logistic {
  f32 value, slope;

  explicit Logistic(f32 x) noexcept {
    const f32 one = splat(1.0f), e = simd::exp(splat(0.0f) - simd::without_tiny(simd::abs(x)));
    const f32 large = one / (one + e), small = e * large;
    value = simd::select(x < splat(0.0f), small, large);
    slope = small * large;
  }
};

/// x between `-most` and `most`, beyond which a derivative is constant in float32; NaN stays.
f32 within(f32 x, float most) noexcept { return simd::at_most(simd::at_least(x, splat(-most)), splat(most)); }

/// Calls visit(f) with the derivative of four floats.
template <class Visit>
void with_derivative(const ActivationArgs& function, Visit visit) noexcept {
  const f32 zero = splat(0.0f), one = splat(1.0f), p = splat(function.parameter);
  switch (function.kind) {
    case Activation::None: return visit([=](f32) { return one; });
    case Activation::Relu: return visit([=](f32 x) { return simd::select(x <= zero, zero, one); });
    case Activation::Gelu:
      return visit([](f32 x) {
        const f32 y = within(x, 16.0f), square = simd::without_tiny(y) * simd::without_tiny(y);
        return simd::normal_cdf(y) + y * (splat(kDensity) * simd::exp(splat(-0.5f) * square));
      });
    case Activation::GeluTanh:
      return visit([=](f32 x) {
        const f32 y = simd::without_tiny(within(x, 16.0f)), square = splat(kCubic) * y * y;
        const Logistic s(splat(kSlope) * y * (one + square));
        return s.value + y * s.slope * (splat(kSlope) * (one + splat(3.0f) * square));
      });
    case Activation::Silu:
      return visit([=](f32 x) {
        const f32 z = within(p * x, 128.0f);
        const Logistic s(z);
        return s.value + z * s.slope;
      });
    case Activation::Elu:
      return visit([=](f32 x) {
        return simd::select(x > zero, one, p * simd::exp(simd::without_tiny(simd::select(x > zero, zero, x))));
      });
    case Activation::LeakyRelu: return visit([=](f32 x) { return simd::select(x > zero, one, p); });
    case Activation::Tanh: return visit([](f32 x) { return splat(4.0f) * Logistic(x + x).slope; });
    case Activation::Sigmoid: return visit([](f32 x) { return Logistic(x).slope; });
  }
}

/// slopes <- f'(x) of a run.
void write_derivatives(const ActivationArgs& function, const float* x, std::size_t count, float* slopes) noexcept {
  with_derivative(function, [=](auto derivative) { map(x, count, slopes, derivative); });
}

/// slopes <- f'(x) by y = f(x), of the functions that tell it.
void write_derivatives_by_result(Activation kind, const float* y, std::size_t count, float* slopes) noexcept {
  const f32 zero = splat(0.0f), one = splat(1.0f);
  if (kind == Activation::Tanh) return map(y, count, slopes, [=](f32 t) { return (one - t) * (one + t); });
  if (kind == Activation::Sigmoid) return map(y, count, slopes, [=](f32 s) { return s * (one - s); });
  const f32 below = kind == Activation::Relu ? zero : one;
  map(y, count, slopes, [=](f32 r) { return simd::select(r <= zero, below, one); });
}

bool tells_derivative(Activation kind) noexcept {
  return kind == Activation::None || kind == Activation::Relu || kind == Activation::Tanh || kind == Activation::Sigmoid;
}

/// Calls run(row, from, count) for runs of `rows` × `columns` elements, on all threads where they are many.
template <class Run>
void for_runs(std::size_t rows, std::size_t columns, ThreadPool* pool, Run run) noexcept {
  const std::size_t runs = (columns + kRun - 1) / kRun, all = rows * runs;
  if (all == 0) return;
  const std::size_t together = std::max<std::size_t>(1, kTask / std::min(columns, kRun));
  parallel_for(is_short_work(rows, columns, kCost) ? nullptr : pool, (all + together - 1) / together,
               [&](std::size_t task, std::size_t) {
                 for (std::size_t at = task * together; at < std::min(all, (task + 1) * together); ++at) {
                   const std::size_t from = at % runs * kRun;
                   run(at / runs, from, std::min(kRun, columns - from));
                 }
               });
}

}  // namespace

Status activate_rows_backward(const ActivationBackwardArgs& args, ThreadPool* pool) noexcept {
  if (args.x_is_result && !tells_derivative(args.function.kind)) return Status::Value;
  // Rows of x whose stride is 0 are one array: its gradients are added in order, by one thread.
  for_runs(args.rows, args.columns, args.x_row == 0 ? nullptr : pool,
           [&](std::size_t row, std::size_t from, std::size_t count) {
             const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(row) * args.x_row + static_cast<std::ptrdiff_t>(from);
             const float* const d_y = args.d_y + row * args.columns + from;
             float* const d_x = args.d_x + at;
             float slopes[kRun];
             if (args.x_is_result) {
               write_derivatives_by_result(args.function.kind, args.x + at, count, slopes);
             } else {
               write_derivatives(args.function, args.x + at, count, slopes);
             }
             if (d_x == d_y || args.fresh) return map(d_y, slopes, count, d_x, [](f32 d, f32 slope) { return d * slope; });
             map_onto(
                 d_x, count, [](f32 sum, f32 d, f32 slope) { return sum + d * slope; }, d_y, slopes);
           });
  return Status::Ok;
}

void gate_rows_backward(const ActivationArgs& function, const float* x, std::size_t rows, std::size_t half, const float* d_y,
                        float* d_x, ThreadPool* pool) noexcept {
  for_runs(rows, half, pool, [&](std::size_t row, std::size_t from, std::size_t count) {
    const std::size_t at = row * 2 * half + from;
    const float *const a = x + at, *const d = d_y + row * half + from;
    float gate[kRun], slopes[kRun];
    activate(function, a + half, count, gate);
    write_derivatives(function, a + half, count, slopes);
    map_onto(
        d_x + at, count, [](f32 sum, f32 dy, f32 f) { return sum + dy * f; }, d, gate);
    map_onto(
        d_x + at + half, count, [](f32 sum, f32 dy, f32 left, f32 slope) { return sum + (dy * left) * slope; }, d, a, slopes);
  });
}

}  // namespace fovea

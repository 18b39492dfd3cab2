#include "ops/activations.hpp"

#include <algorithm>
#include <limits>

#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::splat;

constexpr std::size_t kChunk = 4096;  // elements of one task
constexpr std::size_t kCost = 16;     // multiply-adds that an element counts for
constexpr float kLowest = std::numeric_limits<float>::lowest();
constexpr float kSlope = 0x1.988454p+0f;  // 2√(2/π) = 1.5957692
constexpr float kCubic = 0x1.6e4e26p-5f;  // 0.044715

/// -inf times the 0 that its sigmoid is would be NaN; what is finite has the limit.
f32 finite_below(f32 x) noexcept { return simd::at_least(x, splat(kLowest)); }

/// Calls visit(f) with the function of four floats.
template <class Visit>
void with_function(const ActivationArgs& function, Visit visit) noexcept {
  const f32 zero = splat(0.0f), p = splat(function.parameter);
  switch (function.kind) {
    case Activation::None: return visit([](f32 x) { return x; });
    case Activation::Relu: return visit([=](f32 x) { return simd::select(x <= zero, zero, x); });
    case Activation::Gelu:
      return visit([](f32 x) {
        const f32 y = finite_below(x);
        return y * simd::normal_cdf(y);
      });
    case Activation::GeluTanh:
      return visit([](f32 x) {
        const f32 y = finite_below(x), z = simd::without_tiny(y);
        return y * simd::sigmoid(splat(kSlope) * z * simd::madd(splat(kCubic) * z, z, splat(1.0f)));
      });
    case Activation::Silu:
      return visit([=](f32 x) {
        const f32 y = finite_below(x);
        return y * simd::sigmoid(p * y);
      });
    case Activation::Elu:
      return visit([=](f32 x) { return simd::select(x > zero, x, p * simd::expm1(simd::select(x > zero, zero, x))); });
    case Activation::LeakyRelu: return visit([=](f32 x) { return simd::select(x < zero, p * x, x); });
    case Activation::Tanh: return visit([](f32 x) { return simd::tanh(x); });
    case Activation::Sigmoid: return visit([](f32 x) { return simd::sigmoid(x); });
  }
}

/// Calls run(row, from, count) for chunks of `rows` × `columns` elements, on all threads where they are many.
template <class Run>
void for_chunks(std::size_t rows, std::size_t columns, ThreadPool* pool, Run run) noexcept {
  const std::size_t chunks = (columns + kChunk - 1) / kChunk;
  if (chunks == 0) return;
  // Short rows go together: a task of its own for each costs more than it does.
  const std::size_t together = std::max<std::size_t>(1, kChunk / columns);
  const std::size_t tasks = chunks == 1 ? (rows + together - 1) / together : rows * chunks;
  parallel_for(is_short_work(rows, columns, kCost) ? nullptr : pool, tasks, [&](std::size_t task, std::size_t) {
    if (chunks == 1) {
      const std::size_t end = std::min(rows, (task + 1) * together);
      for (std::size_t row = task * together; row < end; ++row) run(row, std::size_t{0}, columns);
    } else {
      const std::size_t from = task % chunks * kChunk;
      run(task / chunks, from, std::min(kChunk, columns - from));
    }
  });
}

}  // namespace

void activate(const ActivationArgs& function, const float* x, std::size_t count, float* y) noexcept {
  with_function(function, [=](auto f) { map(x, count, y, f); });
}

RowEpilogue epilogue_of(const ActivationArgs& function) noexcept {
  if (function.kind == Activation::None) return {};
  const auto apply = [](const void* context, float* row, std::size_t columns) noexcept {
    activate(*static_cast<const ActivationArgs*>(context), row, columns, row);
  };
  return {apply, &function};
}

void activate_rows(const ActivationArgs& function, const float* x, std::ptrdiff_t x_row, std::size_t rows, std::size_t columns,
                   float* y, ThreadPool* pool) noexcept {
  for_chunks(rows, columns, pool, [&](std::size_t row, std::size_t from, std::size_t count) {
    activate(function, x + static_cast<std::ptrdiff_t>(row) * x_row + from, count, y + row * columns + from);
  });
}

void gate_rows(const ActivationArgs& function, const float* x, std::size_t rows, std::size_t half, float* y,
               ThreadPool* pool) noexcept {
  for_chunks(rows, half, pool, [&](std::size_t row, std::size_t from, std::size_t count) {
    const float* const a = x + row * 2 * half + from;
    float* const to = y + row * half + from;
    activate(function, a + half, count, to);
    map(a, to, count, to, [](f32 left, f32 gate) { return left * gate; });
  });
}

}  // namespace fovea

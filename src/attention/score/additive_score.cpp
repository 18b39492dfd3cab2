#include "attention/score/additive_score.hpp"

#include <algorithm>
#include <limits>

#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
/// exp(2 · 43) = 2.2e37 and exp(-2 · 43) = 4.5e-38 are normal float32 numbers: no product of two is 0 · inf.
constexpr float kFar = 43.0f;

f32 exp_2x_of(f32 x) noexcept { return simd::select(simd::abs(x) <= splat(kFar), simd::exp(x + x), splat(kNan)); }

/// tanh(q + k) of exp(2 q) and exp(2 k)
struct TanhOfFactors {
  f32 one = splat(simd::kExp.one), two = one + one;  // loaded, as kExp says

  f32 operator()(f32 q, f32 k) const noexcept { return one - two / madd(q, k, one); }
};

struct TanhOfSum {
  f32 operator()(f32 q, f32 k) const noexcept { return simd::tanh_of_exp(q + k); }
};

/// 0, loaded as kExp says
f32 loaded_zero() noexcept { return splat(simd::kExp.one) - splat(simd::kExp.one); }

/// max(q + k, 0); a NaN passes.
struct ReluOfSum {
  f32 zero = loaded_zero();

  f32 operator()(f32 q, f32 k) const noexcept { return simd::at_least(q + k, zero); }
};

/// q + k, times the slope below 0; a NaN passes.
struct LeakyReluOfSum {
  f32 slope, zero = loaded_zero();

  f32 operator()(f32 q, f32 k) const noexcept {
    const f32 sum = q + k;
    return simd::select(sum < zero, slope * sum, sum);
  }
};

/// Calls visit with the activation: for tanh, `Tanh`.
template <class Tanh, class Visit>
void with_activation(const ActivationArgs& f, Visit visit) noexcept {
  switch (f.kind) {
    case Activation::Tanh: return visit(Tanh{});
    case Activation::Relu: return visit(ReluOfSum{});
    case Activation::LeakyRelu: return visit(LeakyReluOfSum{splat(f.parameter)});
    default: return visit(LeakyReluOfSum{splat(1.0f)});  // None
  }
}

/// Four columns of a panel.
template <class F>
inline void score_columns(const F& f, const float* q, const float* k, const float* w, std::size_t depth, float* c,
                          std::size_t c_stride) noexcept {
  f32 sums[kMr];
  for (f32& sum : sums) sum = splat(0.0f);
  for (std::size_t a = 0; a < depth; ++a, q += kMr, k += kNr) {
    const f32 key = load(k), weight = splat(w[a]);
    for (std::size_t r = 0; r < kMr; ++r) sums[r] = madd(weight, f(splat(q[r]), key), sums[r]);
  }
  for (std::size_t r = 0; r < kMr; ++r) store(c + r * c_stride, sums[r]);
}

template <class F>
void score_gathered(const F& f, const float* w, const float* q, SourceRows rows, std::size_t count, std::size_t depth,
                    float* out) noexcept {
  for (std::size_t n = 0; n < count; n += f32::size) {
    const float* row[f32::size];
    for (std::size_t r = 0; r < f32::size; ++r) row[r] = rows.at(std::min(n + r, count - 1));
    f32 sums[f32::size];
    for (f32& sum : sums) sum = splat(0.0f);
    std::size_t a = 0;
    for (; a + f32::size <= depth; a += f32::size) {
      const f32 query = load(q + a), weight = load(w + a);
      for (std::size_t r = 0; r < f32::size; ++r) sums[r] = madd(weight, f(query, load(row[r] + a)), sums[r]);
    }
    simd::transpose(sums);
    f32 total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; a < depth; ++a) {
      const float last[f32::size] = {row[0][a], row[1][a], row[2][a], row[3][a]};
      total = madd(splat(w[a]), f(splat(q[a]), load(last)), total);
    }
    store(out + n, total);
  }
}

}  // namespace

void exp_2x(float* x, std::size_t count) noexcept {
  std::size_t n = 0;
  for (; n + f32::size <= count; n += f32::size) store(x + n, exp_2x_of(load(x + n)));
  for (; n < count; ++n) x[n] = exp_2x_of(splat(x[n])).get(0);
}

void additive_scores(const AdditiveScore& score, const float* q, const float* k, std::size_t depth, std::size_t panels,
                     float* c, std::size_t c_stride) noexcept {
  with_activation<TanhOfFactors>(score.f, [&](const auto& f) {
    for (std::size_t p = 0; p < panels; ++p) {
      for (std::size_t half = 0; half < kNr; half += f32::size) {
        score_columns(f, q, k + p * depth * kNr + half, score.w, depth, c + p * kNr + half, c_stride);
      }
    }
  });
}

void gathered_additive_scores(const AdditiveScore& score, const float* q, SourceRows rows, std::size_t count, std::size_t depth,
                              float* out) noexcept {
  with_activation<TanhOfSum>(score.f, [&](const auto& f) { score_gathered(f, score.w, q, rows, count, depth, out); });
}

}  // namespace fovea

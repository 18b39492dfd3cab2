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

/// Four columns of a panel.
inline void score_columns(const float* q, const float* k, const float* w, std::size_t depth, float* c,
                          std::size_t c_stride) noexcept {
  const f32 one = splat(simd::kExp.one), two = one + one;  // loaded, as kExp says
  f32 sums[kMr];
  for (f32& sum : sums) sum = splat(0.0f);
  for (std::size_t a = 0; a < depth; ++a, q += kMr, k += kNr) {
    const f32 key = load(k), weight = splat(w[a]);
    for (std::size_t r = 0; r < kMr; ++r) {
      const f32 tanh = one - two / madd(splat(q[r]), key, one);
      sums[r] = madd(weight, tanh, sums[r]);
    }
  }
  for (std::size_t r = 0; r < kMr; ++r) store(c + r * c_stride, sums[r]);
}

}  // namespace

void exp_2x(float* x, std::size_t count) noexcept {
  std::size_t n = 0;
  for (; n + f32::size <= count; n += f32::size) store(x + n, exp_2x_of(load(x + n)));
  for (; n < count; ++n) x[n] = exp_2x_of(splat(x[n])).get(0);
}

void additive_scores(const float* q, const float* k, const float* w, std::size_t depth, std::size_t panels, float* c,
                     std::size_t c_stride) noexcept {
  for (std::size_t p = 0; p < panels; ++p, k += depth * kNr, c += kNr) {
    for (std::size_t half = 0; half < kNr; half += f32::size) {
      score_columns(q, k + half, w, depth, c + half, c_stride);
    }
  }
}

void gathered_additive_scores(const float* q, const float* w, SourceRows rows, std::size_t count, std::size_t depth,
                              float* out) noexcept {
  for (std::size_t n = 0; n < count; n += f32::size) {
    const float* row[f32::size];
    for (std::size_t r = 0; r < f32::size; ++r) row[r] = rows.at(std::min(n + r, count - 1));
    f32 sums[f32::size];
    for (f32& sum : sums) sum = splat(0.0f);
    std::size_t a = 0;
    for (; a + f32::size <= depth; a += f32::size) {
      const f32 query = load(q + a), weight = load(w + a);
      for (std::size_t r = 0; r < f32::size; ++r) sums[r] = madd(weight, simd::tanh_of_exp(query + load(row[r] + a)), sums[r]);
    }
    simd::transpose(sums);
    f32 total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; a < depth; ++a) {
      const float last[f32::size] = {row[0][a], row[1][a], row[2][a], row[3][a]};
      total = madd(splat(w[a]), simd::tanh_of_exp(splat(q[a]) + load(last)), total);
    }
    store(out + n, total);
  }
}

}  // namespace fovea

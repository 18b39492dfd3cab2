#include "attention/backward/additive_gradients.hpp"

#include <algorithm>
#include <bit>

#include "gemm/panels.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

struct ValueAndSlope {
  f32 value, slope;
};

struct TanhWithSlope {
  f32 one = splat(1.0f);

  ValueAndSlope operator()(f32 x) const noexcept {
    const f32 y = simd::tanh_of_exp(x);
    return {y, (one - y) * (one + y)};
  }
};

/// x above 0, times the slope elsewhere; relu's slope is 0, the identity's 1.
struct LinesWithSlope {
  f32 slope, one = splat(1.0f);

  ValueAndSlope operator()(f32 x) const noexcept {
    const f32 by = simd::select(x <= splat(0.0f), slope, one);  // of a NaN 1, times the NaN
    return {by * x, by};
  }
};

template <class Visit>
void with_slope(const ActivationArgs& f, Visit visit) noexcept {
  switch (f.kind) {
    case Activation::Tanh: return visit(TanhWithSlope{});
    case Activation::Relu: return visit(LinesWithSlope{splat(0.0f)});
    case Activation::LeakyRelu: return visit(LinesWithSlope{splat(f.parameter)});
    default: return visit(LinesWithSlope{splat(1.0f)});  // None
  }
}

/// Four numbers of a row from `d` on, 0 beyond its end; and back.
f32 load_part(const float* row, std::size_t d, std::size_t width) noexcept {
  if (d + f32::size <= width) return load(row + d);
  float part[f32::size] = {};
  std::copy(row + d, row + width, part);
  return load(part);
}
void store_part(float* row, std::size_t d, std::size_t width, f32 x) noexcept {
  if (d + f32::size <= width) return store(row + d, x);
  float part[f32::size];
  store(part, x);
  std::copy_n(part, width - d, row + d);
}

/// Four columns from `d` on, of all pairs.
template <class F>
void add_columns(const F& f, const float* w, const AdditivePairs& pairs, const AdditiveSums& sums, std::size_t d) noexcept {
  const std::size_t panel = d / kNr, half = d % kNr;
  const float* const k = pairs.k + panel * pairs.keys * kNr + half;
  float* const d_k = sums.d_k == nullptr ? nullptr : sums.d_k + panel * sums.d_k_rows * kNr + half;
  const f32 weight = load_part(w, d, pairs.width);
  f32 d_w = sums.d_w == nullptr ? splat(0.0f) : load_part(sums.d_w, d, pairs.width);
  for (std::size_t i = 0; i < pairs.queries; ++i) {
    const f32 q = load(pairs.q + (panel * pairs.queries + i) * kNr + half);
    float* const row =
        sums.d_q == nullptr
            ? nullptr
            : sums.d_q + static_cast<std::ptrdiff_t>(sums.d_q_list != nullptr ? sums.d_q_list[i] : i) * sums.d_q_stride;
    f32 d_q = row == nullptr ? splat(0.0f) : load_part(row, d, pairs.width);
    for (std::uint64_t left = pairs.allowed[i]; left != 0; left &= left - 1) {
      const auto j = static_cast<std::size_t>(std::countr_zero(left));
      const auto [value, slope] = f(q + load(k + j * kNr));
      const f32 dx = splat(pairs.dx[i * kKeyTile + j]), weighed = dx * weight;
      d_w = madd(dx, value, d_w);
      d_q = madd(weighed, slope, d_q);
      if (d_k != nullptr) store(d_k + j * kNr, madd(weighed, slope, load(d_k + j * kNr)));
    }
    if (row != nullptr) store_part(row, d, pairs.width, d_q);
  }
  if (sums.d_w != nullptr) store_part(sums.d_w, d, pairs.width, d_w);
}

}  // namespace

void add_additive_gradients(const AdditiveScore& score, const AdditivePairs& pairs, const AdditiveSums& sums) noexcept {
  with_slope(score.f, [&](const auto& f) {
    for (std::size_t d = 0; d < pairs.width; d += f32::size) add_columns(f, score.w, pairs, sums, d);
  });
}

}  // namespace fovea

#include "attention/softmax/row_results.hpp"

#include <algorithm>
#include <cmath>

#include "attention/softmax/weight_scale.hpp"
#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

/// The exponential of -80 is far above the smallest normal number.
constexpr float kFarSink = 80.0f;

void normalize_weights(const RowScale& row, std::size_t keys, float* weights) noexcept {
  const f32 m = splat(row.m), scale = splat(row.scale);
  const auto normalize = [&](f32 s) { return simd::exp(s - m) * scale; };
  std::size_t j = 0;
  for (; j + f32::size <= keys; j += f32::size) store(weights + j, normalize(load(weights + j)));
  for (; j < keys; ++j) weights[j] = normalize(splat(weights[j])).get(0);
}

}  // namespace

RowScale::RowScale(float row_max, const float* lanes, float sink) noexcept
    : m(0.0f), l(simd::reduce_add(load(lanes))), scale(0.0f), empty(true) {
  // The row maximum adds at least exp(-kRescaleThreshold) to l, so a sum of 0 means that there was no score. (m alone does not
  // tell: a NaN may hide from the maximum, never from the sum.)
  if (l == 0.0f) return;
  m = row_max;
  scale = 1.0f / l;
  empty = false;
  if (sink == kMinusInfinity) return;
  const float shift = sink > row_max ? sink : row_max;
  if (shift - row_max > kFarSink) {
    // exp(row_max - sink) may be 0 where the weights are not, as row_max may lie kRescaleThreshold below their score.
    const float root = simd::exp(0.5f * (row_max - sink));
    scale = root / (l * root * root + 1.0f) * root;
    return;
  }
  const float factor = simd::exp(row_max - shift);
  scale = factor / (l * factor + simd::exp(sink - shift));
}

float RowScale::lse() const noexcept { return empty ? kMinusInfinity : m + std::log(l); }

void write_output(const RowScale& row, const float* o, std::size_t width, float* out) noexcept {
  if (row.empty) {
    std::fill_n(out, width, 0.0f);
    return;
  }
  std::size_t c = 0;
  for (; c + f32::size <= width; c += f32::size) store(out + c, load(o + c) * splat(row.scale));
  for (; c < width; ++c) out[c] = o[c] * row.scale;
}

float* weights_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query) noexcept {
  return args.weights != nullptr ? args.weights + args.row_index(batch, head, query) * args.keys : nullptr;
}

void write_row(const AttentionArgs& args, std::size_t batch, std::size_t head, std::size_t query, float m, const float* l,
               const float* o) noexcept {
  const RowScale row(m, l, args.sinks != nullptr ? args.sinks[head] : kMinusInfinity);
  write_output(row, o, args.value_width, args.output.row(batch, head, query));
  if (float* const weights = weights_row(args, batch, head, query); weights != nullptr) {
    normalize_weights(row, args.keys, weights);
  }
  if (const auto& [indptr, indices, values] = args.sparse_weights; values != nullptr) {
    const std::int32_t* const range = indptr + args.row_index(batch, head, query);
    normalize_weights(row, static_cast<std::size_t>(range[1] - range[0]), values + range[0]);
  }
  scale_row_weights(args, batch, head, query);
  if (args.lse != nullptr) args.lse[args.row_index(batch, head, query)] = row.lse();
}

}  // namespace fovea

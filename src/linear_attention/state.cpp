#include "linear_attention/state.hpp"

#include <algorithm>
#include <cmath>

#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

/// Calls visit(feature, first column, columns) for each contiguous segment of S.
template <class Visit>
void for_each_segment(const LinearSizes& sizes, Visit visit) noexcept {
  for (std::size_t f = 0; f < sizes.features; ++f) {
    for (std::size_t c = 0; c < sizes.value_width; c += sizes.side_by_side()) {
      visit(f, c, std::min(sizes.side_by_side(), sizes.value_width - c));
    }
  }
}

/// Row f of the sums, z included, times `factor`.
void scale_row(const LinearSizes& sizes, float* s, std::size_t f, float factor) noexcept {
  const f32 by = splat(factor);
  const auto scale = [by](float* row, std::size_t count) {
    for (std::size_t c = 0; c < count; c += f32::size) store(row + c, load(row + c) * by);
  };
  if (!sizes.is_in_panels) return scale(s + sizes.at(f, 0), sizes.stride);
  for (std::size_t c = 0; c < sizes.value_width; c += kNr) scale(s + sizes.at(f, c), kNr);
  if (sizes.has_ones) s[sizes.z_at(f)] *= factor;
}

/// exp(from[f] - to[f]) of four features in a row, the bits of rescale_factor(); of fewer where they end
struct RescaleFactors {
  alignas(16) float factors[f32::size];

  RescaleFactors(const float* from, const float* to, std::size_t count) noexcept {
    alignas(16) float a[f32::size] = {}, b[f32::size] = {};
    std::copy_n(from, std::min(count, f32::size), a);
    std::copy_n(to, std::min(count, f32::size), b);
    const f32 x = load(a), y = load(b);
    store(factors, simd::select(x == y, splat(1.0f), simd::exp(x - y)));
  }
};

}  // namespace

float rescale_factor(float from, float to) noexcept { return from == to ? 1.0f : simd::exp(from - to); }

void LinearSums::clear(const LinearSizes& sizes) const noexcept {
  std::fill_n(s, sizes.sum_floats(), 0.0f);
  std::fill_n(m, sizes.stabilizers, kMinusInfinity);
}

void LinearSums::rescale(const LinearSizes& sizes, const float* higher) const noexcept {
  for (std::size_t first = 0; first < sizes.stabilizers; first += f32::size) {
    const RescaleFactors own(m + first, higher + first, sizes.stabilizers - first);
    for (std::size_t f = first; f < std::min(first + f32::size, sizes.stabilizers); ++f) {
      if (higher[f] != m[f]) scale_row(sizes, s, f, own.factors[f - first]);
      m[f] = higher[f];
    }
  }
}

void LinearSums::rescale_and_add(const LinearSizes& sizes, const float* higher, const LinearSums& other) const noexcept {
  for (std::size_t first = 0; first < sizes.stabilizers; first += f32::size) {
    const RescaleFactors own(m + first, higher + first, sizes.stabilizers - first);
    const RescaleFactors others(other.m + first, higher + first, sizes.stabilizers - first);
    for (std::size_t f = first; f < std::min(first + f32::size, sizes.stabilizers); ++f) {
      const float ours = own.factors[f - first], theirs = others.factors[f - first];
      for (std::size_t c = 0; c < sizes.value_width; c += kNr) {
        const float* const row = other.s + sizes.at(f, c);
        float* const sum = s + sizes.at(f, c);
        for (std::size_t i = 0; i < kNr; i += f32::size) {
          store(sum + i, simd::madd(load(row + i), splat(theirs), load(sum + i) * splat(ours)));
        }
      }
      if (sizes.has_ones) s[sizes.z_at(f)] = s[sizes.z_at(f)] * ours + other.s[sizes.z_at(f)] * theirs;
      m[f] = higher[f];
    }
  }
}

void LinearSums::copy_to(const LinearSizes& sizes, const LinearSums& to) const noexcept {
  std::copy_n(s, sizes.sum_floats(), to.s);
  std::copy_n(m, sizes.stabilizers, to.m);
}

void add_sums(const LinearSizes& sizes, const LinearSums& sums, float* compensation, const LinearSums& part) noexcept {
  for (std::size_t f = 0; f < sizes.stabilizers; ++f) {
    if (part.m[f] > sums.m[f]) {
      const float factor = rescale_factor(sums.m[f], part.m[f]);
      scale_row(sizes, sums.s, f, factor);
      scale_row(sizes, compensation, f, factor);
      sums.m[f] = part.m[f];
    } else if (part.m[f] < sums.m[f]) {
      scale_row(sizes, part.s, f, rescale_factor(part.m[f], sums.m[f]));
    }
  }
  for (std::size_t i = 0; i < sizes.sum_floats(); i += f32::size) {
    // compensation <- compensation + what the sum of the greater and the lesser loses
    const f32 a = load(sums.s + i), b = load(part.s + i), sum = a + b;
    const auto a_is_greater = simd::abs(a) >= simd::abs(b);
    const f32 lost = simd::select(a_is_greater, (a - sum) + b, (b - sum) + a);
    store(sums.s + i, sum);
    // An infinite sum loses nothing: without this, infinity - infinity would make it NaN.
    store(compensation + i, load(compensation + i) + simd::select(lost == lost, lost, splat(0.0f)));
  }
}

void divide_by_ones(const LinearSizes& sizes, const LinearSums& sums, float* compensation) noexcept {
  for_each_segment(sizes, [&](std::size_t f, std::size_t c, std::size_t count) {
    float *const s = sums.s + sizes.at(f, c), *const lost = compensation + sizes.at(f, c);
    const float z = sums.s[sizes.z_at(f)] + compensation[sizes.z_at(f)];
    for (std::size_t i = 0; i < count; ++i) {
      s[i] = (s[i] + lost[i]) / z;
      lost[i] = 0.0f;
    }
  });
}

void read_state(const LinearArgs& args, const LinearSizes& sizes, std::size_t head, const LinearSums& sums) noexcept {
  sums.clear(sizes);
  if (args.s == nullptr || args.features.map == FeatureMap::Softmax) return;
  const std::size_t first = head * sizes.features;
  for_each_segment(sizes, [&](std::size_t f, std::size_t c, std::size_t count) {
    std::copy_n(args.s + (first + f) * args.value_width + c, count, sums.s + sizes.at(f, c));
  });
  for (std::size_t f = 0; args.normalize && f < sizes.features; ++f) sums.s[sizes.z_at(f)] = args.z[first + f];
  if (sizes.stabilizers > 0) std::copy_n(args.m + first, sizes.stabilizers, sums.m);
}

void write_state(const LinearArgs& args, const LinearSizes& sizes, std::size_t head, const LinearSums& sums,
                 const float* compensation) noexcept {
  if (args.s == nullptr) return;
  const auto sum = [&](std::size_t at) { return compensation != nullptr ? sums.s[at] + compensation[at] : sums.s[at]; };
  const std::size_t first = head * sizes.features;
  for_each_segment(sizes, [&](std::size_t f, std::size_t c, std::size_t count) {
    float* const s = args.s + (first + f) * args.value_width + c;
    for (std::size_t i = 0; i < count; ++i) s[i] = sum(sizes.at(f, c) + i);
  });
  for (std::size_t f = 0; args.normalize && f < sizes.features; ++f) args.z[first + f] = sum(sizes.z_at(f));
  if (sizes.stabilizers > 0) std::copy_n(sums.m, sizes.stabilizers, args.m + first);
}

float linear_divisor(const LinearArgs& args, float sum, float exponent) noexcept {
  return args.eps == 0.0f ? sum : sum + args.eps * std::exp(-exponent);
}

void write_linear_row(const LinearArgs& args, const float* o, float exponent, float* out) noexcept {
  const std::size_t width = args.value_width;
  const float scale = args.output_scale;
  if (args.normalize) {
    // The divisor may be so small that its inverse is infinite.
    const float divisor = linear_divisor(args, o[width], exponent);
    std::size_t c = 0;
    for (; c + f32::size <= width; c += f32::size) store(out + c, splat(scale) * (load(o + c) / splat(divisor)));
    for (; c < width; ++c) out[c] = scale * (o[c] / divisor);
  } else if (exponent == 0.0f) {
    std::size_t c = 0;
    for (; c + f32::size <= width; c += f32::size) store(out + c, splat(scale) * load(o + c));
    for (; c < width; ++c) out[c] = scale * o[c];
  } else {
    // In double: the factor may be far above what a float holds where o is as far below 1.
    const double factor = static_cast<double>(scale) * std::exp(static_cast<double>(exponent));
    for (std::size_t c = 0; c < width; ++c) out[c] = static_cast<float>(static_cast<double>(o[c]) * factor);
  }
}

bool is_without_keys(const LinearArgs& args, std::size_t batch, std::size_t head) noexcept {
  if (args.length(batch) > 0) return false;
  if (args.s == nullptr || args.features.map == FeatureMap::Softmax) return true;
  const std::size_t index = batch * args.kv_heads + head;
  if (args.features.is_stabilized()) {
    const std::size_t features = args.features.count();
    const float* const m = args.m + index * features;
    return std::all_of(m, m + features, [](float x) { return x == kMinusInfinity; });
  }
  const std::size_t width = args.normalize ? 1 : args.value_width, count = args.features.count() * width;
  const float* const sums = (args.normalize ? args.z : args.s) + index * count;
  return std::all_of(sums, sums + count, [](float x) { return x == 0.0f; });
}

void write_values(const LinearArgs& args, const LinearSizes& sizes, const float* v, float* row) noexcept {
  // Not copy_n: that is a call, which costs as much as a row of this size.
  std::size_t c = 0;
  for (; c + f32::size <= args.value_width; c += f32::size) store(row + c, load(v + c));
  for (; c < args.value_width; ++c) row[c] = v[c];
  std::fill_n(row + args.value_width, sizes.stride - args.value_width, 0.0f);
  if (args.normalize) row[args.value_width] = 1.0f;
}

}  // namespace fovea

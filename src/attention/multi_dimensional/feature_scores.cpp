#include "attention/multi_dimensional/feature_scores.hpp"

#include <algorithm>
#include <bit>

#include "attention/score/additive_score.hpp"
#include "core/bits.hpp"
#include "gemm/panels.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

constexpr std::size_t kTileRows = round_up(kKeyTile, kMr);

bool is_bounded(const MultiDimensionalArgs& args) noexcept { return args.score == FeatureScore::Bounded; }

void copy_padded(const float* from, std::size_t width, std::size_t stride, float* to) noexcept {
  std::copy_n(from, width, to);
  std::fill(to + width, to + stride, 0.0f);
}

/// to <- the factors of x / c (additive_score.hpp)
void bounded_factors(const float* x, std::size_t count, float bound, float* to) noexcept {
  for (std::size_t n = 0; n < count; n += f32::size) store(to + n, load(x + n) / splat(bound));
  exp_2x(to, count);
}

/// s[j] <- c tanh((q + k[j]) / c)
void score_bounded(const float* q, const float* q_factors, float bound, std::uint64_t keys, const FeatureTile& tile) noexcept {
  const f32 one = splat(simd::kExp.one), two = one + one, c = splat(bound);
  for (; keys != 0; keys &= keys - 1) {
    const auto j = static_cast<std::size_t>(std::countr_zero(keys));
    const float* const factors = tile.factors + j * tile.width_stride;
    for (std::size_t d = 0; d < tile.width_stride; d += f32::size) {
      f32 tanh = one - two / simd::madd(load(q_factors + d), load(factors + d), one);
      const auto unknown = tanh != tanh;
      if (unknown.mask() != 0) {
        tanh = simd::select(unknown, simd::tanh_of_exp((load(q + d) + load(tile.k + j * tile.width_stride + d)) / c), tanh);
      }
      store(tile.s + j * tile.feature_stride + d, c * tanh);
    }
  }
}

f32 elu(f32 x) noexcept {
  const f32 zero = splat(0.0f);
  const auto positive = x > zero;
  return simd::select(positive, x, simd::exp(simd::select(positive, zero, x)) - splat(1.0f));
}

/// s[j] <- σ(q + k[j]) W + b, a row panel of keys at a time; one without a key that is asked for is left out.
void score_general(const MultiDimensionalArgs& args, const float* q, std::uint64_t keys, const float* w_panels,
                   const FeatureTile& tile) noexcept {
  const std::size_t width = args.inputs.width, features = args.inputs.value_width;
  float* const panel = tile.hidden + kMr * tile.width_stride;
  const auto count = static_cast<std::size_t>(std::bit_width(keys));
  for (std::size_t j = 0; j < count; j += kMr) {
    const std::size_t rows = std::min(kMr, count - j);
    if ((keys & bit_range(j, j + rows)) == 0) continue;
    for (std::size_t r = 0; r < rows; ++r) {
      const float* const key = tile.k + (j + r) * tile.width_stride;
      for (std::size_t e = 0; e < tile.width_stride; e += f32::size) {
        const f32 x = load(q + e) + load(key + e);
        store(tile.hidden + r * tile.width_stride + e, args.score == FeatureScore::Tanh ? simd::tanh_of_exp(x) : elu(x));
      }
    }
    pack_row_panel({tile.hidden, static_cast<std::ptrdiff_t>(tile.width_stride)}, rows, width, 1.0f, panel);
    multiply_panels(panel, w_panels, width, tile.feature_stride / kNr, tile.s + j * tile.feature_stride, tile.feature_stride);
    for (std::size_t r = 0; r < rows && args.bias != nullptr; ++r) {
      float* const s = tile.s + (j + r) * tile.feature_stride;
      for (std::size_t d = 0; d < features; ++d) s[d] += args.bias[d];
    }
  }
}

}  // namespace

FeatureTile::FeatureTile(const MultiDimensionalArgs& args, Workspace& workspace) noexcept
    : width_stride(round_up(args.inputs.width, f32::size)),
      feature_stride(round_up(args.inputs.value_width, kNr)),
      k(workspace.take<float>(kKeyTile, width_stride)),
      factors(workspace.take<float>(is_bounded(args) ? kKeyTile : 0, width_stride)),
      s(workspace.take<float>(kTileRows, feature_stride)),
      hidden(workspace.take<float>(is_bounded(args) ? 0 : 2 * kMr, width_stride)) {}

float* take_feature_weights(const MultiDimensionalArgs& args, Workspace& workspace) noexcept {
  return workspace.take<float>(is_bounded(args) ? 0 : args.inputs.width, round_up(args.inputs.value_width, kNr));
}

void pack_feature_weights(const MultiDimensionalArgs& args, float* panels) noexcept {
  if (is_bounded(args)) return;
  const auto& [data, rows, columns, row_stride, column_stride] = args.w;
  if (column_stride == 1) {
    pack_columns({data, row_stride}, rows, columns, 0, rows, panels);
  } else {
    pack_columns_of_transpose({data, column_stride}, columns, rows, panels);
  }
}

void load_keys(const MultiDimensionalArgs& args, SourceRows keys, std::size_t count, const FeatureTile& tile) noexcept {
  for (std::size_t j = 0; j < count; ++j) {
    copy_padded(keys.at(j), args.inputs.width, tile.width_stride, tile.k + j * tile.width_stride);
  }
  if (is_bounded(args)) bounded_factors(tile.k, count * tile.width_stride, args.bound, tile.factors);
}

void score_features(const MultiDimensionalArgs& args, const float* row, std::uint64_t keys, const float* w_panels,
                    const FeatureTile& tile, float* query) noexcept {
  copy_padded(row, args.inputs.width, tile.width_stride, query);
  if (!is_bounded(args)) return score_general(args, query, keys, w_panels, tile);
  float* const factors = query + tile.width_stride;
  bounded_factors(query, tile.width_stride, args.bound, factors);
  score_bounded(query, factors, args.bound, keys, tile);
}

}  // namespace fovea

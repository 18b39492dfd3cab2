#include "attention/multi_dimensional/feature_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "attention/problem/query_block.hpp"
#include "attention/score/score_bias.hpp"
#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;
using simd::store;

/// Queries that share a tile's packing and factors, which then cost a thirtieth of the scores.
constexpr std::size_t kRows = 32;

/// Calls visit(j) for the allowed keys of a tile.
template <class Visit>
inline void for_each_key(std::uint64_t allowed, Visit visit) noexcept {
  for (; allowed != 0; allowed &= allowed - 1) visit(static_cast<std::size_t>(std::countr_zero(allowed)));
}

/// A feature that has seen no key, or none above -inf, has m = -inf; subtracting 0 instead keeps exp(-inf - m) at 0.
f32 finite_shift(f32 m) noexcept { return simd::select(m == splat(kMinusInfinity), splat(0.0f), m); }

}  // namespace

std::size_t feature_block_rows(const MultiDimensionalArgs& args) noexcept {
  return args.plans != nullptr ? kQueryBlock : kRows;
}

std::size_t feature_sums_size(const MultiDimensionalArgs& args) noexcept {
  return clamped_count(saturated_product(3u, round_up(args.inputs.value_width, kNr)));
}

FeatureScratch::FeatureScratch(const MultiDimensionalArgs& args, Workspace& workspace) noexcept
    : tile(args, workspace),
      v(workspace.take<float>(kKeyTile, tile.feature_stride)),
      query(workspace.take<float>(2u, tile.width_stride)),
      sums(workspace.take<float>(feature_block_rows(args), feature_sums_size(args))) {}

void load_feature_tile(const MultiDimensionalArgs& args, const HeadIndex& head, const TokenList& keys,
                       const FeatureScratch& scratch) noexcept {
  const AttentionInputs& inputs = args.inputs;
  const std::size_t first = keys.list != nullptr ? 0 : keys.first, stride = scratch.tile.feature_stride;
  load_keys(args, {inputs.k.row(head.batch, head.kv_head, first), inputs.k.token, keys.list}, keys.count, scratch.tile);
  for (std::size_t j = 0; j < keys.count; ++j) {
    float* const v = scratch.v + j * stride;
    std::copy_n(inputs.v.row(head.batch, head.kv_head, keys.at(j)), inputs.value_width, v);
    std::fill(v + inputs.value_width, v + stride, 0.0f);
  }
}

float* FeatureRow::weights() const noexcept {
  const AttentionInputs& inputs = args.inputs;
  return inputs.weights + inputs.row_index(head.batch, head.head, query) * inputs.keys * inputs.value_width;
}

void FeatureRow::init() const noexcept {
  const std::size_t stride = scratch.tile.feature_stride;
  std::fill_n(sums(), stride, kMinusInfinity);
  std::fill_n(sums() + stride, 2 * stride, 0.0f);
  if (args.inputs.weights != nullptr) std::fill_n(weights(), args.inputs.keys * args.inputs.value_width, kMinusInfinity);
}

/// s[j] <- s[j] + float masks[i,j] + the plan's bias of the pair
void FeatureRow::add_masks(const TokenList& keys, std::uint64_t allowed) const noexcept {
  const AttentionInputs& inputs = args.inputs;
  const std::uint32_t* const words = args.plans == nullptr ? nullptr : args.plans[head.batch * inputs.heads + head.head];
  const bool has_listed = words != nullptr && Plan(words).tables() > 0;
  if (!has_listed && !inputs.has_float_mask()) return;
  ScoreTile added(head, {query, 1}, 1, keys);
  std::fill_n(added.s[0], keys.count, 0.0f);
  if (has_listed) add_listed_bias(Plan(words), nullptr, inputs.queries, added);
  for (const PairsView<float>& mask : {inputs.float_mask, inputs.key_float_mask}) {
    if (mask.data == nullptr) continue;
    const float* const entries = mask.row(head.batch, head.head, query);
    for_each_key(allowed, [&](std::size_t j) { added.s[0][j] += entries[static_cast<std::ptrdiff_t>(keys.at(j)) * mask.key]; });
  }
  for_each_key(allowed, [&](std::size_t j) {
    float* const s = scratch.tile.s + j * scratch.tile.feature_stride;
    const f32 bias = splat(added.s[0][j]);
    for (std::size_t d = 0; d < scratch.tile.feature_stride; d += f32::size) store(s + d, load(s + d) + bias);
  });
}

/// The sums of the query over a tile's allowed keys, four features at a time.
void FeatureRow::add_tile(std::uint64_t allowed) const noexcept {
  const std::size_t stride = scratch.tile.feature_stride;
  float *const m_row = sums(), *const l_row = m_row + stride, *const o_row = l_row + stride;
  for (std::size_t d = 0; d < stride; d += f32::size) {
    // m <- max(m, max_j s[j])
    const f32 before = load(m_row + d);
    f32 m = before;
    for_each_key(allowed, [&](std::size_t j) { m = simd::max(m, load(scratch.tile.s + j * stride + d)); });
    const f32 shift = finite_shift(m), factor = simd::exp(before - shift);
    // l <- l + Σ exp(s[j] - m);  o <- o + Σ exp(s[j] - m) v[j]
    f32 l = load(l_row + d) * factor, o = load(o_row + d) * factor;
    for_each_key(allowed, [&](std::size_t j) {
      const f32 p = simd::exp(load(scratch.tile.s + j * stride + d) - shift);
      l = l + p;
      o = simd::madd(p, load(scratch.v + j * stride + d), o);
    });
    store(m_row + d, m);
    store(l_row + d, l);
    store(o_row + d, o);
  }
}

void FeatureRow::add_pairs(const TokenList& keys, std::uint64_t allowed, const float* w_panels) const noexcept {
  if (allowed == 0) return;
  const AttentionInputs& inputs = args.inputs;
  score_features(args, inputs.q.row(head.batch, head.head, query), allowed, w_panels, scratch.tile, scratch.query);
  add_masks(keys, allowed);
  // The weights that are asked for hold the scores until finish() makes weights of them; -inf where a pair is forbidden.
  for_each_key(inputs.weights != nullptr ? allowed : 0, [&](std::size_t j) {
    std::copy_n(scratch.tile.s + j * scratch.tile.feature_stride, inputs.value_width,
                weights() + keys.at(j) * inputs.value_width);
  });
  add_tile(allowed);
}

void FeatureRow::finish() const noexcept {
  const AttentionInputs& inputs = args.inputs;
  const std::size_t width = inputs.value_width, stride = scratch.tile.feature_stride;
  const float *const m = sums(), *const l = m + stride, *const o = l + stride;
  float* const output = inputs.output.row(head.batch, head.head, query);
  for (std::size_t d = 0; d < width; ++d) output[d] = l[d] == 0.0f ? 0.0f : o[d] / l[d];
  if (args.lse != nullptr) {
    float* const lse = args.lse + inputs.row_index(head.batch, head.head, query) * width;
    for (std::size_t d = 0; d < width; ++d) lse[d] = l[d] == 0.0f ? kMinusInfinity : m[d] + std::log(l[d]);
  }
  for (std::size_t j = 0; j < inputs.keys && inputs.weights != nullptr; ++j) {
    float* const w = weights() + j * width;
    for (std::size_t d = 0; d < width; ++d) w[d] = l[d] == 0.0f ? 0.0f : simd::exp(w[d] - m[d]) / l[d];
  }
}

}  // namespace fovea

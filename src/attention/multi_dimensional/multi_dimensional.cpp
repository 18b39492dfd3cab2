#include "attention/multi_dimensional/multi_dimensional.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "attention/multi_dimensional/feature_scores.hpp"
#include "attention/problem/query_block.hpp"
#include "attention/score/tile_masks.hpp"
#include "core/bits.hpp"
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

/// The running sums of one query: each [feature_stride].
struct Sums {
  float *m, *l, *o;
};

struct Scratch {
  FeatureTile tile;
  float* v;      // [kKeyTile][feature_stride]
  float* query;  // two rows
  float* sums;   // [kRows][3][feature_stride]

  Scratch(const MultiDimensionalArgs& args, Workspace& workspace) noexcept
      : tile(args, workspace),
        v(workspace.take<float>(kKeyTile, tile.feature_stride)),
        query(workspace.take<float>(2u, tile.width_stride)),
        sums(workspace.take<float>(3 * kRows, tile.feature_stride)) {}

  [[nodiscard]] Sums sums_of(std::size_t row) const noexcept {
    const std::size_t stride = tile.feature_stride;
    float* const first = sums + 3 * row * stride;
    return {first, first + stride, first + 2 * stride};
  }
};

/// The scratch of a call.
struct CallScratch {
  float* w_panels;
  ThreadWorkspaces blocks;

  CallScratch(const MultiDimensionalArgs& args, std::size_t threads, Workspace& workspace) noexcept
      : w_panels(take_feature_weights(args, workspace)),
        blocks(workspace, threads, [&](Workspace& own) { Scratch(args, own); }) {}
};

/// Bit j: query `query` may see key `key` + j.
std::uint64_t allowed_bits(const AttentionInputs& inputs, const QueryBlock& block, std::size_t query, std::size_t key,
                           std::size_t keys) noexcept {
  ScoreTile tile(block, {query, 1}, 1, {key, keys});
  mark_allowed(inputs, inputs.positional_mask(block.batch), tile);
  return tile.allowed[0];
}

/// s[j] <- s[j] + mask[i,j], for the allowed j
void add_mask(const PairsView<float>& mask, const QueryBlock& block, std::size_t query, std::size_t key, std::uint64_t allowed,
              const FeatureTile& tile) noexcept {
  if (mask.data == nullptr) return;
  const float* const row = mask.row(block.batch, block.head, query);
  for (; allowed != 0; allowed &= allowed - 1) {
    const auto j = static_cast<std::size_t>(std::countr_zero(allowed));
    const f32 added = splat(row[static_cast<std::ptrdiff_t>(key + j) * mask.key]);
    float* const s = tile.s + j * tile.feature_stride;
    for (std::size_t d = 0; d < tile.feature_stride; d += f32::size) store(s + d, load(s + d) + added);
  }
}

/// Calls visit(j) for the allowed keys of a tile.
template <class Visit>
inline void for_each_key(std::uint64_t allowed, Visit visit) noexcept {
  for (; allowed != 0; allowed &= allowed - 1) visit(static_cast<std::size_t>(std::countr_zero(allowed)));
}

/// A feature that has seen no key, or none above -inf, has m = -inf; subtracting 0 instead keeps exp(-inf - m) at 0.
f32 finite_shift(f32 m) noexcept { return simd::select(m == splat(kMinusInfinity), splat(0.0f), m); }

/// The sums of a query over a tile's allowed keys, four features at a time.
void add_tile(const Scratch& scratch, std::uint64_t allowed, const Sums& sums) noexcept {
  const std::size_t stride = scratch.tile.feature_stride;
  for (std::size_t d = 0; d < stride; d += f32::size) {
    // m <- max(m, max_j s[j])
    const f32 before = load(sums.m + d);
    f32 m = before;
    for_each_key(allowed, [&](std::size_t j) { m = simd::max(m, load(scratch.tile.s + j * stride + d)); });
    const f32 shift = finite_shift(m), shrink = simd::exp(before - shift);
    // l <- l + Σ exp(s[j] - m);  o <- o + Σ exp(s[j] - m) v[j]
    f32 l = load(sums.l + d) * shrink, o = load(sums.o + d) * shrink;
    for_each_key(allowed, [&](std::size_t j) {
      const f32 p = simd::exp(load(scratch.tile.s + j * stride + d) - shift);
      l = l + p;
      o = simd::madd(p, load(scratch.v + j * stride + d), o);
    });
    store(sums.m + d, m);
    store(sums.l + d, l);
    store(sums.o + d, o);
  }
}

float* weights_of(const AttentionInputs& inputs, const QueryBlock& block, std::size_t query) noexcept {
  return inputs.weights + inputs.row_index(block.batch, block.head, query) * inputs.keys * inputs.value_width;
}

/// The weights that are asked for hold the scores until finish_row() makes weights of them; -inf where a pair is forbidden.
void keep_scores_of(const AttentionInputs& inputs, const QueryBlock& block, std::size_t query, std::size_t key,
                    std::uint64_t allowed, const FeatureTile& tile) noexcept {
  for_each_key(allowed, [&](std::size_t j) {
    std::copy_n(tile.s + j * tile.feature_stride, inputs.value_width,
                weights_of(inputs, block, query) + (key + j) * inputs.value_width);
  });
}

void attend_tile(const MultiDimensionalArgs& args, const QueryBlock& block, const Scratch& scratch, const float* w_panels,
                 std::size_t key) noexcept {
  const AttentionInputs& inputs = args.inputs;
  const std::size_t keys = std::min(kKeyTile, inputs.keys - key), stride = scratch.tile.feature_stride;
  load_keys(args, {inputs.k.row(block.batch, block.kv_head, key), inputs.k.token}, keys, scratch.tile);
  for (std::size_t j = 0; j < keys; ++j) {
    const float* const row = inputs.v.row(block.batch, block.kv_head, key + j);
    std::copy_n(row, inputs.value_width, scratch.v + j * stride);
    std::fill(scratch.v + j * stride + inputs.value_width, scratch.v + (j + 1) * stride, 0.0f);
  }
  for (std::size_t i = 0; i < block.count; ++i) {
    const std::size_t query = block.first + i;
    const std::uint64_t allowed = allowed_bits(inputs, block, query, key, keys);
    if (allowed == 0) continue;
    score_features(args, inputs.q.row(block.batch, block.head, query), keys, w_panels, scratch.tile, scratch.query);
    add_mask(inputs.float_mask, block, query, key, allowed, scratch.tile);
    add_mask(inputs.key_float_mask, block, query, key, allowed, scratch.tile);
    if (inputs.weights != nullptr) keep_scores_of(inputs, block, query, key, allowed, scratch.tile);
    add_tile(scratch, allowed, scratch.sums_of(i));
  }
}

/// output <- o / l;  weights <- exp(s - m) / l;  0 for a feature without a key above -inf
void finish_row(const AttentionInputs& inputs, const QueryBlock& block, std::size_t query, const Sums& sums) noexcept {
  float* const output = inputs.output.row(block.batch, block.head, query);
  for (std::size_t d = 0; d < inputs.value_width; ++d) output[d] = sums.l[d] == 0.0f ? 0.0f : sums.o[d] / sums.l[d];
  for (std::size_t j = 0; j < inputs.keys && inputs.weights != nullptr; ++j) {
    float* const weights = weights_of(inputs, block, query) + j * inputs.value_width;
    for (std::size_t d = 0; d < inputs.value_width; ++d) {
      weights[d] = sums.l[d] == 0.0f ? 0.0f : simd::exp(weights[d] - sums.m[d]) / sums.l[d];
    }
  }
}

void attend_block(const MultiDimensionalArgs& args, const QueryBlock& block, const float* w_panels,
                  Workspace workspace) noexcept {
  const AttentionInputs& inputs = args.inputs;
  const Scratch scratch(args, workspace);
  const std::size_t stride = scratch.tile.feature_stride;
  // Zero the padding: no uninitialized value is loaded.
  std::fill_n(scratch.tile.s, kKeyTile * stride, 0.0f);
  for (std::size_t i = 0; i < block.count; ++i) {
    const Sums sums = scratch.sums_of(i);
    std::fill_n(sums.m, stride, kMinusInfinity);
    std::fill_n(sums.l, 2 * stride, 0.0f);
    if (inputs.weights != nullptr) {
      std::fill_n(weights_of(inputs, block, block.first + i), inputs.keys * inputs.value_width, kMinusInfinity);
    }
  }
  const KeyRange range = inputs.positional_mask(block.batch).keys_of(block.first, block.count);
  for (std::size_t key = range.from / kKeyTile * kKeyTile; key < range.to; key += kKeyTile) {
    attend_tile(args, block, scratch, w_panels, key);
  }
  for (std::size_t i = 0; i < block.count; ++i) finish_row(inputs, block, block.first + i, scratch.sums_of(i));
}

Status check(const MultiDimensionalArgs& args) noexcept {
  const AttentionInputs& inputs = args.inputs;
  if (const Status status = check_inputs(inputs); status != Status::Ok) return status;
  if (inputs.appended_keys > 0) return Status::Option;
  if (args.score == FeatureScore::Bounded) {
    if (inputs.width != inputs.value_width) return Status::Shape;
    return args.bound > 0.0f && std::isfinite(args.bound) ? Status::Ok : Status::Value;
  }
  const MatrixView<const float>& w = args.w;
  const bool fits = w.rows == inputs.width && w.columns == inputs.value_width && (w.row_stride == 1 || w.column_stride == 1);
  return fits ? Status::Ok : Status::Shape;
}

/// Then there is nothing to do, however many rows there are.
bool has_no_results(const AttentionInputs& inputs) noexcept {
  return inputs.batch == 0 || inputs.heads == 0 || inputs.queries == 0 || inputs.value_width == 0;
}

}  // namespace

std::uint64_t multi_dimensional_workspace_bytes(const MultiDimensionalArgs& args, std::size_t threads) noexcept {
  if (check(args) != Status::Ok || has_no_results(args.inputs)) return 0;
  return count_bytes([&](Workspace& workspace) { CallScratch(args, threads, workspace); });
}

Status multi_dimensional_attention(const MultiDimensionalArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  const AttentionInputs& inputs = args.inputs;
  if (const Status status = check(args); status != Status::Ok || has_no_results(inputs)) return status;
  const CallScratch scratch(args, threads_of(pool), workspace);
  if (!workspace.sufficed()) return Status::Memory;
  pack_feature_weights(args, scratch.w_panels);
  const std::size_t per_head = (inputs.queries + kRows - 1) / kRows, heads = inputs.batch * inputs.heads;
  // A tanh and an exponential cost about sixteen multiply-adds.
  const std::size_t each_feature = 16 + (args.score == FeatureScore::Bounded ? 0 : inputs.width);
  const bool is_short = is_short_work(heads, inputs.queries, inputs.keys, each_feature, inputs.value_width);
  parallel_for(is_short ? nullptr : pool, heads * per_head, [&](std::size_t index, std::size_t thread) {
    const std::size_t first = index % per_head * kRows;
    const QueryBlock block = {inputs.head_at(index / per_head), first, std::min(kRows, inputs.queries - first)};
    attend_block(args, block, scratch.w_panels, scratch.blocks.of(thread));
  });
  return Status::Ok;
}

}  // namespace fovea

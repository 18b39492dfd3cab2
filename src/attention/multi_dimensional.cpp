#include "attention/multi_dimensional.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "attention/feature_scores.hpp"
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

  static Scratch take(const MultiDimensionalArgs& args, Workspace& workspace) noexcept {
    Scratch scratch;
    scratch.tile = FeatureTile::take(args, workspace);
    scratch.v = workspace.take(kKeyTile * scratch.tile.feature_stride);
    scratch.query = workspace.take(2 * scratch.tile.width_stride);
    scratch.sums = workspace.take(3 * kRows * scratch.tile.feature_stride);
    return scratch;
  }

  [[nodiscard]] Sums sums_of(std::size_t row) const noexcept {
    const std::size_t stride = tile.feature_stride;
    float* const first = sums + 3 * row * stride;
    return {first, first + stride, first + 2 * stride};
  }
};

std::size_t each_thread_floats(const MultiDimensionalArgs& args) noexcept {
  const std::size_t stride = round_up(args.attention.value_width, kPanelColumns);
  return feature_tile_floats(args) + workspace_round(kKeyTile * stride) +
         workspace_round(2 * round_up(args.attention.width, f32::size)) + workspace_round(3 * kRows * stride);
}

struct Block {
  std::size_t batch, head, kv_head, first, count;
};

/// Bit j: query `query` may see key `key` + j.
std::uint64_t allowed_bits(const AttentionArgs& args, const Block& block, std::size_t query, std::size_t key,
                           std::size_t keys) noexcept {
  ScoreTile tile;
  tile.batch = block.batch;
  tile.head = block.head;
  tile.kv_head = block.kv_head;
  tile.query = query;
  tile.queries = tile.rows = 1;
  tile.key = key;
  tile.keys = keys;
  mark_allowed(args, tile);
  return tile.allowed[0];
}

/// s[j] <- s[j] + mask[i,j], for the allowed j
void add_mask(const AttentionArgs& args, const Block& block, std::size_t query, std::size_t key, std::uint64_t allowed,
              const FeatureTile& tile) noexcept {
  if (args.float_mask.data == nullptr) return;
  const float* const row = args.float_mask.row(block.batch, block.head, query);
  for (; allowed != 0; allowed &= allowed - 1) {
    const auto j = static_cast<std::size_t>(std::countr_zero(allowed));
    const f32 added = splat(row[static_cast<std::ptrdiff_t>(key + j) * args.float_mask.key]);
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

float* weights_of(const AttentionArgs& args, const Block& block, std::size_t query) noexcept {
  return args.weights + args.row_index(block.batch, block.head, query) * args.keys * args.value_width;
}

/// The weights that are asked for hold the scores until finish_row() makes weights of them; -inf where a pair is forbidden.
void keep_scores_of(const AttentionArgs& args, const Block& block, std::size_t query, std::size_t key, std::uint64_t allowed,
                    const FeatureTile& tile) noexcept {
  for_each_key(allowed, [&](std::size_t j) {
    std::copy_n(tile.s + j * tile.feature_stride, args.value_width,
                weights_of(args, block, query) + (key + j) * args.value_width);
  });
}

void attend_tile(const MultiDimensionalArgs& given, const Block& block, const Scratch& scratch, const float* w_panels,
                 std::size_t key) noexcept {
  const AttentionArgs& args = given.attention;
  const std::size_t keys = std::min(kKeyTile, args.keys - key), stride = scratch.tile.feature_stride;
  load_keys(given, {args.k.row(block.batch, block.kv_head, key), args.k.token}, keys, scratch.tile);
  for (std::size_t j = 0; j < keys; ++j) {
    const float* const row = args.v.row(block.batch, block.kv_head, key + j);
    std::copy_n(row, args.value_width, scratch.v + j * stride);
    std::fill(scratch.v + j * stride + args.value_width, scratch.v + (j + 1) * stride, 0.0f);
  }
  for (std::size_t i = 0; i < block.count; ++i) {
    const std::size_t query = block.first + i;
    const std::uint64_t allowed = allowed_bits(args, block, query, key, keys);
    if (allowed == 0) continue;
    score_features(given, args.q.row(block.batch, block.head, query), keys, w_panels, scratch.tile, scratch.query);
    add_mask(args, block, query, key, allowed, scratch.tile);
    if (args.weights != nullptr) keep_scores_of(args, block, query, key, allowed, scratch.tile);
    add_tile(scratch, allowed, scratch.sums_of(i));
  }
}

/// output <- o / l;  weights <- exp(s - m) / l;  0 for a feature without a key above -inf
void finish_row(const AttentionArgs& args, const Block& block, std::size_t query, const Sums& sums) noexcept {
  float* const output = args.output.row(block.batch, block.head, query);
  for (std::size_t d = 0; d < args.value_width; ++d) output[d] = sums.l[d] == 0.0f ? 0.0f : sums.o[d] / sums.l[d];
  for (std::size_t j = 0; j < args.keys && args.weights != nullptr; ++j) {
    float* const weights = weights_of(args, block, query) + j * args.value_width;
    for (std::size_t d = 0; d < args.value_width; ++d) {
      weights[d] = sums.l[d] == 0.0f ? 0.0f : simd::exp(weights[d] - sums.m[d]) / sums.l[d];
    }
  }
}

void attend_block(const MultiDimensionalArgs& given, const Block& block, const float* w_panels, Workspace workspace) noexcept {
  const AttentionArgs& args = given.attention;
  const Scratch scratch = Scratch::take(given, workspace);
  const std::size_t stride = scratch.tile.feature_stride;
  // What no key writes of the padding is never looked at, but must be no trap.
  std::fill_n(scratch.tile.s, kKeyTile * stride, 0.0f);
  for (std::size_t i = 0; i < block.count; ++i) {
    const Sums sums = scratch.sums_of(i);
    std::fill_n(sums.m, stride, kMinusInfinity);
    std::fill_n(sums.l, 2 * stride, 0.0f);
    if (args.weights != nullptr) {
      std::fill_n(weights_of(args, block, block.first + i), args.keys * args.value_width, kMinusInfinity);
    }
  }
  const KeyRange range = allowed_keys(args, block.batch, block.first, block.count);
  for (std::size_t key = range.from / kKeyTile * kKeyTile; key < range.to; key += kKeyTile) {
    attend_tile(given, block, scratch, w_panels, key);
  }
  for (std::size_t i = 0; i < block.count; ++i) finish_row(args, block, block.first + i, scratch.sums_of(i));
}

Status check(const MultiDimensionalArgs& given) noexcept {
  const AttentionArgs& args = given.attention;
  if (args.width == 0 || args.kv_heads == 0 || args.heads % args.kv_heads != 0) return Status::Shape;
  if (args.window_left < kUnbounded || args.window_right < kUnbounded) return Status::Value;
  for (std::size_t b = 0; args.key_lengths != nullptr && b < args.batch; ++b) {
    if (args.key_lengths[b] < 0 || static_cast<std::size_t>(args.key_lengths[b]) > args.keys) return Status::Value;
  }
  if (given.score == FeatureScore::Bounded) {
    if (args.width != args.value_width) return Status::Shape;
    return given.bound > 0.0f && std::isfinite(given.bound) ? Status::Ok : Status::Value;
  }
  const MatrixView<const float>& w = given.w;
  const bool fits = w.rows == args.width && w.columns == args.value_width && (w.row_stride == 1 || w.column_stride == 1);
  return fits ? Status::Ok : Status::Shape;
}

}  // namespace

std::size_t multi_dimensional_workspace_floats(const MultiDimensionalArgs& args, std::size_t threads) noexcept {
  return workspace_round(feature_weight_floats(args)) + workspace_round(threads * each_thread_floats(args));
}

Status multi_dimensional_attention(const MultiDimensionalArgs& args, Workspace workspace, ThreadPool* pool) noexcept {
  if (const Status status = check(args); status != Status::Ok) return status;
  const AttentionArgs& sizes = args.attention;
  float* const w_panels = workspace.take(feature_weight_floats(args));
  const std::size_t each = each_thread_floats(args);
  float* const scratch = workspace.take(threads_of(pool) * each);
  if (!workspace.sufficed()) return Status::Memory;
  pack_feature_weights(args, w_panels);
  const std::size_t per_head = (sizes.queries + kRows - 1) / kRows, heads = sizes.batch * sizes.heads;
  // A tanh and an exponential cost about sixteen multiply-adds.
  const std::size_t each_feature = 16 + (args.score == FeatureScore::Bounded ? 0 : sizes.width);
  const bool is_short = is_short_work(heads * sizes.queries, sizes.keys, each_feature * sizes.value_width);
  run_on(is_short ? nullptr : pool, heads * per_head, [&](std::size_t index, std::size_t thread) {
    const std::size_t head = index / per_head, h = head % sizes.heads, first = index % per_head * kRows;
    const Block block = {head / sizes.heads, h, h / (sizes.heads / sizes.kv_heads), first,
                         std::min(kRows, sizes.queries - first)};
    attend_block(args, block, w_panels, {scratch + thread * each, each});
  });
  return Status::Ok;
}

}  // namespace fovea

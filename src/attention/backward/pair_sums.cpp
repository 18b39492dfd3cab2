#include "attention/backward/pair_sums.hpp"

#include <algorithm>
#include <bit>

#include "attention/score/clipped_distance.hpp"
#include "attention/score/score_bias.hpp"
#include "attention/softmax/relative_values.hpp"
#include "gemm/gathered_rows.hpp"
#include "ops/map.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

constexpr std::size_t kRows = kBlocksTogether * kBackwardRows;
constexpr std::size_t kRun = 64;  // rows that gathered_axpy takes at once

/// Columns [tile.from, end) have keys with a position.
std::size_t positioned_end(const AttentionArgs& args, const ScoreTile& tile) noexcept {
  return std::min(tile.to, positioned_columns(args.position_rules(tile.batch), tile));
}

/// d_array[..] <- d_array[..] + numbers(r)[j], which has the strides of `array`, for columns [tile.from, end)
template <class Rows>
void add_pairs(const PairsView<float>& array, float* d_array, const ScoreTile& tile, std::size_t end, Rows numbers) noexcept {
  if (d_array == nullptr) return;
  for (std::size_t r = 0; r < tile.queries; ++r) {
    float* const to = d_array + (array.row(tile.batch, tile.head, tile.query_of(r)) - array.data);
    const float* const from = numbers(r);
    if (array.key == 1 && tile.key_list == nullptr && tile.from < end) {
      float* const here = to + tile.key + tile.from;
      map(here, from + tile.from, end - tile.from, here, [](simd::f32 sum, simd::f32 x) { return sum + x; });
      continue;
    }
    for (std::size_t j = tile.from; j < end; ++j) to[static_cast<std::ptrdiff_t>(tile.key_of(j)) * array.key] += from[j];
  }
}

/// Calls visit(from, chosen) for runs of `count` numbers, a bit for each that is not 0: what stands beside 0 is not read.
template <class Visit>
void for_each_run(const float* numbers, std::size_t count, Visit visit) noexcept {
  for (std::size_t from = 0; from < count; from += kRun) {
    std::uint64_t chosen = 0;
    for (std::size_t n = 0; n < std::min(kRun, count - from); ++n) {
      chosen |= static_cast<std::uint64_t>(numbers[from + n] != 0.0f) << n;
    }
    if (chosen != 0) visit(from, chosen);
  }
}

/// d_table[c] <- d_table[c] + Σ_i sums[i][c] rows[i]
void add_to_table(const float* sums, std::size_t distances, SourceRows rows, std::size_t count, std::size_t width,
                  float* d_table) noexcept {
  for (std::size_t c = 0; c < distances; ++c) {
    float column[kRows];
    for (std::size_t i = 0; i < count; ++i) column[i] = sums[i * distances + c];
    for_each_run(column, count, [&](std::size_t from, std::uint64_t chosen) {
      gathered_axpy(column + from, chosen, rows.from(from), std::min(kRun, count - from), width, d_table + c * width);
    });
  }
}

float* table_of(float* d_table, const RelativeTable& table, std::size_t head) noexcept {
  return d_table + static_cast<std::ptrdiff_t>(head) * table.head;
}

bool is_shared(const void* gradient, std::ptrdiff_t head) noexcept { return gradient != nullptr && head == 0; }

bool sums_by_key(const AttentionBackwardArgs& args) noexcept {
  return args.d_relative_keys != nullptr || (args.d_q.data != nullptr && args.forward.variant.relative_keys.data != nullptr);
}

}  // namespace

bool wants_pair_sums(const AttentionBackwardArgs& args) noexcept {
  const bool of_logits = args.d_float_mask != nullptr || args.d_key_float_mask != nullptr || args.d_pair_bias != nullptr ||
                         args.d_relative_bias != nullptr || args.d_bucket_table != nullptr;
  return of_logits || args.d_score_weights != nullptr || args.d_edge_biases != nullptr || args.d_weight_scale != nullptr ||
         args.d_relative_values != nullptr || sums_by_key(args);
}

bool shares_pair_sums(const AttentionBackwardArgs& args) noexcept {
  const AttentionVariant& variant = args.forward.variant;
  return is_shared(args.d_float_mask, args.forward.float_mask.head) ||
         is_shared(args.d_key_float_mask, args.forward.key_float_mask.head) ||
         is_shared(args.d_pair_bias, variant.pair_bias.head) || is_shared(args.d_relative_bias, variant.relative_bias.head) ||
         is_shared(args.d_weight_scale, variant.weight_scale.pairs.head) ||
         is_shared(args.d_relative_keys, variant.relative_keys.head) ||
         is_shared(args.d_relative_values, variant.relative_values.head) ||
         is_shared(args.d_edge_biases, variant.edge_biases.head) || is_shared(args.d_score_weights, variant.score_weights_head);
}

PairSums::PairSums(const AttentionBackwardArgs& args, Workspace& workspace) noexcept
    : by_key_(workspace.take<float>(sums_by_key(args) ? kRows : 0, args.forward.variant.relative_keys.distances())),
      by_value_(workspace.take<float>(args.d_relative_values != nullptr ? kRows : 0,
                                      args.forward.variant.relative_values.distances())),
      by_bias_(workspace.take<float>(args.d_relative_bias != nullptr ? args.forward.variant.relative_bias.distances() : 0)),
      by_feature_(workspace.take<float>(args.d_score_weights != nullptr ? args.forward.width : 0)) {}

void PairSums::begin(const AttentionBackwardArgs& args, float* by_bucket) noexcept {
  const AttentionVariant& variant = args.forward.variant;
  by_bucket_ = by_bucket;
  if (sums_by_key(args)) std::fill_n(by_key_, kRows * variant.relative_keys.distances(), 0.0f);
  if (args.d_relative_values != nullptr) std::fill_n(by_value_, kRows * variant.relative_values.distances(), 0.0f);
  if (args.d_relative_bias != nullptr) std::fill_n(by_bias_, variant.relative_bias.distances(), 0.0f);
  if (args.d_score_weights != nullptr) std::fill_n(by_feature_, args.forward.width, 0.0f);
}

void PairSums::add_logits(const AttentionBackwardArgs& args, const ScoreTile& tile, const float* d_biased) const noexcept {
  const AttentionArgs& forward = args.forward;
  const std::size_t end = positioned_end(forward, tile);
  const auto row_of = [=](std::size_t r) { return d_biased + r * kKeyTile; };
  add_pairs(forward.float_mask, args.d_float_mask, tile, end, row_of);
  add_pairs(forward.key_float_mask, args.d_key_float_mask, tile, end, row_of);
  add_pairs(forward.variant.pair_bias, args.d_pair_bias, tile, end, row_of);
  if (args.d_edge_biases != nullptr && tile.planned) {
    const EdgeBiases& edges = forward.variant.edge_biases;
    float* const of_head = args.d_edge_biases + (edges.of(tile.batch, tile.head) - edges.data);
    const Plan plan(forward.plans[tile.batch * forward.heads + tile.head]);
    for_each_listed(plan, forward.queries, tile, [&](std::size_t r, std::size_t j, std::uint32_t edge, bool is_edge) {
      if (is_edge && (tile.allowed[r] >> j & 1) != 0) of_head[edge] += row_of(r)[j];
    });
  }
  for (std::size_t r = 0; r < tile.queries; ++r) {
    const std::int64_t p = position_of(forward, tile, r);
    if (args.d_relative_bias != nullptr) {
      sum_row_by_distance(tile, p, forward.variant.relative_bias.clip, end, row_of(r), by_bias_);
    }
    if (by_bucket_ != nullptr) {
      const RelativeTable& table = forward.variant.bucket_bias;
      sum_row_by_distance(tile, p, table.clip, end, row_of(r), table_of(by_bucket_, table, tile.head));
    }
  }
}

void PairSums::add_factors(const AttentionBackwardArgs& args, const ScoreTile& tile, const float* w,
                           const float (&gradients)[kMr][kKeyTile]) const noexcept {
  const WeightScale& scale = args.forward.variant.weight_scale;
  const std::size_t end = scale.of_appended ? std::min(tile.to, tile.keys) : positioned_end(args.forward, tile);
  float products[kKeyTile];
  add_pairs(scale.pairs, args.d_weight_scale, tile, end, [&](std::size_t r) {
    for (std::size_t j = tile.from; j < end; ++j) {
      products[j] = (tile.allowed[r] >> j & 1) != 0 ? w[r * kKeyTile + j] * gradients[r][j] : 0.0f;
    }
    return products;
  });
}

void PairSums::add_products(const AttentionBackwardArgs& args, const ScoreTile& tile, std::size_t row,
                            const float* dx) const noexcept {
  if (!sums_by_key(args)) return;
  const RelativeTable& table = args.forward.variant.relative_keys;
  const std::size_t end = positioned_end(args.forward, tile);
  for (std::size_t r = 0; r < tile.queries; ++r) {
    sum_row_by_distance(tile, position_of(args.forward, tile, r), table.clip, end, dx + r * kKeyTile,
                        by_key_ + (row + r) * table.distances());
  }
}

void PairSums::add_weights(const AttentionBackwardArgs& args, const ScoreTile& tile, std::size_t row,
                           const float* w) const noexcept {
  if (args.d_relative_values == nullptr) return;
  const RelativeTable& table = args.forward.variant.relative_values;
  const std::size_t end = positioned_end(args.forward, tile);
  for (std::size_t r = 0; r < tile.queries; ++r) {
    sum_row_by_distance(tile, position_of(args.forward, tile, r), table.clip, end, w + r * kKeyTile,
                        by_value_ + (row + r) * table.distances());
  }
}

void PairSums::finish(const AttentionBackwardArgs& args, const HeadIndex& walk, const TokenList& queries) const noexcept {
  const AttentionArgs& forward = args.forward;
  const RelativeTable &keys = forward.variant.relative_keys, &values = forward.variant.relative_values;
  const auto width = static_cast<std::ptrdiff_t>(forward.width);
  for (std::size_t i = 0; i < queries.count && sums_by_key(args) && args.d_q.data != nullptr; ++i) {
    const float* const sums = by_key_ + i * keys.distances();
    for_each_run(sums, keys.distances(), [&](std::size_t from, std::uint64_t chosen) {
      gathered_axpy(sums + from, chosen, SourceRows{keys.of(walk.head), width}.from(from),
                    std::min(kRun, keys.distances() - from), forward.width, args.d_q.row(walk.batch, walk.head, queries.at(i)));
    });
  }
  if (args.d_relative_keys != nullptr) {
    add_to_table(by_key_, keys.distances(), source_rows(forward.q, walk.batch, walk.head, queries), queries.count,
                 forward.width, table_of(args.d_relative_keys, keys, walk.head));
  }
  if (args.d_relative_values != nullptr && args.d_output.data != nullptr) {
    add_to_table(by_value_, values.distances(), source_rows(args.d_output, walk.batch, walk.head, queries), queries.count,
                 forward.value_width, table_of(args.d_relative_values, values, walk.head));
  }
  if (args.d_relative_bias != nullptr) {
    float* const table = table_of(args.d_relative_bias, forward.variant.relative_bias, walk.head);
    for (std::size_t c = 0; c < forward.variant.relative_bias.distances(); ++c) table[c] += by_bias_[c];
  }
  if (args.d_score_weights != nullptr) {
    float* const weights = args.d_score_weights + static_cast<std::ptrdiff_t>(walk.head) * forward.variant.score_weights_head;
    for (std::size_t d = 0; d < forward.width; ++d) weights[d] += by_feature_[d];
  }
}

}  // namespace fovea

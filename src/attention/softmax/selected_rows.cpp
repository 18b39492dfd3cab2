#include "attention/softmax/selected_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "attention/softmax/pointwise_rows.hpp"
#include "core/infinity.hpp"
#include "core/random.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::splat;

/// Whether a row of the tile has a NaN or +inf.
bool has_non_finite(const ScoreTile& tile, std::size_t r) noexcept {
  f32 counts = splat(0.0f);
  over_columns(tile, [&](std::size_t j) { counts = counts + key_count(load(tile.s[r] + j)); });
  return std::isnan(simd::reduce_add(counts));
}

/// Calls visit(score, key) for the row's keys with a score above -inf.
template <class Visit>
void for_each_score(const ScoreTile& tile, std::size_t r, Visit visit) noexcept {
  for (std::uint64_t left = tile.allowed[r]; left != 0; left &= left - 1) {
    const auto j = static_cast<std::size_t>(std::countr_zero(left));
    if (tile.s[r][j] != kMinusInfinity) visit(tile.s[r][j], static_cast<std::uint32_t>(tile.key_of(j)));
  }
}

/// Calls visit(r, row maximum) for finite rows with scores in this tile; marks rows with a NaN or +inf.
template <class State, class Visit>
void for_each_row(const ScoreTile& tile, State* rows, Visit visit) noexcept {
  for (std::size_t r = 0; r < tile.queries; ++r) {
    if (has_non_finite(tile, r)) {
      rows[r].kind = RowKind::NonFinite;
    } else if (const float row_max = simd::reduce_max(load(tile.row_max[r])); row_max != kMinusInfinity) {
      visit(r, row_max);
    }
  }
}

/// row <- the higher of it and value; among equal ones the lower key
void choose(ArgmaxState& row, double value, std::uint32_t key) noexcept {
  if (row.kind != RowKind::FullyMasked && (value < row.value || (value == row.value && key > row.key))) return;
  row = {value, key, row.kind == RowKind::FullyMasked ? RowKind::Finite : row.kind};
}

/// rows[r] <- the highest score + Gumbel noise
void update_sampled(const AttentionArgs& args, const ScoreTile& tile, ArgmaxState* rows) noexcept {
  const Seed seed = to_seed(args.variant.normalizer.seed);
  const PositionRules rules = args.position_rules(tile.batch);
  const auto head = static_cast<std::uint32_t>(args.global_head(tile.batch, tile.head));
  for_each_row(tile, rows, [&](std::size_t r, float) {
    const auto position = static_cast<std::uint32_t>(rules.position(tile.query_of(r)));
    for_each_score(tile, r, [&](float score, std::uint32_t key) {
      const std::uint32_t word = philox(seed, key, position, head, Stream::Sampled)[0];
      choose(rows[r], static_cast<double>(score) + gumbel(word), key);
    });
  });
}

}  // namespace

std::size_t top_k_of(const AttentionArgs& args) noexcept { return std::min(args.variant.normalizer.k, args.keys); }

void merge(ArgmaxState& total, const ArgmaxState& part) noexcept {
  if (total.kind == RowKind::NonFinite || part.kind == RowKind::FullyMasked) return;
  if (part.kind == RowKind::NonFinite) {
    total.kind = RowKind::NonFinite;
  } else {
    choose(total, part.value, part.key);
  }
}

void update_argmax(const AttentionArgs& args, const ScoreTile& tile, ArgmaxState* rows) noexcept {
  if (args.variant.normalizer.kind == NormalizerKind::Sampled) return update_sampled(args, tile, rows);
  for_each_row(tile, rows, [&](std::size_t r, float row_max) {
    for_each_score(tile, r, [&](float score, std::uint32_t key) {
      if (score == row_max) choose(rows[r], static_cast<double>(score), key);
    });
  });
}

void update_top_k(const ScoreTile& tile, const TopKRows& rows) noexcept {
  for_each_row(tile, rows.states, [&](std::size_t r, float row_max) {
    TopKHeap heap = rows.heap(r);
    if (heap.count == rows.k && row_max < heap.ranked[0].score) return;
    for_each_score(tile, r, [&](float score, std::uint32_t key) { push(heap, rows.k, {score, key}); });
    TopKState& state = rows.states[r];
    state.count = static_cast<std::uint32_t>(heap.count);
    if (state.kind == RowKind::FullyMasked) state.kind = RowKind::Finite;
  });
}

}  // namespace fovea

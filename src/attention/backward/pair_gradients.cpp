#include "attention/backward/pair_gradients.hpp"

#include <algorithm>
#include <bit>

#include "attention/backward/additive_gradients.hpp"
#include "attention/backward/logit_gradients.hpp"
#include "attention/backward/strip_scores.hpp"
#include "attention/backward/weight_gradients.hpp"
#include "attention/score/tile_masks.hpp"
#include "gemm/row_tiles.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

using simd::f32;
using simd::load;
using simd::madd;
using simd::splat;
using simd::store;

/// accumulate_transpose reads a few floats behind a row.
constexpr std::size_t kBehind = 8;

/// line[from, to) <- 0; both are multiples of kNr. A loop: runs are shorter than a call of memset.
void clear_columns(float* line, std::size_t from, std::size_t to) noexcept {
  for (; from < to; from += f32::size) store(line + from, splat(0.0f));
}

std::size_t panels_of(std::size_t width) noexcept { return (width + kNr - 1) / kNr; }

/// to[panel] <- to[panel] + x from[panel], of eight columns each
void add_panels(float x, const float* from, std::size_t from_panel, std::size_t panels, float* to,
                std::size_t to_panel) noexcept {
  const f32 factor = splat(x);
  for (std::size_t p = 0; p < panels; ++p, from += from_panel, to += to_panel) {
    store(to, madd(factor, load(from), load(to)));
    store(to + 4, madd(factor, load(from + 4), load(to + 4)));
  }
}

}  // namespace

PairGradients::PairGradients(const AttentionBackwardArgs& args, Workspace& workspace) noexcept
    : weights_(workspace.take<float>(kBackwardRows * kKeyTile + kBehind)),
      scores_(workspace.take<float>(kBackwardRows * kKeyTile + kBehind)),
      row_sums_(workspace.take<float>(kMr, round_up(args.forward.width, kNr))) {}

void PairGradients::compute_strip(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                                  std::size_t row, const WantedGradients& wanted) noexcept {
  const AttentionArgs& forward = args.forward;
  float *const w = weights_ + row * kKeyTile, *const x = scores_ + row * kKeyTile;
  const StripColumns& columns = strips_[row / kMr];
  const std::size_t from = columns.from, to = columns.to;
  for (std::size_t r = 0; r < kMr && to - from < kKeyTile; ++r) {
    for (float* const line : {w + r * kKeyTile, x + r * kKeyTile}) {
      clear_columns(line, 0, from);
      clear_columns(line, to, kKeyTile);
    }
  }
  std::fill_n(allowed_ + row, kMr, std::uint64_t{0});
  if (from == to) {
    all_allowed_ = false;
    return;
  }
  ScoreTile tile = marked_tile(forward, queries, keys, row, columns, allows_strip(forward, queries, keys, row, columns));
  alignas(16) float capped[kMr][kKeyTile];
  compute_scores(forward, queries, keys, row, tile, forward.softcap > 0.0f ? capped : nullptr);
  for (std::size_t r = 0; r < tile.queries && queries.terms.has_empty; ++r) {
    if (queries.terms.is_empty(row + r)) {
      tile.allowed[r] = 0;
      tile.all_allowed = false;
    }
  }
  if (forward.variant.normalizer.kind == NormalizerKind::TopK) keep_best(queries.terms, row, tile);
  std::copy_n(tile.allowed, kMr, allowed_ + row);
  all_allowed_ = all_allowed_ && tile.all_allowed;

  find_weight_gradients(args, queries, keys, tile, row, wanted.scores(), x);
  differentiate(args, queries, tile, row, wanted, capped);
}

void PairGradients::differentiate(const AttentionBackwardArgs& args, const PackedQueries& queries, const ScoreTile& tile,
                                  std::size_t row, const WantedGradients& wanted,
                                  const float (&capped)[kMr][kKeyTile]) noexcept {
  const AttentionArgs& forward = args.forward;
  float *const w = weights_ + row * kKeyTile, *const x = scores_ + row * kKeyTile;
  const bool is_scaled = forward.variant.weight_scale.is_given();
  alignas(16) float factors[kMr][kKeyTile], gradients[kMr][kKeyTile];
  if (is_scaled) {
    for (std::size_t r = 0; r < kMr; ++r) std::copy_n(x + r * kKeyTile, kKeyTile, gradients[r]);
    find_factors(forward, tile, factors);
    multiply_by(tile, factors, x);
  }
  differentiate_normalizer(forward.variant.normalizer, tile, queries.terms, row, w, x);
  if (is_scaled) {
    if (wanted.pairs) sums_->add_factors(args, tile, w, gradients);
    multiply_by(tile, factors, w);
  }
  if (wanted.pairs) {
    sums_->add_weights(args, tile, first_row_ + row, w);
    sums_->add_logits(args, tile, x);
  }
  if (forward.softcap > 0.0f) {
    differentiate_softcap(forward, tile, capped, x);
  } else if (!is_scaled_only(args)) {
    scale_products(forward, tile, x);
  }
  if (wanted.pairs) sums_->add_products(args, tile, first_row_ + row, x);
}

void PairGradients::add(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                        const WantedGradients& wanted, const PairSums* sums, std::size_t walk_row) noexcept {
  const AttentionArgs& forward = args.forward;
  const QueryBlock& block = queries.block;
  const bool whole = allows_all(forward, block.batch, block.first, block.count, keys.tokens.first);
  for (std::size_t row = 0; row < block.count; row += kMr) {
    strips_[row / kMr] = whole ? StripColumns{0, kKeyTile}
                               : columns_of(forward, block.batch, block.first + row, std::min(kMr, block.count - row), keys);
  }
  add_strips(args, queries, keys, wanted, sums, walk_row);
}

void PairGradients::add_planned(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                                const WantedGradients& wanted, const StripColumns* strips, const PairSums* sums,
                                std::size_t row) noexcept {
  std::copy_n(strips, (queries.block.count + kMr - 1) / kMr, strips_);
  add_strips(args, queries, keys, wanted, sums, row);
}

void PairGradients::add_strips(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                               const WantedGradients& wanted, const PairSums* sums, std::size_t walk_row) noexcept {
  const AttentionArgs& forward = args.forward;
  sums_ = sums;
  first_row_ = walk_row;
  all_allowed_ = true;
  const std::size_t count = queries.block.count;
  std::size_t first = count, end = 0;
  for (std::size_t row = 0; row < count; row += kMr) {
    if (strips_[row / kMr].is_empty()) continue;
    first = std::min(first, row);
    end = std::min(row + kMr, count);
  }
  if (first >= end) return;
  for (std::size_t row = first; row < end; row += kMr) compute_strip(args, queries, keys, row, wanted);
  for (std::size_t row = 0; row < count; row += kMr) {
    if (row < first || row >= end) std::fill_n(allowed_ + row, kMr, std::uint64_t{0});
  }

  if (forward.variant.score == Score::Additive) add_additive(args, queries, keys, wanted);
  const bool finite = queries.finite && keys.finite;
  if (!finite && !all_allowed_) return add_one_by_one(args, queries, keys, wanted);
  const std::size_t depth = end - first;
  if (wanted.d_v && args.d_output.data != nullptr) {
    accumulate_transpose(weights_ + first * kKeyTile, kKeyTile, keys.tokens.count,
                         {queries.d_output_columns + first * kNr, kNr, count * kNr}, depth, panels_of(forward.value_width),
                         {keys.d_v, nullptr, nullptr});
  }
  if (forward.variant.score == Score::Additive) return;
  if (wanted.d_k) {
    accumulate_transpose(scores_ + first * kKeyTile, kKeyTile, keys.tokens.count,
                         {queries.q_columns + first * kNr, kNr, count * kNr}, depth, panels_of(forward.width),
                         {keys.d_k, nullptr, nullptr});
  }
  if (wanted.d_q) add_to_queries(args, queries, keys);
}

void PairGradients::add_to_queries(const AttentionBackwardArgs& args, const PackedQueries& queries,
                                   const PackedKeys& keys) const noexcept {
  const std::size_t width = args.forward.width, panels = panels_of(width), count = queries.block.count;
  for (std::size_t row = 0; row < count; row += kMr) {
    const auto [from, to, planned, masks] = strips_[row / kMr];
    if (from == to) continue;
    const std::size_t rows = std::min(kMr, count - row), depth = std::min(to, keys.tokens.count) - from;
    float* const d_q = queries.row(args.d_q, row);
    const float *const x = scores_ + row * kKeyTile + from, *const k = keys.k_columns + from * kNr;
    if (rows == kMr && width % kNr == 0 && queries.list == nullptr) {
      accumulate_rows(x, k, depth, keys.tokens.count, panels, d_q, static_cast<std::size_t>(args.d_q.token));
      continue;
    }
    const std::size_t stride = panels * kNr;
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(queries.row(args.d_q, row + r), width, row_sums_ + r * stride);
    accumulate_rows(x, k, depth, keys.tokens.count, panels, row_sums_, stride);
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(row_sums_ + r * stride, width, queries.row(args.d_q, row + r));
  }
}

void PairGradients::add_additive(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                                 const WantedGradients& wanted) const noexcept {
  if (!wanted.scores()) return;
  const AttentionArgs& forward = args.forward;
  const QueryBlock& block = queries.block;
  const AdditivePairs pairs = {queries.q_columns, keys.k_columns, block.count, keys.tokens.count,
                               forward.width,     scores_,        allowed_};
  float* const d_q = wanted.d_q ? args.d_q.row(block.batch, block.head, queries.list != nullptr ? 0 : block.first) : nullptr;
  float* const d_w = wanted.pairs && args.d_score_weights != nullptr ? sums_->score_weights() : nullptr;
  add_additive_gradients(
      forward.variant.additive_of(block.head), pairs,
      {d_q, args.d_q.token, queries.list, wanted.d_k ? keys.d_k : nullptr, round_up(keys.tokens.count, kMr), d_w});
}

void PairGradients::add_one_by_one(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                                   const WantedGradients& wanted) const noexcept {
  const AttentionArgs& forward = args.forward;
  const std::size_t count = queries.block.count, key_rows = round_up(keys.tokens.count, kMr);
  const bool is_additive = forward.variant.score == Score::Additive;
  const bool of_q = wanted.d_q && !is_additive, of_k = wanted.d_k && !is_additive;
  const std::size_t panels = panels_of(forward.width), value_panels = panels_of(forward.value_width);
  for (std::size_t i = 0; i < count; ++i) {
    if (allowed_[i] == 0) continue;
    float* const d_q = of_q ? queries.row(args.d_q, i) : nullptr;
    if (of_q) std::copy_n(d_q, forward.width, row_sums_);
    for (std::uint64_t left = allowed_[i]; left != 0; left &= left - 1) {
      const auto j = static_cast<std::size_t>(std::countr_zero(left));
      const float w = weights_[i * kKeyTile + j], x = scores_[i * kKeyTile + j];
      if (wanted.d_v && args.d_output.data != nullptr) {
        add_panels(w, queries.d_output_columns + i * kNr, count * kNr, value_panels, keys.d_v + j * kNr, key_rows * kNr);
      }
      if (of_k) add_panels(x, queries.q_columns + i * kNr, count * kNr, panels, keys.d_k + j * kNr, key_rows * kNr);
      if (of_q) add_panels(x, keys.k_columns + j * kNr, keys.tokens.count * kNr, panels, row_sums_, kNr);
    }
    if (of_q) std::copy_n(row_sums_, forward.width, d_q);
  }
}

}  // namespace fovea

#include "attention/backward/whole_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/dense/block_tiles.hpp"
#include "attention/softmax/normalized_rows.hpp"
#include "attention/softmax/normalizer.hpp"
#include "core/infinity.hpp"
#include "simd/simd.hpp"

namespace fovea {
namespace {

bool is_top_k(const AttentionArgs& args) noexcept { return args.variant.normalizer.kind == NormalizerKind::TopK; }

/// One row of a panel.
struct PanelRow {
  const float* scores;
  const float* gradients;
  std::size_t keys;
  float row_max;
};

/// The mean of f A over the keys with a weight, each counted by its slope: 1 of sparsemax, sqrt(w) of entmax.
double mean_over_support(const PanelRow& row, bool halves, float threshold) noexcept {
  double sum = 0, slopes = 0;
  for (std::size_t j = 0; j < row.keys; ++j) {
    const float above = (row.scores[j] - row.row_max) * (halves ? 0.5f : 1.0f) - threshold;
    if (!(above > 0.0f)) continue;
    const double slope = halves ? static_cast<double>(above) : 1.0;
    sum += slope * static_cast<double>(row.gradients[j]);
    slopes += slope;
  }
  return sum / slopes;
}

}  // namespace

std::size_t panel_rows(const AttentionArgs& args) noexcept {
  if (!keeps_scores(args)) return 0;
  return std::clamp<std::size_t>(kPanelScores / std::max<std::size_t>(args.keys, 1), 1, kPanelBlock);
}

WholeRows::WholeRows(const AttentionBackwardArgs& args, Workspace& workspace) noexcept
    : scores(workspace.take<float>(panel_rows(args.forward), args.forward.keys)),
      gradients(workspace.take<float>(needs_full_row(args.forward) ? panel_rows(args.forward) : 0, args.forward.keys)),
      weights(workspace.take<float>(needs_full_row(args.forward) ? args.forward.keys : 0)),
      scratch(workspace.take<float>(needs_full_row(args.forward) ? args.forward.keys : 0)),
      kept(workspace.take<Ranked>(is_top_k(args.forward) ? top_k_of(args.forward) : 0)) {}

void WholeRows::clear(const AttentionArgs& args, std::size_t count) const noexcept {
  std::fill_n(scores, count * args.keys, kMinusInfinity);
  if (needs_full_row(args)) std::fill_n(gradients, count * args.keys, 0.0f);
}

void WholeRows::write_terms(const AttentionBackwardArgs& args, const QueryBlock& block, const RowTerms& terms) const noexcept {
  const AttentionArgs& forward = args.forward;
  const std::size_t keys = forward.keys;
  for (std::size_t i = 0; i < block.count; ++i) {
    const std::size_t query = block.first + i, row = forward.row_index(block.batch, block.head, query);
    PanelRow panel = {scores + i * keys, gradients + i * keys, keys, 0.0f};
    const RowKind kind = kind_of(panel.scores, keys, panel.row_max);
    const float degenerate = kind == RowKind::NonFinite ? std::numeric_limits<float>::quiet_NaN() : 0.0f;
    terms.weight[row] = terms.offset[row] = terms.shift[row] = terms.threshold[row] = degenerate;
    terms.last_key[row] = 0;
    if (kind != RowKind::Finite) continue;
    terms.shift[row] = panel.row_max;
    if (is_top_k(forward)) {
      TopKHeap best = {kept, 0};
      push_all(best, top_k_of(forward), panel.scores, keys);
      const bool is_full = best.count == top_k_of(forward);
      terms.threshold[row] = is_full ? best.ranked[0].score : kMinusInfinity;
      terms.last_key[row] = is_full ? best.ranked[0].key : 0;
      double sum = 0;
      for (std::size_t n = 0; n < best.count; ++n) sum += static_cast<double>(simd::exp(kept[n].score - panel.row_max));
      terms.weight[row] = static_cast<float>(1.0 / sum);
      terms.offset[row] = static_cast<float>(-static_cast<double>(terms.weight[row]) * mean_gradient(args, block, query));
      continue;
    }
    const bool halves = forward.variant.normalizer.kind == NormalizerKind::Entmax15;
    std::copy_n(panel.scores, keys, weights);
    static_cast<void>(normalize_row(forward, weights, keys, scratch));
    // The highest score, counted from itself, lies as far above the threshold as its weight tells.
    const float highest = *std::max_element(weights, weights + keys);
    terms.threshold[row] = halves ? -std::sqrt(highest) : -highest;
    terms.weight[row] = 1.0f;
    terms.offset[row] = static_cast<float>(-mean_over_support(panel, halves, terms.threshold[row]));
  }
}

}  // namespace fovea

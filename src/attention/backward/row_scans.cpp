#include "attention/backward/row_scans.hpp"

#include <algorithm>
#include <bit>

#include "attention/backward/logit_gradients.hpp"
#include "attention/backward/weight_gradients.hpp"
#include "attention/softmax/normalizer.hpp"
#include "attention/softmax/pointwise_rows.hpp"
#include "core/bits.hpp"
#include "simd/simd.hpp"

namespace fovea {

using simd::f32;
using simd::load;
using simd::splat;

void add_row_sums(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys, double* sums,
                  const StripColumns* planned) noexcept {
  const AttentionArgs& forward = args.forward;
  const std::size_t count = queries.block.count;
  for (std::size_t row = 0; row < count; row += kMr) {
    const std::size_t rows = std::min(kMr, count - row);
    const StripColumns columns = planned != nullptr
                                     ? planned[row / kMr]
                                     : columns_of(forward, queries.block.batch, queries.block.first + row, rows, keys);
    if (columns.is_empty()) continue;
    ScoreTile tile = marked_tile(forward, queries, keys, row, columns, allows_strip(forward, queries, keys, row, columns));
    compute_scores(forward, queries, keys, row, tile, nullptr);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t index = forward.row_index(tile.batch, tile.head, tile.query_of(r));
      if (!needs_sum(args, index)) continue;
      const bool is_softmax = forward.variant.normalizer.kind == NormalizerKind::Softmax;
      const f32 shift = splat(is_softmax ? args.lse[index] : 0.0f);
      f32 sum = splat(0.0f);
      over_columns(tile, [&](std::size_t j) {
        const f32 s = load(tile.s[r] + j);
        sum = sum + (is_softmax ? simd::exp(s - shift) : key_count(s));
      });
      sums[row + r] += static_cast<double>(simd::reduce_add(sum));
    }
  }
}

void fill_panels(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                 const WholeRows& panels) noexcept {
  const AttentionArgs& forward = args.forward;
  for (std::size_t row = 0; row < queries.block.count; row += kMr) {
    const std::size_t rows = std::min(kMr, queries.block.count - row);
    const StripColumns columns = columns_of(forward, queries.block.batch, queries.block.first + row, rows, keys);
    if (columns.is_empty()) continue;
    ScoreTile tile = marked_tile(forward, queries, keys, row, columns, allows_strip(forward, queries, keys, row, columns));
    compute_scores(forward, queries, keys, row, tile, nullptr);
    alignas(16) float x[kMr * kKeyTile];
    if (needs_full_row(forward)) {
      find_weight_gradients(args, queries, keys, tile, row, /*through_output=*/true, x);
      alignas(16) float factors[kMr][kKeyTile];
      if (forward.variant.weight_scale.is_given()) {
        find_factors(forward, tile, factors);
        multiply_by(tile, factors, x);
      }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::uint64_t left = tile.allowed[r] & bit_range(0, tile.keys); left != 0; left &= left - 1) {
        const auto j = static_cast<std::size_t>(std::countr_zero(left));
        const std::size_t at = (row + r) * forward.keys + tile.key_of(j);
        panels.scores[at] = tile.s[r][j];
        if (needs_full_row(forward)) panels.gradients[at] = x[r * kKeyTile + j];
      }
    }
  }
}

}  // namespace fovea

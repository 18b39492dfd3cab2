#include "attention/backward/weight_gradients.hpp"

#include <algorithm>
#include <bit>

#include "attention/backward/logit_gradients.hpp"
#include "core/bits.hpp"
#include "gemm/panels.hpp"

namespace fovea {
namespace {

/// x <- x + d_sparse_weights of the allowed pairs, whose keys ascend
void add_sparse_gradients(const AttentionBackwardArgs& args, const ScoreTile& tile, float* x) noexcept {
  const SparseWeights& sparse = args.forward.sparse_weights;
  for (std::size_t r = 0; r < tile.queries; ++r) {
    const std::size_t row = args.forward.row_index(tile.batch, tile.head, tile.query_of(r));
    const std::int32_t *at = sparse.indices + sparse.indptr[row], *const end = sparse.indices + sparse.indptr[row + 1];
    for (std::uint64_t left = tile.allowed[r] & bit_range(0, tile.keys); left != 0; left &= left - 1) {
      const auto j = static_cast<std::size_t>(std::countr_zero(left));
      const auto key = static_cast<std::int32_t>(tile.key_of(j));
      at = std::lower_bound(at, end, key);
      if (at != end && *at == key) x[r * kKeyTile + j] += args.d_sparse_weights[at - sparse.indices];
    }
  }
}

}  // namespace

void find_weight_gradients(const AttentionBackwardArgs& args, const PackedQueries& queries, const PackedKeys& keys,
                           const ScoreTile& tile, std::size_t row, bool through_output, float* x) noexcept {
  const AttentionArgs& forward = args.forward;
  const std::size_t from = tile.from, to = tile.to;
  if (args.d_output.data != nullptr && through_output) {
    multiply_panels(queries.d_output + row * forward.value_width, keys.v + from * forward.value_width, forward.value_width,
                    (to - from) / kNr, x + from, kKeyTile);
  } else {
    for (std::size_t r = 0; r < kMr; ++r) std::fill_n(x + r * kKeyTile + from, to - from, 0.0f);
  }
  if (forward.variant.relative_values.data != nullptr && args.d_output.data != nullptr && through_output) {
    add_relative_gradients(forward, tile, queries.relative_values, row, x);
  }
  for (std::size_t r = 0; r < tile.queries && args.d_weights != nullptr; ++r) {
    const float* const gradients = args.d_weights + forward.row_index(tile.batch, tile.head, tile.query_of(r)) * forward.keys;
    for (std::size_t j = from; j < std::min(to, tile.keys); ++j) x[r * kKeyTile + j] += gradients[tile.key_of(j)];
  }
  if (args.d_sparse_weights != nullptr) add_sparse_gradients(args, tile, x);
}

void keep_best(const BlockTerms& terms, std::size_t row, ScoreTile& tile) noexcept {
  for (std::size_t r = 0; r < tile.queries; ++r) {
    const float threshold = terms.threshold[row + r];
    for (std::uint64_t left = tile.allowed[r] & bit_range(0, tile.keys); left != 0; left &= left - 1) {
      const auto j = static_cast<std::size_t>(std::countr_zero(left));
      const float s = tile.s[r][j];
      const bool falls_out = s < threshold || (s == threshold && tile.key_of(j) > terms.last_key[row + r]);
      if (falls_out) tile.allowed[r] &= ~(std::uint64_t{1} << j);
    }
  }
  tile.all_allowed = false;
}

}  // namespace fovea

#include "attention/score/store_scores.hpp"

#include <algorithm>
#include <bit>

namespace fovea {
namespace {

/// Calls visit(j) for each allowed column of a row, ascending.
template <class Visit>
void for_each_allowed(const ScoreTile& tile, std::size_t r, Visit visit) noexcept {
  // The bits of columns that do not exist are set where a whole tile is allowed to rows that do not.
  for (std::uint64_t left = tile.allowed[r]; left != 0; left &= left - 1)
    visit(static_cast<std::size_t>(std::countr_zero(left)));
}

}  // namespace

void store_sparse_scores(const AttentionArgs& args, const ScoreTile& tile) noexcept {
  const SparseWeights& sparse = args.sparse_weights;
  for (std::size_t r = 0; r < tile.queries; ++r) {
    if (tile.allowed[r] == 0) continue;
    const std::size_t row = args.row_index(tile.batch, tile.head, tile.query_of(r));
    const std::int32_t* const end = sparse.indices + sparse.indptr[row + 1];
    const auto first = static_cast<std::size_t>(std::countr_zero(tile.allowed[r]));
    const std::int32_t* at =
        std::lower_bound(sparse.indices + sparse.indptr[row], end, static_cast<std::int32_t>(tile.key_of(first)));
    for_each_allowed(tile, r, [&](std::size_t j) {
      const auto key = static_cast<std::int32_t>(tile.key_of(j));
      while (at != end && *at < key) ++at;
      if (at != end && *at == key) sparse.values[at - sparse.indices] = tile.s[r][j];
    });
  }
}

void store_scores(const AttentionArgs& args, const ScoreTile& tile, float* pairs) noexcept {
  for (std::size_t r = 0; r < tile.queries; ++r) {
    float* const row = pairs + args.row_index(tile.batch, tile.head, tile.query_of(r)) * args.keys;
    if (tile.planned) {
      for_each_allowed(tile, r, [&](std::size_t j) { row[tile.key_of(j)] = tile.s[r][j]; });
    } else {
      std::copy_n(tile.s[r], tile.keys, row + tile.key);
    }
  }
}

void store_scores_for_weights(const AttentionArgs& args, const ScoreTile& tile) noexcept {
  if (args.weights != nullptr) store_scores(args, tile, args.weights);
  if (args.sparse_weights.values != nullptr) store_sparse_scores(args, tile);
}

}  // namespace fovea
